; answers: sat
; objective: x (/ 7.0 3.0)
(declare-const x Real)
(assert (<= (* 3.0 x) 7.0))
(maximize x)
(set-info :status sat)
(check-sat)
