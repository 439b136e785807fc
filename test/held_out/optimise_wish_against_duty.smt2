; answers: sat
; objective: cost 4
; objective: comfort 1
; Least cost first: 4 with the cheap seat; the wish for the dear one stays open.
(declare-const cost Int)
(declare-const dear Bool)
(assert (= cost (ite dear 9 4)))
(minimize cost)
(assert-soft dear :id comfort)
(set-info :status sat)
(check-sat)
