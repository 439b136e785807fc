; answers: sat
(set-info :status sat)
(declare-const n Int)
(assert (< 6 n 8))
(get-value (n))
