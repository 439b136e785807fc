; answers: unsat
(define-fun-rec rabbits ((month Int)) Int
  (ite (<= month 1) month (+ (rabbits (- month 1)) (rabbits (- month 2)))))
(assert (distinct (rabbits 9) 34))
(set-info :status unsat)
(check-sat)
