; answers: sat
(declare-const a (Array Int Int))
(assert (< (select a 0) (select a 1) (select a 2)))
(assert (= (+ (select a 0) (select a 1) (select a 2)) 6))
(assert (> (select a 0) 0))
(set-info :status sat)
(check-sat)
