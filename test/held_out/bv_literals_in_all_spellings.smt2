; answers: unsat
(set-logic QF_BV)
(assert (not (and (= #xaF #xAf) (= #b10101111 #xaf) (= (_ bv175 8) #xaf) (= #x0a #b00001010))))
(set-info :status unsat)
(check-sat)
