; answers: unsat
(echo "(error ""line 3 column 7: this is only an echo"")")
(assert false)
(set-info :status unsat)
(check-sat)
(echo "(error ""this too"")")
(echo "unsupported")
