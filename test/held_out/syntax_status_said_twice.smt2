; answers: unsat
; The last word on the status counts.
(set-info :status sat)
(set-info :status unknown)
(set-info :status unsat)
(assert (and true false))
(check-sat)
