import type { Problem } from "./problem.ts";

/** Problems for the model tools; the first three come from the MCP-Solver paper (appendix A). */
export const modelProblems: readonly Problem[] = [
  {
    title: "The shortest round tour from Vienna through the capitals of all nine Austrian provinces, in km",
    kind: "model",
    language: "minizinc",
    items: [
      "int: n = 9;   % Vienna, St. Pölten, Eisenstadt, Linz, Graz, Klagenfurt, Salzburg, Innsbruck, Bregenz",
      `array[1..n, 1..n] of int: dist =
[|   0,  65,  60, 184, 195, 319, 299, 478, 631
 |  65,   0, 125, 119, 130, 254, 234, 413, 566
 |  60, 125,   0, 184, 157, 281, 261, 440, 593
 | 184, 119, 184,   0, 208, 252, 136, 315, 468
 | 195, 130, 157, 208,   0, 136, 280, 459, 629
 | 319, 254, 281, 252, 136,   0, 217, 391, 566
 | 299, 234, 261, 136, 280, 217,   0, 188, 343
 | 478, 413, 440, 315, 459, 391, 188,   0, 157
 | 631, 566, 593, 468, 629, 566, 343, 157,   0 |];`,
      "array[1..n] of var 1..n: tour;",
      'include "alldifferent.mzn";\nconstraint alldifferent(tour);',
      "constraint tour[1] = 1;",
      "var int: total_distance = sum(i in 1..n-1)(dist[tour[i], tour[i+1]]) + dist[tour[n], tour[1]];",
      "solve minimize total_distance;",
    ],
  },
  {
    title:
      "A job shop: seven jobs, each with one task on each of five machines; CP-SAT solves it, and another solver confirms",
    kind: "model",
    language: "minizinc",
    items: [
      `int: jobs = 7; int: machines = 5;
array[1..jobs, 1..machines] of 0..machines - 1: machine =   % of the tasks of each job, in their order
[|  0,  4,  1,  2,  3
 |  1,  2,  3,  0,  4
 |  0,  3,  2,  4,  1
 |  2,  0,  4,  1,  3
 |  3,  0,  2,  1,  4
 |  0,  4,  3,  2,  1
 |  0,  3,  1,  4,  2 |];
array[1..jobs, 1..machines] of int: time =
[| 25, 17,  9,  4, 21
 | 18, 29, 27,  7, 26
 |  4, 29, 19, 13, 18
 | 28, 30, 24, 19, 11
 | 14, 25, 15, 27, 14
 | 27, 20, 25, 24, 21
 | 27, 23, 21,  5, 17 |];`,
      `int: horizon = sum(time);
array[1..jobs, 1..machines] of var 0..horizon: start;
var 0..horizon: makespan;`,
      `constraint forall(j in 1..jobs, k in 1..machines - 1)(start[j, k] + time[j, k] <= start[j, k + 1]);
constraint forall(j in 1..jobs)(start[j, machines] + time[j, machines] <= makespan);`,
      `include "disjunctive.mzn";
constraint forall(m in 0..machines - 1)(disjunctive(
  [start[j, k] | j in 1..jobs, k in 1..machines where machine[j, k] = m],
  [time[j, k] | j in 1..jobs, k in 1..machines where machine[j, k] = m]));`,
      "solve minimize makespan;",
    ],
    options: { solver: "cp-sat", check: true },
  },
  {
    title: "Place 6 queens and 5 knights on a 6×6 board so that none attacks another; a knight may block a line",
    kind: "model",
    language: "pysat",
    items: [
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
    ],
  },
  {
    title: "Does register R3 of a small processor always hold the parity of R0? (sat = no, with a counterexample)",
    kind: "model",
    language: "z3",
    items: [
      `R0 = BitVec("R0", 8)
memory = Array("memory", BitVecSort(3), BitVecSort(8))`,
      `R1 = memory[Extract(2, 0, R0)]   # LOAD  R1, [R0]
R2 = R1 ^ R0                     # XOR   R2, R1, R0
R3 = R2 & 1                      # AND   R3, R2, #1`,
      `parity = BitVecVal(0, 1)
for bit in range(8):
    parity = parity ^ Extract(bit, bit, R0)`,
      `s = Solver()
s.add(Extract(0, 0, R3) != parity)   # the opposite of the property
export_solution(solver=s, variables={"R0": R0, "R1": R1, "R2": R2, "R3": R3, "parity": parity})`,
    ],
  },
  {
    title: "Plan: five talks, two rooms, and a list of constraints. Which of them conflict?",
    kind: "model",
    language: "z3",
    items: [
      "logic, sat, games, proofs, panel = Ints('logic sat games proofs panel')",
      "And([And(1 <= t, t <= 3) for t in (logic, sat, games, proofs, panel)])",
      "logic < sat",
      "sat < games",
      "proofs == logic",
      "panel > games",
      "Distinct(proofs, panel)",
    ],
  },
  {
    title: "Weigh wishes against each other: the cheapest set to give up (MaxSAT)",
    kind: "model",
    language: "pysat",
    items: [
      `from pysat.formula import WCNF
from pysat.examples.rc2 import RC2
ann, bob, eve = 1, 2, 3   # who comes on Friday
wishes = WCNF()`,
      `wishes.append([-ann, -bob])           # never both
wishes.append([ann, bob, eve])        # somebody must
wishes.append([ann], weight=4)
wishes.append([bob], weight=3)
wishes.append([-eve], weight=2)
wishes.append([-ann, eve], weight=1)`,
      `best = RC2(wishes)
model = best.compute()
export_solution({"satisfiable": model is not None, "cost": best.cost,
                 "ann": ann in model, "bob": bob in model, "eve": eve in model})`,
    ],
  },
  {
    title: "Default rules with exceptions: who can be sent to the roof, and at the lowest cost? (answer sets)",
    kind: "model",
    language: "asp",
    items: [
      "bird(tweety; pingu; otto). penguin(pingu). injured(otto). wage(tweety, 3; pingu, 1; otto, 2).",
      "flies(X) :- bird(X), not exempt(X).\nexempt(X) :- penguin(X).\nexempt(X) :- injured(X), not healed(X).",
      "{ healed(X) } :- injured(X).",
      "1 { sent(X) : flies(X) } 1.",
      "#minimize { W, X, wage : sent(X), wage(X, W) ; 2, X, cure : healed(X) }.",
    ],
  },
  {
    title:
      "Typical mistakes of a language model: each is rejected at once, with its line, and the model stays unchanged",
    kind: "model",
    language: "z3",
    items: ["x = Int('x')", "x ≤ 9", "import os", "x > 7", "x <= 9", "x % 2 == 0"],
  },
];
