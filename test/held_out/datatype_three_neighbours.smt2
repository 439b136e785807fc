; answers: sat unsat
; Two colours are too few for three neighbours, three are enough.
(declare-datatype Colour ((red) (green) (blue)))
(declare-const x Colour)
(declare-const y Colour)
(declare-const z Colour)
(assert (distinct x y z))
(set-info :status sat)
(check-sat)
(assert (and (distinct x blue) (distinct y blue) (distinct z blue)))
(set-info :status unsat)
(check-sat)
