; answers: unsat
(set-logic QF_BV)
(declare-const r (_ BitVec 12))
(assert (distinct r ((_ rotate_left 5) ((_ rotate_right 3) ((_ rotate_right 2) r)))))
(set-info :status unsat)
(check-sat)
