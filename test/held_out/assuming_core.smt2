; answers: unsat
; core: weather trip rain picnic
(set-option :produce-unsat-cores true)
(declare-const rain Bool)
(declare-const picnic Bool)
(declare-const music Bool)
(declare-const dry Bool)
(assert (! (= dry (not rain)) :named weather))
(assert (! (=> picnic dry) :named trip))
(assert (! (or music picnic dry rain) :named something))
(set-info :status unsat)
(check-sat-assuming (rain music picnic))
