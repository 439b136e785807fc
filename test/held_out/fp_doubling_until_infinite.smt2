; answers: sat
(set-logic QF_FP)
(declare-const x Float16)
(assert (not (fp.isInfinite x)))
(assert (fp.isPositive x))
(assert (fp.isInfinite (fp.add RNE x x)))
(set-info :status sat)
(check-sat)
