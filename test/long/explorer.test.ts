import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import type { PythonValue } from "../../src/prover/inputs.ts";
import { Explored } from "../../src/tools/symbolic/replies.ts";
import { numbersFrom } from "../support/chance.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { held } from "../support/pinned.ts";
import { bool, int, text } from "../support/program_inputs.ts";
import { runInPython } from "../support/prover.ts";
import { privatePython, pythonData } from "../support/python.ts";

/** Another run has other programs; VERDICT_SEED repeats one. */
const seed = Number(process.env["VERDICT_SEED"] ?? Date.now() % 2 ** 31);
const programs = Number(process.env["VERDICT_PROGRAMS"] ?? 200);
const calls_max = 300;
const explore_s = 1.5;

const small = [0n, 1n, -1n, 2n, -2n, 3n, -3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, -7n, -8n, 100n, 255n, 256n];
const ints = [...small, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 64n, 10n ** 30n].map(int);
const bools = [true, false].map(bool);

/** What a parameter may be annotated with, and values that are tried for it. */
const parameters: Readonly<Record<string, { readonly annotation: string; readonly values: readonly PythonValue[] }>> = {
  x: { annotation: "int", values: ints },
  y: { annotation: "int", values: ints },
  b: { annotation: "bool", values: bools },
  s: { annotation: "str", values: ["", "a", "b", "ab", "ba", "ß", "aa", "abc", "\u{10ffff}", "aaa"].map(text) },
  o: { annotation: "Optional[int]", values: [{ type: "none" }, ...ints] },
  t: {
    annotation: "tuple[int, bool]",
    values: small.flatMap((each) => bools.map((flag): PythonValue => ({ type: "tuple", items: [int(each), flag] }))),
  },
};

type Below = (bound: number) => number;

/** Writes functions of a few parameters that an exploration can often come to the end of. */
class Writer {
  readonly #below: Below;
  readonly names: readonly string[];

  constructor(below: Below) {
    this.#below = below;
    this.names = Object.keys(parameters).filter(() => below(3) === 0);
    if (this.names.length === 0) this.names = ["x"];
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.#below(items.length)] ?? items[0];
  }

  int(depth: number): string {
    const leaf = this.pick([
      "0",
      "1",
      "2",
      "-1",
      "7",
      "10",
      "8",
      "9007199254740993",
      "u",
      ...this.#ints(),
      ...this.#ints(),
    ]);
    if (depth === 0) return leaf;
    const [a, b] = [() => this.int(depth - 1), () => this.test(depth - 1)];
    const more = [
      ...(this.names.includes("s") ? ["len(s)", `len(s[${a()}:])`] : []),
      ...(this.names.includes("t") ? ["t[0]", "t[-1]"] : []),
    ];
    return this.pick([
      leaf,
      ...more,
      `(${a()} ${this.pick(["+", "-", "*", "//", "%", "&", "|", "^"])} ${a()})`,
      `(${a()} ${this.pick(["//", "%", "&", "*"])} ${this.pick(["2", "3", "-2", "-3", "8"])})`,
      `(${a()} ${this.pick(["<<", ">>", "**"])} ${this.pick(["0", "1", "2", "3"])})`,
      `${this.pick(["abs", "-", "~"])}(${a()})`,
      `${this.pick(["max", "min"])}(${a()}, ${a()})`,
      `(${a()} if ${b()} else ${a()})`,
      `divmod(${a()}, ${a()})[${this.pick(["0", "1"])}]`,
      `(${a()} ${this.pick(["or", "and"])} ${a()})`,
      `(${b()} + ${a()})`,
    ]);
  }

  #ints(): string[] {
    return this.names.filter((name) => name === "x" || name === "y");
  }

  test(depth: number): string {
    const leaf = this.pick(["True", "False", ...(this.names.includes("b") ? ["b", "b", "b"] : [])]);
    if (depth === 0) return leaf;
    const [a, b] = [() => this.int(depth - 1), () => this.test(depth - 1)];
    const texts = ['(s == "a")', '(s < "ab")', "(s[0] == 'a')", "(s[:1] == 'b')", "('a' in s)", "(not s)"];
    const more = [
      ...(this.names.includes("s") ? texts : []),
      ...(this.names.includes("o") ? ["(o is None)", "(o is not None and o > 3)", `((o or 0) == ${a()})`] : []),
      ...(this.names.includes("t") ? ["t[1]", `(t == (${a()}, True))`, "(t < (3, False))"] : []),
    ];
    return this.pick([
      `(${a()} ${this.pick(["<", "<=", ">", ">=", "==", "!="])} ${a()})`,
      `(${a()} < ${a()} <= ${a()})`,
      `(${b()} ${this.pick(["and", "or", "=="])} ${b()})`,
      `(not ${b()})`,
      `(${a()} in (${a()}, ${a()}))`,
      `isinstance(${a()}, bool)`,
      ...more,
    ]);
  }

  block(depth: number, pad: string): string[] {
    const lines = Array.from({ length: 1 + this.#below(2) }, () => this.#statement(depth, pad)).flat();
    const last = this.pick(["int", "int", "test", "raise", "none"]);
    if (last === "raise") return [...lines, `${pad}raise ${this.pick(["ValueError", "KeyError(3)"])}`];
    return last === "none" ? lines : [...lines, `${pad}return ${last === "int" ? this.int(2) : this.test(2)}`];
  }

  #statement(depth: number, pad: string): string[] {
    const inside = () => this.block(depth - 1, `${pad}    `);
    switch (depth === 0 ? this.#below(2) : this.#below(7)) {
      case 0:
        return [`${pad}u = ${this.int(2)}`];
      case 1:
        return [`${pad}u ${this.pick(["+=", "-=", "*=", "//=", "%="])} ${this.int(1)}`];
      case 2:
        return [`${pad}for i in range(${this.pick(["2", "3"])}):`, `${pad}    u += i`, ...inside()];
      case 3:
        return [
          `${pad}try:`,
          ...inside(),
          `${pad}except ${this.pick(["ZeroDivisionError", "IndexError"])}:`,
          ...inside(),
        ];
      case 4:
        return [
          `${pad}match ${this.int(1)}:`,
          `${pad}  case 0 | 7:`,
          ...inside(),
          `${pad}  case k if k > 2:`,
          ...inside(),
        ];
      default:
        return [`${pad}if ${this.test(2)}:`, ...inside(), `${pad}else:`, ...inside()];
    }
  }
}

const changes: readonly (readonly [RegExp, string])[] = [
  [/<=/, "<"],
  [/\/\//, "%"],
  [/ \+ /, " - "],
  [/ 2\b/, " 3"],
  [/ and /, " or "],
  [/\bTrue\b/, "False"],
  [/\bx\b/, "y"],
  [/\bmax\b/, "min"],
  [/(?<!\*)\* 2\b/, "<< 1"],
  [/% 2\b/, "& 1"],
  [/% 8\b/, "& 7"],
  [/$^/, ""],
];

/** A text with f, and g that is f with one small change, and calls of both. */
function program(below: Below) {
  const writer = new Writer(below);
  const body = ["    u = 1", ...writer.block(2, "    ")].join("\n");
  const [from, to] = changes[below(changes.length)] ?? [/$^/, ""];
  const head = writer.names.map((name) => `${name}: ${parameters[name]?.annotation}`).join(", ");
  const code = `from typing import Optional\ndef f(${head}):\n${body}\ndef g(${head}):\n${body.replace(from, to)}\n`;
  const values = writer.names.map((name) => parameters[name]?.values ?? []);
  const inputs = Array.from({ length: calls_max }, () => values.map((each) => each[below(each.length)] ?? int(0n)));
  return { code, calls: inputs.flatMap((args) => ["f", "g"].map((name) => ({ function: name, args }))) };
}

describe.skipIf(!has_python)("the explorer, at length", () => {
  const engines = fixture(
    async () => new Engines(readConfig({}, { ...process.env, VERDICT_DATA: await pythonData() })),
  );

  async function claims(code: string, task: "compare" | "raises"): Promise<boolean> {
    const functions = task === "compare" ? ["f", "g"] : ["f"];
    const request = { task, functions, exception: task === "raises" ? "Exception" : null, seconds: explore_s };
    const job = new Deadline(20_000);
    const reply = await engines.python.run("explore", { items: [code], request }, job, () => {});
    if (reply === "expired" || reply.end.kind !== "result") throw new Error(`${JSON.stringify(reply)}\n${code}`);
    return Explored.parse(reply.end.result).claim;
  }

  it("claims nothing about random programs that a call in CPython refutes", async () => {
    const below = numbersFrom(seed);
    const all = Array.from({ length: programs }, () => program(below));
    const runs = await runInPython(all);
    const sum = { equal: 0, never: 0, open: 0 };
    for (const [i, { outcomes }] of runs.entries()) {
      const { code } = all[i] ?? { code: "" };
      const bare = outcomes.map((each) => each.replace(/,"line":\d+/, ""));
      const differ = bare.some((each, k) => k % 2 === 0 && each !== bare[k + 1]);
      const raised = bare.some((each, k) => k % 2 === 0 && each.startsWith('{"kind":"exception"'));
      const equal = await claims(code, "compare");
      const never = await claims(code, "raises");
      expect(equal && differ, `seed ${seed}: not equal\n${code}`).toBe(false);
      expect(never && raised, `seed ${seed}: raises\n${code}`).toBe(false);
      if (equal) sum.equal++;
      if (never) sum.never++;
      if (!equal && !never) sum.open++;
    }
    console.log("seed:", seed, "claims about random programs:", sum);
    expect(sum.equal + sum.never).toBeGreaterThan(programs / 10);
  });

  it("computes the value and the type that CPython gives, on pinned inputs", async () => {
    const answer = held((await privatePython()).python, seed, 10 * programs);
    console.log("held against CPython:", { ...answer, wrong: answer.wrong.length });
    expect(answer.wrong).toEqual([]);
    expect(answer.control).toBe(true);
    expect(answer.complete).toBeGreaterThan(programs / 2);
  });
});
