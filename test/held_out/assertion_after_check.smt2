; answers: sat
; What comes after the last check has no part in its answer.
(declare-const p Bool)
(assert p)
(set-info :status sat)
(check-sat)
(assert (not p))
