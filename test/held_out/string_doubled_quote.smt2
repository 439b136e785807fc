; answers: unsat
; say ""hi"" has eight letters: s a y blank " h i "
(assert (not (= (str.len "say ""hi""") 8)))
(set-info :status unsat)
(check-sat)
