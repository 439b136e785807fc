; answers: sat unsat
; core: limit floor
; The name `limit` belongs to another formula once its scope is gone.
(declare-const n Int)
(assert (! (> n 50) :named floor))
(push)
(assert (! (< n 90) :named limit))
(set-info :status sat)
(check-sat)
(pop)
(push)
(assert (! (< n 40) :named limit))
(assert (! (distinct n 45) :named hole))
(set-info :status unsat)
(check-sat)
