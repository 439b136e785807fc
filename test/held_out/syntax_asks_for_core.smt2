; answers: unsat
; core: one
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(assert (! (= 1 2) :named one))
(set-info :status unsat)
(check-sat)
(get-unsat-core)
(exit)
