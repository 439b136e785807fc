; answers: sat
; objective: x (+ 3.0 (* (- 1.0) epsilon))
(declare-const x Real)
(assert (< x 3.0))
(maximize x)
(set-info :status sat)
(check-sat)
