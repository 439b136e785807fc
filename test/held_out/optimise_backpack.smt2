; answers: sat
; objective: worth 11
; Three things of weight 3, 4 and 5 and worth 4, 5 and 6; nine fit in: 4 and 5.
(declare-const stove Bool)
(declare-const tent Bool)
(declare-const rope Bool)
(declare-const worth Int)
(assert (<= (+ (ite stove 3 0) (ite tent 4 0) (ite rope 5 0)) 9))
(assert (= worth (+ (ite stove 4 0) (ite tent 5 0) (ite rope 6 0))))
(maximize worth)
(set-info :status sat)
(check-sat)
