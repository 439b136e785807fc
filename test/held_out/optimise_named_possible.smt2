; answers: sat
; objective: (- high low) 6
(declare-const low Int)
(declare-const high Int)
(assert (! (>= low 2) :named bottom))
(assert (! (<= high 8) :named top))
(maximize (- high low))
(set-info :status sat)
(check-sat)
