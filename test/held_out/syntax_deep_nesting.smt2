; answers: unsat
(declare-const p Bool)
(declare-const q Bool)
(assert (not (=> (and p q) (or q (and q (or p (and p (or q (and q (or p (and p (or q (and q (or p (and p (or q
  (and q (or p (and p (or q (and q (or p (and p (or q (and q (or p (and p (or q (and q p))))))))))))))))))))))))))
  )))
(set-info :status unsat)
(check-sat)
