; answers: sat
(set-info :smt-lib-version 2.7)
(set-info :source |
A text over several lines ( with an open bracket,
; what looks like a comment, and "half a string.
(check-sat)
|)
(set-info :category "crafted")
(set-info :license "none ""needed""")
(set-info :status sat)
(set-logic ALL)
(declare-const b Bool)
(assert (xor b true))
(check-sat)
