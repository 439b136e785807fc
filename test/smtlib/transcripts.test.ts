import { describe, expect, it } from "vitest";
import { connect } from "../support/client.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { pythonData } from "../support/python.ts";

/**
 * The two transcripts of the MCP-Solver paper (its appendices A.2 and A.3), rewritten: the same problems, calls and
 * shape of code, item by item through a real client.
 */

const queens_and_knights = [
  `from pysat.formula import CNF
from pysat.solvers import Glucose3
from pysat.card import *
import itertools

rules = CNF()
size = 6
cells = [(row, column) for row in range(size) for column in range(size)]
next_number = 1
names = {}

def number(name):
    global next_number
    names[name] = next_number
    next_number += 1
    return names[name]

queen = {}   # by cell
knight = {}  # by cell
for row, column in cells:
    queen[(row, column)] = number(f"queen {row} {column}")
    knight[(row, column)] = number(f"knight {row} {column}")

for cell in cells:
    rules.append([-queen[cell], -knight[cell]])`,
  `# Six queens, five knights.
for clause in exactly_k([queen[cell] for cell in cells], 6):
    rules.append(clause)
for clause in exactly_k(list(knight.values()), 5):
    rules.append(clause)`,
  `JUMPS = [(a * down, b * right) for a, b in ((1, 2), (2, 1)) for down in (-1, 1) for right in (-1, 1)]

def in_line(one, other):
    down, right = other[0] - one[0], other[1] - one[1]
    return down == 0 or right == 0 or abs(down) == abs(right)

def between(one, other):
    """The cells strictly between two that are in line."""
    steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]))
    down, right = (other[0] - one[0]) // steps, (other[1] - one[1]) // steps
    return [(one[0] + i * down, one[1] + i * right) for i in range(1, steps)]`,
  `for one, other in itertools.combinations(cells, 2):
    if in_line(one, other):
        blockers = [knight[cell] for cell in between(one, other)]
        rules.append([-queen[one], -queen[other]] + blockers)`,
  `for row, column in cells:
    for down, right in JUMPS:
        other = (row + down, column + right)
        if 0 <= other[0] < size and 0 <= other[1] < size:
            rules.append([-knight[(row, column)], -queen[other]])
            if (row, column) < other:
                rules.append([-knight[(row, column)], -knight[other]])`,
  `solver = Glucose3()
solver.append_formula(rules)

if solver.solve():
    model = solver.get_model()
    board = [["." for _ in range(size)] for _ in range(size)]
    queens, knights = [], []
    for cell in cells:
        if queen[cell] in model:
            board[cell[0]][cell[1]] = "Q"
            queens.append(cell)
        elif knight[cell] in model:
            board[cell[0]][cell[1]] = "K"
            knights.append(cell)
    print("A placement was found")
    export_solution({"satisfiable": True, "board": ["".join(line) for line in board], "queens": queens, "knights": knights})
else:
    export_solution({"satisfiable": False, "message": "There is no placement"})

solver.delete()`,
];

/** The puzzle says that no queen threatens a knight either; the paper's model leaves that out. */
const queens_spare_no_knight = `for one, other in itertools.permutations(cells, 2):
    if in_line(one, other):
        pieces = [piece[cell] for cell in between(one, other) for piece in (queen, knight)]
        rules.append([-queen[one], -knight[other]] + pieces)`;

const parity_of_a_register = [
  `from z3 import *
from mcp_solver.z3 import export_solution

def machine():
    register = BitVec('R0', 8)
    memory = Array('memory', BitVecSort(3), BitVecSort(8))
    return register, memory`,
  `def run(R0, memory):
    R1 = Select(memory, Extract(2, 0, R0))
    zero = R1 == 0
    R2 = R1 ^ R0
    zero = R2 == 0
    R3 = R2 & BitVecVal(1, 8)
    zero = R3 == 0
    memory = Store(memory, Extract(2, 0, R0 + 1), R3)
    R2 = If(zero, R2 | 1, R2)
    return R1, R2, R3, zero`,
  `def parity_of(value):
    parity = BitVecVal(0, 1)
    for i in range(8):
        parity = parity ^ Extract(i, i, value)
    return parity`,
  `def verify():
    R0, memory = machine()
    R1, R2, R3, zero = run(R0, memory)
    holds = Extract(0, 0, R3) == parity_of(R0)
    solver = Solver()
    solver.add(Not(holds))
    flag = Bool('property_holds')
    result = solver.check()
    if result == sat:
        model = solver.model()
        address = model.evaluate(Extract(2, 0, R0), model_completion=True).as_long()
        start = model.evaluate(R0).as_long()
        print("The property does not hold")
        print(f"R0 = {start} ({format(start, '08b')})")
        print(f"memory[{address}] = {model.evaluate(Select(memory, address), model_completion=True).as_long()}")
        print(f"R3 = {model.evaluate(R3, model_completion=True).as_long()}")
        solver.add(flag == False)
        export_solution(solver=solver, variables={"property_holds": flag, "R0": R0, "memory": memory, "R3": R3})
        return False
    other = Solver()
    other.add(flag == True)
    export_solution(solver=other, variables={"property_holds": flag})
    return True`,
  `if __name__ == "__main__":
    if verify():
        print("CONCLUSION: it holds")
    else:
        print("CONCLUSION: it does not hold")`,
];

type Cell = readonly [number, number];

/** What breaks the rules of the paper's model, judged from the board alone. */
function brokenRules(board: readonly string[]): string[] {
  const at = ([row, column]: Cell) => board[row]?.[column] ?? "";
  const cells = board.flatMap((line, row) => [...line].map((_, column): Cell => [row, column]));
  const rays: Cell[] = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right): Cell => [down, right]));
  const jumps: Cell[] = [-2, -1, 1, 2].flatMap((down) =>
    [-2, -1, 1, 2].filter((right) => Math.abs(right) !== Math.abs(down)).map((right): Cell => [down, right]),
  );
  const firstAlong = ([row, column]: Cell, [down, right]: Cell): string => {
    for (let i = 1; ; i++) {
      const piece = at([row + i * down, column + i * right]);
      if (piece !== ".") return piece;
    }
  };
  return cells.flatMap((cell) => {
    if (at(cell) === "Q") {
      return rays
        .filter(([down, right]) => down !== 0 || right !== 0)
        .map((ray) => firstAlong(cell, ray))
        .filter((piece) => piece === "Q")
        .map((piece) => `the queen at ${cell} reaches ${piece}`);
    }
    if (at(cell) !== "K") return [];
    return jumps
      .map(([down, right]) => at([cell[0] + down, cell[1] + right]))
      .filter((piece) => piece === "Q" || piece === "K")
      .map((piece) => `the knight at ${cell} reaches ${piece}`);
  });
}

/** The five instructions, on numbers. */
function execute(r0: number, load: (address: number) => number) {
  const r1 = load(r0 & 7);
  const r2 = r1 ^ r0;
  const r3 = r2 & 1;
  return { r1, r2: r3 === 0 ? r2 | 1 : r2, r3 };
}

const parityOf = (value: number) => [...value.toString(2)].filter((bit) => bit === "1").length % 2;

describe.skipIf(!has_python)("the transcripts of the MCP-Solver paper, through a real client", () => {
  const connection = fixture(async () => connect({ env: { VERDICT_DATA: await pythonData() } }));

  async function call(name: string, args: Record<string, unknown> = {}) {
    const result = await connection.client.callTool({ name, arguments: args });
    return { isError: result.isError === true, ...Object(result.structuredContent) };
  }

  async function built(language: string, items: readonly string[]) {
    expect(await call("clear_model", { language })).toMatchObject({ status: "ok", message: "Model cleared" });
    for (const [index, item] of items.entries()) {
      expect(await call("add_item", { item })).toMatchObject({ isError: false, status: "ok", index });
    }
    expect(await call("get_model")).toMatchObject({ item_count: items.length });
  }

  it("A.2: six queens and five knights stand on a board of six by six, and none threatens another", async () => {
    await built("pysat", queens_and_knights);
    const answer: Record<string, unknown> = await call("solve_model", { timeout_ms: 150_000 });
    expect(answer).toMatchObject({
      status: "sat",
      satisfiable: true,
      success: true,
      output: ["A placement was found"],
    });
    const { board, queens, knights } = Object(answer.values);
    expect(board.join("").replaceAll(/[^QK]/g, "").split("").toSorted().join("")).toBe("KKKKKQQQQQQ");
    expect(brokenRules(board)).toEqual([]);
    expect([queens.length, knights.length]).toEqual([6, 5]);
    for (const [row, column] of queens) expect(board[row][column]).toBe("Q");
  });

  it("A.2, read to the letter, has no solution: each row has a queen, so no knight is safe", async () => {
    await built("pysat", queens_and_knights.toSpliced(4, 0, queens_spare_no_knight));
    expect(await call("solve_model", { timeout_ms: 150_000 })).toMatchObject({ status: "unsat", satisfiable: false });
  });

  it("would see a board that breaks the rules", () => {
    expect(brokenRules(["Q.Q", "...", "..."])).toHaveLength(2);
    expect(brokenRules(["QKQ", "...", "..."])).toEqual([]);
    expect(brokenRules(["Q..", "..K", "..."])).toEqual(["the knight at 1,2 reaches Q"]);
    expect(brokenRules(["...", "...", "..Q"])).toEqual([]);
  });

  it("A.3: R3 is not always the parity of R0, and the counterexample runs through the five instructions", async () => {
    await built("z3", parity_of_a_register);
    const answer: Record<string, unknown> = await call("solve_model");
    expect(answer).toMatchObject({ status: "sat", satisfiable: true, values: { property_holds: false } });
    expect(answer.output).toEqual(
      expect.arrayContaining(["The property does not hold", "CONCLUSION: it does not hold"]),
    );
    const { R0, R3, memory } = Object(answer.values);
    const replayed = execute(R0, (address) => memory[address] ?? memory.else);
    expect(replayed.r3).toBe(R3);
    expect(replayed.r3).not.toBe(parityOf(R0));
  });

  it.each([
    [
      "pysat",
      "for i in range(3):\n    if 0 ≤ i < 6:\n        print(i)",
      "write <= instead of ≤",
      { item: 0, line: 2, column: 10 },
    ],
    ["z3", "def mixed(a, b):\n    return a ↑ b", "write ^ instead of ↑", { item: 0, line: 2, column: 14 }],
    ["z3", "def machine():\n    %\n    return 1", "a comment begins with # in Python", { item: 0, line: 2 }],
    ["z3", "x = Int(’x’)", "write ' instead of ’", { item: 0, line: 1, column: 9 }],
    ["z3", "if True:\n    # only a comment was left here", "an item must contain complete statements", { item: 0 }],
    ["z3", "x = Int('x'\ns = Solver()", "(1) close the bracket that opens there; (2) correct", { item: 0, line: 1 }],
    ["z3", "for i in range(3):\nprint(i)", "(1) indent the lines that belong to this block", { item: 0, line: 2 }],
    ["z3", "  x = Int('x')", "start the item in the first column", { item: 0, line: 1 }],
  ])("says how to mend what typesetting did to code: %s, `%s`", async (language, item, remedy, position) => {
    await call("clear_model", { language });
    const fault: Record<string, unknown> = await call("add_item", { item });
    expect(fault).toMatchObject({ isError: true, status: "error", code: "syntax_error", position });
    expect(fault.remedy).toContain(remedy);
    expect(await call("get_model")).toMatchObject({ item_count: 0 });
  });
});
