; answers: unsat
; All parts of a let are bound at once, so that x and y change places.
(declare-const x Int)
(declare-const y Int)
(assert (not (= (let ((x y) (y x)) (- x y)) (- y x))))
(set-info :status unsat)
(check-sat)
