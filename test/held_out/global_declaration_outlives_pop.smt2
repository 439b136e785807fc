; answers: unsat sat
; builds: native
(set-option :global-declarations true)
(push 1)
(declare-const guest Int)
(define-fun doubled ((n Int)) Int (+ n n))
(assert (= (doubled guest) 5))
(set-info :status unsat)
(check-sat)
(pop 1)
(assert (= (doubled guest) 6))
(set-info :status sat)
(check-sat)
