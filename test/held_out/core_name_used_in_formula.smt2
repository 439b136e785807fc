; answers: unsat
; core: claim denial
; A name stands for its formula from then on.
(declare-const a Bool)
(declare-const b Bool)
(assert (! (or a b) :named claim))
(assert (! (not claim) :named denial))
(assert (! (or a (not b)) :named aside))
(set-info :status unsat)
(check-sat)
