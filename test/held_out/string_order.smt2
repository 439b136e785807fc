; answers: sat unsat
; Between c and e there is one letter.
(declare-const between String)
(assert (str.< "c" between))
(assert (str.< between "e"))
(assert (= (str.len between) 1))
(set-info :status sat)
(check-sat)
(assert (not (= between "d")))
(set-info :status unsat)
(check-sat)
