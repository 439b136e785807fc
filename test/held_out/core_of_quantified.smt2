; answers: unsat
; core: everyone someone_not
(declare-sort Seat 0)
(declare-fun taken (Seat) Bool)
(declare-const front Seat)
(assert (! (forall ((s Seat)) (taken s)) :named everyone))
(assert (! (exists ((s Seat)) (not (taken s))) :named someone_not))
(assert (! (taken front) :named first_row))
(set-info :status unsat)
(check-sat)
