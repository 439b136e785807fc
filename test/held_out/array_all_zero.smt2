; answers: unsat
(declare-const k Int)
(define-fun zeros () (Array Int Int) ((as const (Array Int Int)) 0))
(assert (> k 100))
(assert (distinct 0 (select (store zeros 7 1) k)))
(set-info :status unsat)
(check-sat)
