; answers: sat unsat
; With stamps of 3 and 5 the amount 7 can't be paid, 8 can.
(declare-const amount Int)
(assert (forall ((a Int) (b Int)) (=> (and (<= 0 a 4) (<= 0 b 4)) (distinct amount (+ (* 3 a) (* 5 b))))))
(push)
(assert (= amount 7))
(set-info :status sat)
(check-sat)
(pop)
(assert (= amount 8))
(set-info :status unsat)
(check-sat)
