; answers: sat
(
 declare-const
   n ; the name
   Int )
(	assert
	(=	n
		12 ))
(declare-const after Int)
(set-info
  :status
  sat)
(
  check-sat
)
