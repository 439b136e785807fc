; answers: unsat
; The two zeros are equal as numbers and different as values.
(set-logic QF_FP)
(assert (not (and (fp.eq (_ +zero 8 24) (_ -zero 8 24)) (distinct (_ +zero 8 24) (_ -zero 8 24)))))
(set-info :status unsat)
(check-sat)
