; answers: unsat
(declare-const n Int)
(assert (< 3 n 4))
(set-info :status unsat)
(check-sat)
(exit)
(assert this is not even well-sorted)
(set-info :status sat)
(check-sat)
