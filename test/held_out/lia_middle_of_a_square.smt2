; answers: unsat
; In a magic square of 1 to 9 the middle is 5.
(set-logic QF_LIA)
(declare-fun a () Int) (declare-fun b () Int) (declare-fun c () Int)
(declare-fun d () Int) (declare-fun e () Int) (declare-fun f () Int)
(declare-fun g () Int) (declare-fun h () Int) (declare-fun i () Int)
(assert (= 15 (+ a b c) (+ d e f) (+ g h i) (+ a d g) (+ b e h) (+ c f i) (+ a e i) (+ c e g)))
(assert (not (= e 5)))
(set-info :status unsat)
(check-sat)
