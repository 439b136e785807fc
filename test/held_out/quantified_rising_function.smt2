; answers: unsat
(declare-fun rank (Int) Int)
(assert (forall ((i Int)) (! (< (rank i) (rank (+ i 1))) :pattern ((rank i)))))
(assert (>= (rank 3) (rank 5)))
(set-info :status unsat)
(check-sat)
