; answers: unsat
; A line break inside of a string is a letter of it; so is the ; that follows.
(assert (not (= (str.len "one
; two (") 11)))
(set-info :status unsat)
(check-sat)
