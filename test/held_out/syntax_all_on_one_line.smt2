; answers: sat unsat
(declare-const a Int)(assert(> a 1))(set-info :status sat)(check-sat)(assert(not(> a 0)))(set-info :status unsat)(check-sat)
