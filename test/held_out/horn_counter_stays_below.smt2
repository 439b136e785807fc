; answers: sat
; A counter that steps by two from zero while below ten never shows 13.
(set-logic HORN)
(declare-fun reached (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (reached n))))
(assert (forall ((n Int) (m Int)) (=> (and (reached n) (< n 10) (= m (+ n 2))) (reached m))))
(assert (forall ((n Int)) (=> (and (reached n) (= n 13)) false)))
(set-info :status sat)
(check-sat)
