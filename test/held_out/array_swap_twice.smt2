; answers: unsat
; Exchanging two cells twice brings everything back.
(set-logic QF_ALIA)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(define-fun swapped ((m (Array Int Int))) (Array Int Int)
  (store (store m i (select m j)) j (select m i)))
(assert (not (= a (swapped (swapped a)))))
(set-info :status unsat)
(check-sat)
