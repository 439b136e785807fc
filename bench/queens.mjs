// 6 queens and 5 knights on a 6×6 board, as items of a `pysat` model.
export const knights = [
  `from itertools import combinations
from pysat.formula import CNF
from pysat.solvers import Glucose3
N = 6
squares = [(r, c) for r in range(N) for c in range(N)]
queen = {s: i + 1 for i, s in enumerate(squares)}
knight = {s: i + 1 + N * N for i, s in enumerate(squares)}
cnf = CNF()`,
  `for s in squares:
    cnf.append([-queen[s], -knight[s]])
cnf.extend(exactly_k(list(queen.values()), 6))
cnf.extend(exactly_k(list(knight.values()), 5))`,
  `def between(a, b):
    (r, c), (p, q) = a, b
    steps = max(abs(p - r), abs(q - c))
    if not (r == p or c == q or abs(p - r) == abs(q - c)):
        return None
    return [(r + (p - r) // steps * k, c + (q - c) // steps * k) for k in range(1, steps)]

for a, b in combinations(squares, 2):
    line = between(a, b)
    if line is not None:
        cnf.append([-queen[a], -queen[b]] + [knight[s] for s in line])`,
  `for (r, c), (p, q) in combinations(squares, 2):
    if {abs(p - r), abs(q - c)} == {1, 2}:
        a, b = (r, c), (p, q)
        for one, other in ((knight[a], knight[b]), (knight[a], queen[b]), (queen[a], knight[b])):
            cnf.append([-one, -other])`,
  `solver = Glucose3(bootstrap_with=cnf)
if solver.solve():
    true = set(solver.get_model())
    sign = lambda s: "Q" if queen[s] in true else "K" if knight[s] in true else "."
    export_solution({"satisfiable": True, "board": ["".join(sign((r, c)) for c in range(N)) for r in range(N)]})
else:
    export_solution({"satisfiable": False})`,
];
