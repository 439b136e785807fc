; answers: unsat
; A text twice in a row has an even number of letters.
(declare-const half String)
(assert (= (str.++ half half) "tictactic"))
(set-info :status unsat)
(check-sat)
