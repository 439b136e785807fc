; answers: sat
; Two letters, a dash, one to three digits that don't begin with zero.
(declare-const plate String)
(define-fun letter () RegLan (re.range "A" "Z"))
(define-fun digit () RegLan (re.range "0" "9"))
(assert (str.in_re plate
  (re.++ letter letter (str.to_re "-") (re.range "1" "9") ((_ re.loop 0 2) digit))))
(assert (str.suffixof "42" plate))
(assert (= (str.len plate) 6))
(set-info :status sat)
(check-sat)
