; answers: sat
(declare-datatype Shape ((circle (radius Int)) (box (wide Int) (high Int)) (dot)))
(define-fun room ((s Shape)) Int
  (match s (((circle r) (* 3 r r)) ((box w h) (* w h)) (dot 0))))
(declare-const s Shape)
(assert (not ((_ is circle) s)))
(assert (= (room s) 7))
(assert (> (wide s) 1))
(assert (> (high s) 0))
(set-info :status sat)
(check-sat)
