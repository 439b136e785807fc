; answers: sat
; (assert false)
(declare-const p Bool) ; (check-sat) (set-info :status unsat) "
; ( ( ( |
(assert ; (not
  p ; ) "|"
)
;(pop 1) ))))
(set-info :status sat)
(check-sat) ; (assert (not p)) (check-sat)
; "(check-sat)
