; answers: sat
(declare-datatype Move ((move (from Int) (to Int))))
(declare-const game (Seq Move))
(assert (= (seq.len game) 2))
(assert (= (to (seq.nth game 0)) (from (seq.nth game 1))))
(assert (= (seq.nth game 0) (move 1 5)))
(assert (= (to (seq.nth game 1)) 9))
(set-info :status sat)
(check-sat)
