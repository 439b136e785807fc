; answers: sat unsat
; core: low high
; After a reset names and cores still work.
(declare-const t Int)
(assert (! (> t 0) :named low))
(set-info :status sat)
(check-sat)
(reset)
(declare-const t Int)
(assert (! (< t 10) :named low))
(assert (! (> t 20) :named high))
(assert (! (distinct t 12) :named twelve))
(assert (! (> t 5) :named above_five))
(set-info :status unsat)
(check-sat)
