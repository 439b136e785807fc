; answers: unsat
; [1] before and [2] after can't be the same sequence.
(declare-const s (Seq Int))
(assert (= (seq.++ (seq.unit 1) s) (seq.++ s (seq.unit 2))))
(assert (<= (seq.len s) 3))
(set-info :status unsat)
(check-sat)
