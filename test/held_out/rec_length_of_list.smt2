; answers: sat
(declare-datatype Row ((stop) (car (seats Int) (next Row))))
(define-fun-rec cars ((r Row)) Int (ite ((_ is stop) r) 0 (+ 1 (cars (next r)))))
(declare-const train Row)
(assert (= (cars train) 3))
(assert (= (seats train) 40))
(set-info :status sat)
(check-sat)
