; answers: unsat
(declare-datatypes ((Both 2)) ((par (A B) ((both (left A) (right B))))))
(declare-const p (Both Int Bool))
(declare-const q (Both Int Bool))
(assert (= (left p) (left q)))
(assert (= (right p) (right q)))
(assert (not (= p q)))
(set-info :status unsat)
(check-sat)
