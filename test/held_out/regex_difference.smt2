; answers: sat
(declare-const w String)
(assert (str.in_re w (re.diff ((_ re.^ 3) (re.range "a" "b")) (re.++ (str.to_re "a") re.all))))
(assert (not (str.suffixof "b" w)))
(set-info :status sat)
(check-sat)
