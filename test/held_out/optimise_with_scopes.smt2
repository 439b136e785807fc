; answers: sat sat
; objective: n 8
; The goal inside of the scope is gone with it.
(declare-const n Int)
(assert (<= 2 n 8))
(push)
(minimize n)
(set-info :status sat)
(check-sat)
(pop)
(maximize n)
(set-info :status sat)
(check-sat)
