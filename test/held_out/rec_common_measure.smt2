; answers: sat
(define-fun-rec measure ((a Int) (b Int)) Int (ite (= b 0) a (measure b (mod a b))))
(declare-const m Int)
(assert (= m (measure 48 36)))
(assert (= m 12))
(set-info :status sat)
(check-sat)
