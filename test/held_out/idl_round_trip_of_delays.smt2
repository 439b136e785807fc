; answers: unsat
; core: wash rinse dry
; Rinsing 4 after washing, drying 5 after rinsing, and washing within 8 before drying: one too many.
(set-logic QF_IDL)
(declare-const w Int)
(declare-const r Int)
(declare-const d Int)
(declare-const door Int)
(assert (! (>= (- r w) 4) :named wash))
(assert (! (>= (- d r) 5) :named rinse))
(assert (! (<= (- d w) 8) :named dry))
(assert (! (>= (- door d) 1) :named open_door))
(assert (! (<= (- door w) 60) :named same_hour))
(set-info :status unsat)
(check-sat)
