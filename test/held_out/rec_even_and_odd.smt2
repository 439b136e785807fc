; answers: unsat
(define-funs-rec ((paired ((n Int)) Bool) (single ((n Int)) Bool))
  ((ite (= n 0) true (single (- n 1)))
   (ite (= n 0) false (paired (- n 1)))))
(assert (or (paired 7) (single 6)))
(set-info :status unsat)
(check-sat)
