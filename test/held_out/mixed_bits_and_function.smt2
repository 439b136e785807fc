; answers: unsat
(set-logic QF_UFBV)
(declare-fun hash ((_ BitVec 8)) (_ BitVec 8))
(declare-const x (_ BitVec 8))
(assert (distinct (hash (bvmul x #x02)) (hash (bvshl x #x01))))
(set-info :status unsat)
(check-sat)
