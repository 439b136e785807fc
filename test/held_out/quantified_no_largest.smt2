; answers: unsat
(assert (exists ((top Int)) (forall ((n Int)) (<= n top))))
(set-info :status unsat)
(check-sat)
