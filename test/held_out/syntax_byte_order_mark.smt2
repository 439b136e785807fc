; answers: unsat
(set-info :status unsat)
(declare-const a Bool)
(assert (= a (not a)))
(check-sat)
