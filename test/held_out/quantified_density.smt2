; answers: unsat
; Between two different reals there is a third.
(assert (not (forall ((a Real) (b Real)) (=> (< a b) (exists ((c Real)) (and (< a c) (< c b)))))))
(set-info :status unsat)
(check-sat)
