import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python, shareModels } from "../support/models.ts";
import { type Point, pysat_points, z3_points } from "../support/original_points.ts";

describe.skipIf(!has_python)("models that were written for the original mcp-solver", () => {
  const models = fixture(shareModels);

  async function run(language: string, { items, answer }: Point) {
    expect(await models.solve(language, items)).toMatchObject(answer);
  }

  it.each(z3_points)("run in z3: $point", (point) => run("z3", point));
  it.each(pysat_points)("run in pysat: $point", (point) => run("pysat", point));

  it("have helpers in z3 that mean what trying all values gives", async () => {
    const { output } = await models.solve("z3", [
      `from itertools import product
wrong = []
def holds(*constraints):
    s = Solver()
    s.add(*constraints)
    return s.check() == sat
def expect(name, case, found, wanted):
    if found != wanted:
        wrong.append((name, case, found, wanted))`,
      `a = Array('a', IntSort(), IntSort())
n = Int('n')
for size in range(4):
    for cells in product(range(2), repeat=size) if size < 3 else [(0, 1, 2), (0, 2, 1), (1, 1, 2), (2, 0, 0)]:
        known = [a[i] == v for i, v in enumerate(cells)]
        for given in (size, n):
            at = known + ([n == size] if given is n else [])
            case = (cells, given is n)
            expect('sorted', case, holds(array_is_sorted(a, given), *at), list(cells) == sorted(cells))
            expect('strictly', case, holds(array_is_sorted(a, given, strict=True), *at), all(x < y for x, y in zip(cells, cells[1:])))
            expect('distinct', case, holds(all_distinct(a, given), *at), len(set(cells)) == len(cells))
            expect('injective', case, holds(function_is_injective(a, given, 3), *at), len(set(cells)) == len(cells))
            expect('contains', case, holds(array_contains(a, given, 1), *at), 1 in cells)
            expect('surjective', case, holds(function_is_surjective(a, given, 2), *at), {0, 1} <= set(cells))
        expect('of a list', cells, holds(all_distinct([IntVal(v) for v in cells], size)), len(set(cells)) == len(cells))`,
      `k = Int('k')
for size in range(4):
    ps = [Bool(f'p{i}') for i in range(size)]
    for truths in product([False, True], repeat=size):
        known = [p == t for p, t in zip(ps, truths)]
        for bound in range(-1, size + 2):
            for given in (bound, k):
                at = known + ([k == bound] if given is k else [])
                case = (truths, bound, given is k)
                expect('exactly', case, holds(exactly_k(ps, given), *at), sum(truths) == bound)
                expect('at most', case, holds(at_most_k(ps, given), *at), sum(truths) <= bound)
                expect('at least', case, holds(at_least_k(ps, given), *at), sum(truths) >= bound)
                expect('not', case, holds(Not(exactly_k(ps, given)), *at), sum(truths) != bound)`,
      `for wanted in (1, 5, 8, 11):
    large = lambda subset: sum(subset) >= wanted
    found = smallest_subset_with_property([3, 1, 4, 2], large)
    sizes = [len(s) for s in ([], [4], [3, 4], [3, 4, 2], [3, 1, 4, 2]) if sum(s) >= wanted]
    expect('smallest', wanted, found and len(found), sizes[0] if sizes else None)
    def guided(subset):
        return sum(subset) >= wanted
    guided.candidate_subsets = [[3, 1, 4], [3, 1, 4, 2]]
    found = smallest_subset_with_property([3, 1, 4, 2], guided)
    expect('guided', wanted, found and len(found), sizes[0] if sizes else None)
print('wrong:', wrong)`,
      "export_solution(solver=(s := Solver()), variables={'wrong': len(wrong)})",
    ]);
    expect(output).toEqual(["wrong: []"]);
  });

  it("have helpers in pysat that mean what trying all values gives", async () => {
    const { output } = await models.solve("pysat", [
      `from itertools import product
from mcp_solver.pysat.constraints import *
from mcp_solver.pysat.templates import one_hot_encoding, add_cardinality_constraint, create_balanced_partitioning, dimacs_to_cnf
from mcp_solver.helpers import maxsat as hard
wrong = []
def expect(name, case, found, wanted):
    if found != wanted:
        wrong.append((name, case, found, wanted))
def holds(clauses, world):
    with Glucose3(bootstrap_with=[list(c) for c in clauses]) as s:
        return s.solve(assumptions=world)
def put(add, *arguments):
    wcnf = WCNF()
    add(wcnf, *arguments)
    return wcnf.hard
def built(kind, *arguments):
    return add_cardinality_constraint(CNF(), kind, *arguments).clauses`,
      `for size in range(1, 5):
    names = list(range(1, size + 1))
    for truths in product([False, True], repeat=size):
        world = [n if t else -n for n, t in zip(names, truths)]
        count = sum(truths)
        one = {'at most one': at_most_one, 'exclusive': mutually_exclusive}
        for name, make in one.items():
            expect(name, world, holds(make(names), world), count <= 1)
        for name, make in {'exactly one': exactly_one, 'one hot': one_hot_encoding}.items():
            expect(name, world, holds(make(names), world), count == 1)
        for k in range(-1, size + 2):
            case = (world, k)
            for make in (at_most_k(names, k), put(hard.at_most_k, names, k), built('atmost', names, k)):
                expect('at most', case, holds(make, world), count <= k)
            for make in (at_least_k(names, k), put(hard.at_least_k, names, k), built('atleast', names, k)):
                expect('at least', case, holds(make, world), count >= k)
            for make in (exactly_k(names, k), exactly_k(names, k).clauses, put(hard.exactly_k, names, k), built('exactly', names, k)):
                expect('exactly', case, holds(make, world), count == k)
            # A wish is broken for each clause that is; none is broken when the bound is kept.
            cost = lambda wishes: sum(w for clause, w in wishes if not any(l in world for l in clause))
            expect('soft at most', case, cost(soft_at_most_k(names, k, 3)) > 0, count > k)
            expect('soft at least', case, cost(soft_at_least_k(names, k, 3)) > 0, count < k)
            expect('soft exactly', case, cost(soft_exactly_k(names, k, 3)) > 0, count != k)`,
      `for world in product([1, -1], [2, -2], [3, -3]):
    c, t, e = [l > 0 for l in world]
    expect('implies', world, holds(implies(1, 2), list(world)), not c or t)
    expect('if then else', world, holds(if_then_else(1, 2, 3), list(world)), t if c else e)
    cost = lambda wishes: sum(w for clause, w in wishes if not any(l in world for l in clause))
    expect('soft implies', world, cost(soft_implies(1, 2, 4)), 0 if not c or t else 4)
    expect('soft if', world, cost(soft_if_then_else(1, 2, 3, 4)), 0 if (t if c else e) else 4)
    expect('soft clause', world, cost([soft_clause(1, 7)]), 0 if c else 7)
for size, parts in product(range(1, 6), (2, 3)):
    made = create_balanced_partitioning(list(range(1, size + 1)), parts)
    with Glucose3(bootstrap_with=made['formula']) as s:
        s.solve()
        true = set(s.get_model())
    where = [[j for j, v in enumerate(row) if v in true] for row in made['part_variables']]
    sizes = [sum([j] == w for w in where) for j in range(parts)]
    expect('partition', (size, parts), (all(len(w) == 1 for w in where), max(sizes) - min(sizes) <= 1), (True, True))
expect('dimacs', 'zeros', dimacs_to_cnf('c x\\np cnf 3 2\\n1 -2 0\\n2\\n3 0').clauses, [[1, -2], [2, 3]])
expect('dimacs', 'lines', dimacs_to_cnf('1 -2\\n2 3').clauses, [[1, -2], [2, 3]])
print('wrong:', wrong)
export_solution({'satisfiable': True})`,
    ]);
    expect(output).toEqual(["wrong: []"]);
  });
});
