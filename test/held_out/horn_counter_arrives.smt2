; answers: unsat
; The same counter does show 10.
(set-logic HORN)
(declare-fun reached (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (reached n))))
(assert (forall ((n Int) (m Int)) (=> (and (reached n) (< n 10) (= m (+ n 2))) (reached m))))
(assert (forall ((n Int)) (=> (and (reached n) (= n 10)) false)))
(set-info :status unsat)
(check-sat)
