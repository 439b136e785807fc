; answers: unsat
; The square of an odd number leaves 1 when divided by 8.
(declare-const k Int)
(declare-const n Int)
(assert (= n (+ (* 2 k) 1)))
(assert (<= (- 5) k 5))
(assert (distinct (mod (* n n) 8) 1))
(set-info :status unsat)
(check-sat)
