; answers: unsat
; Equal in two cells and equal everywhere else: equal.
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (= (store (store a 1 0) 2 0) (store (store b 1 0) 2 0)))
(assert (= (select a 1) (select b 1)))
(assert (= (select a 2) (select b 2)))
(assert (distinct a b))
(set-info :status unsat)
(check-sat)
