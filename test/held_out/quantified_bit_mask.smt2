; answers: sat
; Some mask hides every nibble below it.
(declare-const mask (_ BitVec 4))
(assert (forall ((x (_ BitVec 4))) (= (bvand x mask) x)))
(set-info :status sat)
(check-sat)
