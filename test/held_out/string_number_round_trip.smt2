; answers: sat
(declare-const shown String)
(declare-const n Int)
(assert (= n (str.to_int shown)))
(assert (= (+ n 1) 43))
(assert (= shown (str.from_int n)))
(set-info :status sat)
(check-sat)
