; answers: unsat
; 21 is no sum of two squares.
(declare-const x Int)
(declare-const y Int)
(assert (and (<= 0 x 5) (<= 0 y 5)))
(assert (= (+ (* x x) (* y y)) 21))
(set-info :status unsat)
(check-sat)
