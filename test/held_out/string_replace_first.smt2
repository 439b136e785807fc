; answers: unsat
; Only the first hit is replaced.
(assert (not (= (str.replace "moon" "o" "a") "maon")))
(set-info :status unsat)
(check-sat)
