; answers: sat
(declare-const out String)
(assert (= out (str.replace_all "1,2,3" "," ";")))
(assert (= (str.len out) 5))
(assert (not (str.contains out ",")))
(set-info :status sat)
(check-sat)
