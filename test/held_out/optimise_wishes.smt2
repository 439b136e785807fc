; answers: sat
; objective: evening 4
; The wish that costs 4 gives way to those of 3 and 2.
(declare-const cinema Bool)
(declare-const dinner Bool)
(declare-const walk Bool)
(assert (=> cinema (not dinner)))
(assert (=> cinema (not walk)))
(assert-soft cinema :weight 4 :id evening)
(assert-soft dinner :weight 3 :id evening)
(assert-soft walk :weight 2 :id evening)
(set-info :status sat)
(check-sat)
