; answers: sat
(declare-const s (Seq (_ BitVec 2)))
(assert (seq.contains s (seq.++ (seq.unit #b01) (seq.unit #b10))))
(assert (seq.prefixof (seq.unit #b11) s))
(assert (= (seq.len s) 3))
(set-info :status sat)
(check-sat)
