; answers: sat
(declare-const byte (_ BitVec 8))
(declare-const n Int)
(assert (= n (bv2nat byte)))
(assert (= (mod n 16) 11))
(assert (> n 240))
(set-info :status sat)
(check-sat)
