; answers: sat
(define-sort Byte () (_ BitVec 8))
(define-sort Table (T) (Array Byte T))
(declare-const squares (Table Int))
(declare-const i Byte)
(assert (= (select squares i) 49))
(assert (= i #x07))
(set-info :status sat)
(check-sat)
