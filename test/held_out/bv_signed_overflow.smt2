; answers: sat
; The sum of two positive bytes may be negative.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (bvsgt x #x00))
(assert (bvsgt y #x00))
(assert (bvslt (bvadd x y) #x00))
(set-info :status sat)
(check-sat)
