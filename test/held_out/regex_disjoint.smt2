; answers: unsat
; No word is in (ab)* and in (ba)+ at once.
(declare-const w String)
(assert (str.in_re w (re.* (str.to_re "ab"))))
(assert (str.in_re w (re.+ (str.to_re "ba"))))
(set-info :status unsat)
(check-sat)
