; answers: sat
; Brackets matter: (a + b) + c differs from a + (b + c) already in half precision.
(set-logic QF_FP)
(declare-const c Float16)
(define-fun a () Float16 ((_ to_fp 5 11) RNE 1024.0))
(define-fun b () Float16 ((_ to_fp 5 11) RNE 0.5))
(assert (= c ((_ to_fp 5 11) RNE 0.5)))
(assert (not (fp.eq (fp.add RNE (fp.add RNE a b) c) (fp.add RNE a (fp.add RNE b c)))))
(set-info :status sat)
(check-sat)
