; answers: unsat
(declare-datatype Account ((account (owner Int) (money Int))))
(declare-const mine Account)
(define-fun richer () Account ((_ update-field money) mine (+ (money mine) 10)))
(assert (not (and (= (owner richer) (owner mine)) (= (- (money richer) (money mine)) 10))))
(set-info :status unsat)
(check-sat)
