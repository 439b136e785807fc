; answers: sat
(declare-datatypes ((Maybe 1)) ((par (T) ((nothing) (just (it T))))))
(declare-const whole (Maybe Int))
(declare-const truth (Maybe Bool))
(assert (distinct whole (as nothing (Maybe Int))))
(assert (> (it whole) 41))
(assert (= truth (as nothing (Maybe Bool))))
(set-info :status sat)
(check-sat)
