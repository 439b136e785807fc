; answers: sat
(declare-const a Bool)
(assert (not a))
(set-info :status sat)
(check-sat)
; the last line is a comment (check-sat