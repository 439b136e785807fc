; answers: sat
(declare-const old (Array Int Bool))
(declare-const new (Array Int Bool))
(assert (distinct old new))
(assert (= (select old 0) (select new 0)))
(assert (= (select old 1) (select new 1)))
(set-info :status sat)
(check-sat)
