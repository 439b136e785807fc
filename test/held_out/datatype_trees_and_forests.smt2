; answers: sat unsat
; Two kinds that are built from each other.
(declare-datatypes ((Tree 0) (Forest 0))
  (((node (label Int) (children Forest)))
   ((none) (more (one Tree) (others Forest)))))
(declare-const t Tree)
(assert ((_ is more) (children t)))
(assert (= (label t) (+ 1 (label (one (children t))))))
(set-info :status sat)
(check-sat)
(assert (= t (one (children t))))
(set-info :status unsat)
(check-sat)
