; answers: sat
(set-option :produce-models true)
(declare-const n Int)
(assert (= (* 3 n) 12))
(set-info :status sat)
(check-sat)
(get-model)
(get-value (n (+ n 1)))
(get-info :reason-unknown)
