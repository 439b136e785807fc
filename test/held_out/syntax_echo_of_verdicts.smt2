; answers: sat
(declare-const p Bool)
(echo "unsat")
(assert (or p (not p)))
(set-info :status sat)
(check-sat)
(echo "unsat")
(echo "unknown ""(error ""line 1 column 1: not one"")""")
