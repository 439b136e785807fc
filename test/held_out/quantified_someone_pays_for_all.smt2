; answers: unsat
; Somewhere is a guest such that, if that guest pays, everyone pays.
(declare-sort Guest 0)
(declare-fun pays (Guest) Bool)
(assert (not (exists ((g Guest)) (=> (pays g) (forall ((h Guest)) (pays h))))))
(set-info :status unsat)
(check-sat)
