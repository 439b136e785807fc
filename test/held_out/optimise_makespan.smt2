; answers: sat
; objective: finish 9
; Jobs of 2, 3, 4 and 7 minutes on two machines; those of 2 and 4 share none. No jobs take 8 together, so
; that 7+2 and 3+4 is the best.
(declare-const finish Int)
(define-fun minutes ((first Bool) (n Int)) Int (ite first n 0))
(declare-const j2 Bool)
(declare-const j3 Bool)
(declare-const j4 Bool)
(declare-const j7 Bool)
(assert (distinct j2 j4))
(define-fun load () Int (+ (minutes j2 2) (minutes j3 3) (minutes j4 4) (minutes j7 7)))
(assert (and (>= finish load) (>= finish (- 16 load))))
(minimize finish)
(set-info :status sat)
(check-sat)
