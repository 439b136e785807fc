; answers: sat unsat
(declare-fun mix (Int Int) Int)
(assert (= (mix 1 2) 3))
(assert (= (mix 2 1) 4))
(set-info :status sat)
(check-sat)
(assert (forall ((a Int) (b Int)) (= (mix a b) (mix b a))))
(set-info :status unsat)
(check-sat)
