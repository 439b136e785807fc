; answers: sat unsat
; At most 7 aboard, at least two passengers, and the heavy one (5) travels.
(declare-const five Bool)
(declare-const three Bool)
(declare-const two Bool)
(assert ((_ pble 7 5 3 2) five three two))
(assert ((_ at-least 2) five three two))
(assert five)
(set-info :status sat)
(check-sat)
(assert three)
(set-info :status unsat)
(check-sat)
