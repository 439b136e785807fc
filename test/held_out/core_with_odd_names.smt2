; answers: unsat
; core: |a rule (of two)| |second; rule| |größer als "3"|
(declare-const x Int)
(declare-const y Int)
(assert (! (> (+ x y) 10) :named |a rule (of two)|))
(assert (! (< x 4) :named |second; rule|))
(assert (! (< y 4) :named |größer als "3"|))
(assert (! (> x (- 99)) :named |unused :named rule|))
(set-info :status unsat)
(check-sat)
