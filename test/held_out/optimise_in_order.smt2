; answers: sat
; objective: x 6
; objective: y 3
; The first goal is best at 6; the second must then be content with 3.
(declare-const x Int)
(declare-const y Int)
(assert (<= (+ x (* 2 y)) 13))
(assert (and (<= 0 x 6) (<= 0 y 9)))
(maximize x)
(maximize y)
(set-info :status sat)
(check-sat)
