; answers: sat
; objective: y 6
; objective: x 1
(declare-const x Int)
(declare-const y Int)
(assert (<= (+ x (* 2 y)) 13))
(assert (and (<= 0 x 6) (<= 0 y 9)))
(maximize y)
(maximize x)
(set-info :status sat)
(check-sat)
