; answers: unsat sat
(declare-const p Bool)
(declare-const q Bool)
(assert (or p q))
(set-info :status unsat)
(check-sat-assuming ((not p) (not q)))
(set-info :status sat)
(check-sat-assuming ())
