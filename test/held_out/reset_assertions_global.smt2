; answers: unsat sat unsat
; builds: native
(set-option :global-declarations true)
(declare-const boxes Int)
(assert (= (* 2 boxes) 7))
(set-info :status unsat)
(check-sat)
(reset-assertions)
(assert (= (* 2 boxes) 8))
(set-info :status sat)
(check-sat)
(assert (not (= boxes 4)))
(set-info :status unsat)
(check-sat)
