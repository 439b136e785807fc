; answers: sat
; objective: depth (- 4)
(declare-const depth Int)
(assert (> (* 2 depth) (- 10)))
(minimize depth)
(set-info :status sat)
(check-sat)
