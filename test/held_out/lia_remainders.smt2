; answers: sat unsat
; Left over in rows of 4: 3; of 5: 2; of 9: 7. Below 180 only 7 fits.
(set-logic QF_LIA)
(declare-const n Int)
(assert (and (<= 0 n) (< n 180)))
(assert (= (mod n 4) 3))
(assert (= (mod n 5) 2))
(assert (= (mod n 9) 7))
(set-info :status sat)
(check-sat)
(assert (distinct n 7))
(set-info :status unsat)
(check-sat)
