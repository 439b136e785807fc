; answers: sat
; objective: comfort 1
; objective: price 2
; Comfort comes first: a gives way to b there, and then c can't be had.
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(assert (or (not a) (not b)))
(assert (=> c (and a b)))
(assert-soft a :weight 1 :id comfort)
(assert-soft b :weight 2 :id comfort)
(assert-soft c :weight 2 :id price)
(set-info :status sat)
(check-sat)
