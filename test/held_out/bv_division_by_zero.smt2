; answers: unsat
; Dividing by zero gives all ones, and the rest is what was divided.
(set-logic QF_BV)
(declare-const n (_ BitVec 5))
(assert (not (and (= (bvudiv n #b00000) #b11111) (= (bvurem n #b00000) n))))
(set-info :status unsat)
(check-sat)
