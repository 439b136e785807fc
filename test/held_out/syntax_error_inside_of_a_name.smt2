; answers: sat
(declare-const |a name
(error "line 1 column 1: that is no error")
over lines| Int)
(assert (= 5 |a name
(error "line 1 column 1: that is no error")
over lines|))
(set-info :status sat)
(check-sat)
(get-value (|a name
(error "line 1 column 1: that is no error")
over lines|))
