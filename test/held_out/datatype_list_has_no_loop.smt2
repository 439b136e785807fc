; answers: unsat
(declare-datatype Chain ((end) (link (value Int) (rest Chain))))
(declare-const c Chain)
(declare-const d Chain)
(assert (= c (link 1 d)))
(assert (= d (link 2 c)))
(set-info :status unsat)
(check-sat)
