; answers: sat unsat
; Modulo 256 the inverse of 3 is 171, and there is no other.
(set-logic QF_BV)
(declare-const inverse (_ BitVec 8))
(assert (= (bvmul inverse #x03) #x01))
(set-info :status sat)
(check-sat)
(assert (distinct inverse (_ bv171 8)))
(set-info :status unsat)
(check-sat)
