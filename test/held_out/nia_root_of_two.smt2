; answers: unsat
; No fraction with small parts squares to 2.
(declare-const p Int)
(declare-const q Int)
(assert (and (<= 1 p 30) (<= 1 q 20)))
(assert (= (* p p) (* 2 q q)))
(set-info :status unsat)
(check-sat)
