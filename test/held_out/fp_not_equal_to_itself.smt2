; answers: sat unsat
(set-logic QF_FP)
(declare-const x Float32)
(assert (not (fp.eq x x)))
(set-info :status sat)
(check-sat)
(assert (not (fp.isNaN x)))
(set-info :status unsat)
(check-sat)
