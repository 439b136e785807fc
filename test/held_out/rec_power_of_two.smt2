; answers: sat
(define-fun-rec power ((n Int)) Int (ite (<= n 0) 1 (* 2 (power (- n 1)))))
(declare-const n Int)
(assert (<= 0 n 8))
(assert (= (power n) 32))
(set-info :status sat)
(check-sat)
