; answers: unsat
; A script without a check is checked at its end.
(set-info :status unsat)
(declare-const n Int)
(assert (< n 0))
(assert (> n 0))
