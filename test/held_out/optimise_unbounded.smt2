; answers: sat
; objective: n oo
(declare-const n Int)
(assert (> n 5))
(maximize n)
(set-info :status sat)
(check-sat)
