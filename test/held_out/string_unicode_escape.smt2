; answers: unsat
(assert (not (= (str.to_code "\u{e9}") 233)))
(set-info :status unsat)
(check-sat)
