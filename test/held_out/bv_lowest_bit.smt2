; answers: unsat
; x & -x has at most one bit set: taking one away leaves nothing in common.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(define-fun low () (_ BitVec 16) (bvand x (bvneg x)))
(assert (not (= (bvand low (bvsub low #x0001)) #x0000)))
(set-info :status unsat)
(check-sat)
