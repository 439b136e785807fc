; answers: unsat sat
; A name goes with its scope: `item` is a number first and a truth value afterwards.
(push)
(declare-const item Int)
(assert (and (< item 1) (> item 0)))
(set-info :status unsat)
(check-sat)
(pop)
(push)
(declare-const item Bool)
(assert (or item (not item)))
(set-info :status sat)
(check-sat)
(pop)
