; answers: sat
; A board with a row and a column; one stone on the diagonal.
(declare-const board (Array Int (Array Int Bool)))
(declare-const row Int)
(declare-const column Int)
(assert (and (<= 0 row 2) (<= 0 column 2)))
(assert (select (select board row) column))
(assert (not (select (select board 0) 0)))
(assert (not (select (select board 2) 2)))
(assert (= row column))
(set-info :status sat)
(check-sat)
