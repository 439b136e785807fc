; answers: sat unsat
; Both ends are fixed; three letters are enough only when the ends overlap.
(declare-const word String)
(assert (str.prefixof "an" word))
(assert (str.suffixof "na" word))
(push)
(assert (= (str.len word) 3))
(set-info :status sat)
(check-sat)
(pop)
(assert (= (str.len word) 2))
(set-info :status unsat)
(check-sat)
