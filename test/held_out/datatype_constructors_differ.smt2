; answers: unsat
(declare-datatypes ((Answer 0)) (((yes) (no) (maybe (odds Real)))))
(declare-const a Answer)
(assert (not (or (= a yes) (= a no) ((_ is maybe) a))))
(set-info :status unsat)
(check-sat)
