; answers: sat
(declare-const head (Seq Int))
(declare-const tail (Seq Int))
(assert (= (seq.++ head tail) (seq.++ (seq.unit 4) (seq.unit 5) (seq.unit 6))))
(assert (= (seq.len tail) 2))
(set-info :status sat)
(check-sat)
