; answers: sat
(define-const base Int 3)
(define-fun times ((a Int) (b Int)) Int (* a b))
(define-fun cubed ((a Int)) Int (times a (times a a)))
(declare-const n Int)
(assert (= (cubed base) (+ n (cubed 2))))
(assert (= n 19))
(set-info :status sat)
(check-sat)
