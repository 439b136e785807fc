; answers: sat
; Numbers beyond 64 bits are exact.
(declare-const huge Int)
(assert (= (- huge 1) (* 123456789012345678901234567890 987654321098765432109876543210)))
(assert (= (mod huge 10) 1))
(set-info :status sat)
(check-sat)
