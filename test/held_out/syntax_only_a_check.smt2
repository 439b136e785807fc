; answers: sat
(set-info :status sat)
(check-sat)
