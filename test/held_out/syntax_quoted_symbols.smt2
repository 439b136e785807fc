; answers: sat
(declare-const |(check-sat)| Int)
(declare-const |a ; comment? no| Int)
(declare-const |a "string"? no| Int)
(declare-const |two
lines| Int)
(declare-const || Int)
(declare-const |σ ∈ Σ| Int)
(assert (< |(check-sat)| |a ; comment? no| |a "string"? no| |two
lines| || |σ ∈ Σ|))
(set-info :status sat)
(check-sat)
