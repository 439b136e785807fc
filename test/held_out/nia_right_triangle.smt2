; answers: sat
; Whole sides with a perimeter of 30: 5, 12, 13.
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (and (< 0 a b c) (= (+ a b c) 30)))
(assert (= (+ (* a a) (* b b)) (* c c)))
(set-info :status sat)
(check-sat)
