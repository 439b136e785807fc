; answers: unsat
; A text with a letter in it is no number, so that -1 comes out.
(assert (>= (str.to_int "4x2") 0))
(set-info :status unsat)
(check-sat)
