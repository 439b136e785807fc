; answers: unsat
; core: start size
(declare-const code String)
(assert (! (str.prefixof "long-" code) :named start))
(assert (! (<= (str.len code) 4) :named size))
(assert (! (not (str.contains code "x")) :named letters))
(set-info :status unsat)
(check-sat)
