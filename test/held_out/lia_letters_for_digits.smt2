; answers: sat
; TO + GO = OUT
(set-logic QF_LIA)
(declare-const t Int)
(declare-const o Int)
(declare-const g Int)
(declare-const u Int)
(assert (and (<= 1 t 9) (<= 1 o 9) (<= 1 g 9) (<= 0 u 9)))
(assert (distinct t o g u))
(assert (= (+ (* 10 t) o (* 10 g) o) (+ (* 100 o) (* 10 u) t)))
(set-info :status sat)
(check-sat)
