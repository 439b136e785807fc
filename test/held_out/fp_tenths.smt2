; answers: unsat
; In double precision 0.1 + 0.2 is not 0.3.
(set-logic QF_FP)
(define-fun tenth () Float64 ((_ to_fp 11 53) RNE 0.1))
(define-fun fifth () Float64 ((_ to_fp 11 53) RNE 0.2))
(define-fun three () Float64 ((_ to_fp 11 53) RNE 0.3))
(assert (fp.eq (fp.add RNE tenth fifth) three))
(set-info :status unsat)
(check-sat)
