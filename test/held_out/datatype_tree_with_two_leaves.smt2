; answers: sat
(declare-datatype Tree ((leaf (tag Int)) (fork (left Tree) (right Tree))))
(declare-const t Tree)
(assert ((_ is fork) t))
(assert ((_ is leaf) (left t)))
(assert (= (tag (left t)) 1))
(assert (= (right t) (fork (leaf 2) (left t))))
(set-info :status sat)
(check-sat)
