; answers: sat
(declare-const note String)
(assert (= note "(check-sat) (assert false) unsat ; (exit)"))
(assert (str.contains note "(assert false)"))
(set-info :status sat)
(check-sat)
