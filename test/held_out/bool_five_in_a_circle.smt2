; answers: unsat
; A circle of five can't be painted in two colours.
(set-logic QF_UF)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(declare-const d Bool)
(declare-const e Bool)
(assert (and (distinct a b) (distinct b c) (distinct c d) (distinct d e) (distinct e a)))
(set-info :status unsat)
(check-sat)
