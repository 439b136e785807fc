; answers: sat
; objective: (+ (* 2.0 oats) (* 3.0 hay)) 21
; Cover both needs at the least price. Corners (oats, hay): (0,8) costs 24, (2,6) 22, (6,3) 21.
(declare-const oats Real)
(declare-const hay Real)
(assert (<= 0 oats 6))
(assert (>= hay 0))
(assert (>= (+ oats hay) 8))
(assert (>= (+ (* 3.0 oats) (* 4.0 hay)) 30.0))
(minimize (+ (* 2.0 oats) (* 3.0 hay)))
(set-info :status sat)
(check-sat)
