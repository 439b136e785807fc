; answers: unsat
(declare-const x Int)
(assert (> (* 2 x) 9))
(assert (< (* 3 x) 14))
(minimize x)
(set-info :status unsat)
(check-sat)
