; answers: sat
(declare-fun f (Int) Int)
(declare-const p Bool)
(assert (! (and (! p :named inner) (! (or p true) :named |another one|)) :named outer))
(assert (forall ((i Int)) (! (>= (f i) 0) :pattern ((f i)) :qid |no negatives| :weight 2)))
(assert (=> inner (= (f 3) 3)))
(set-info :status sat)
(check-sat)
