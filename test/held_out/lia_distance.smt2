; answers: sat
(declare-const here Int)
(declare-const there Int)
(assert (= (abs (- here there)) 12))
(assert (= (+ here there) (- 2)))
(set-info :status sat)
(check-sat)
