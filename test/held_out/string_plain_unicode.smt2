; answers: unsat
; A letter beyond ASCII is one letter, whatever its encoding.
(declare-const menu String)
(assert (= menu "crème brûlée ≤ 🍮"))
(assert (not (= (str.len menu) 16)))
(set-info :status unsat)
(check-sat)
