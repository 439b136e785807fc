; answers: unsat
; Three steps lead back and four steps lead back, so one step does.
(set-logic QF_UF)
(declare-sort Place 0)
(declare-fun step (Place) Place)
(declare-const home Place)
(assert (= (step (step (step home))) home))
(assert (= (step (step (step (step home)))) home))
(assert (not (= (step home) home)))
(set-info :status unsat)
(check-sat)
