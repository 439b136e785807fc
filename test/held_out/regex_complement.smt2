; answers: unsat
(declare-const w String)
(define-fun abc () RegLan (re.union (str.to_re "a") (str.to_re "b") (str.to_re "c")))
(assert (str.in_re w (re.++ abc abc)))
(assert (str.in_re w (re.comp (re.* abc))))
(set-info :status unsat)
(check-sat)
