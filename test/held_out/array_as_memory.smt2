; answers: unsat
; What is written big-endian and read back is the same word.
(set-logic QF_ABV)
(declare-const memory (Array (_ BitVec 8) (_ BitVec 4)))
(declare-const address (_ BitVec 8))
(declare-const word (_ BitVec 8))
(define-fun written () (Array (_ BitVec 8) (_ BitVec 4))
  (store (store memory address ((_ extract 7 4) word)) (bvadd address #x01) ((_ extract 3 0) word)))
(assert (distinct word (concat (select written address) (select written (bvadd address #x01)))))
(set-info :status unsat)
(check-sat)
