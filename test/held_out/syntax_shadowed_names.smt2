; answers: unsat
; The bound n is another one than the declared n.
(declare-const n Int)
(assert (= n 3))
(assert (not (forall ((n Int)) (=> (> n 4) (> n 3)))))
(set-info :status unsat)
(check-sat)
