; answers: unsat
; The rest is never negative: -7 = 2 * -4 + 1 and -7 = -2 * 4 + 1.
(assert (not (and (= (div (- 7) 2) (- 4)) (= (mod (- 7) 2) 1) (= (div (- 7) (- 2)) 4) (= (mod (- 7) (- 2)) 1))))
(set-info :status unsat)
(check-sat)
