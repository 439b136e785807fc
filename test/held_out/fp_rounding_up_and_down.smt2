; answers: sat
(set-logic QF_FP)
(declare-const low Float16)
(declare-const high Float16)
(assert (= low (fp.div RTN ((_ to_fp 5 11) RNE 1.0) ((_ to_fp 5 11) RNE 3.0))))
(assert (= high (fp.div RTP ((_ to_fp 5 11) RNE 1.0) ((_ to_fp 5 11) RNE 3.0))))
(assert (fp.lt low high))
(set-info :status sat)
(check-sat)
