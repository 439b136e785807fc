; answers: sat
; Ten litres at 30 percent out of 20 and 50 percent.
(set-logic QF_LRA)
(declare-const weak Real)
(declare-const strong Real)
(assert (= (+ weak strong) 10.0))
(assert (= (+ (* 0.2 weak) (* 0.5 strong)) 3.0))
(assert (> strong 3.3))
(set-info :status sat)
(check-sat)
