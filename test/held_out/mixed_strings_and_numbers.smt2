; answers: sat
(declare-const name String)
(declare-const id Int)
(declare-const label String)
(assert (= label (str.++ name "#" (str.from_int id))))
(assert (= label "unit#17"))
(set-info :status sat)
(check-sat)
