; answers: sat
; Exactly three of five bits are set, no two zeros are neighbours.
(set-logic QF_BV)
(declare-const m (_ BitVec 5))
(define-fun bit0 () (_ BitVec 3) ((_ zero_extend 2) ((_ extract 0 0) m)))
(define-fun bit1 () (_ BitVec 3) ((_ zero_extend 2) ((_ extract 1 1) m)))
(define-fun bit2 () (_ BitVec 3) ((_ zero_extend 2) ((_ extract 2 2) m)))
(define-fun bit3 () (_ BitVec 3) ((_ zero_extend 2) ((_ extract 3 3) m)))
(define-fun bit4 () (_ BitVec 3) ((_ zero_extend 2) ((_ extract 4 4) m)))
(assert (= #b011 (bvadd bit0 bit1 bit2 bit3 bit4)))
(assert (= #b11111 (bvor m (bvshl m #b00001) #b00001)))
(set-info :status sat)
(check-sat)
