; answers: unsat
; core: taller shorter
(set-option :produce-unsat-cores true)
(declare-const kim Int)
(declare-const lee Int)
(assert (! (> kim 0) :named positive))
(assert (! (> kim (+ lee 2)) :named taller))
(assert (! (< lee 300) :named human))
(assert (! (< kim (+ lee 1)) :named shorter))
(assert (! (distinct kim 7) :named seven))
(set-info :status unsat)
(check-sat)
(get-unsat-core)
