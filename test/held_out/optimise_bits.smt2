; answers: sat
; objective: code 11
; The least odd byte above nine that is no multiple of three: 11.
(declare-const code (_ BitVec 8))
(assert (= ((_ extract 0 0) code) #b1))
(assert (bvugt code #x09))
(assert (distinct (bvurem code #x03) #x00))
(minimize code)
(set-info :status sat)
(check-sat)
