; answers: sat
(set-logic QF_SLIA)
(declare-const first String)
(declare-const last String)
(assert (= (str.++ first "-" last) "ab-cd-ef"))
(assert (= (str.len first) 5))
(set-info :status sat)
(check-sat)
