/** Random functions of the prover's fragment, as text, with inputs to call them with. */
import fc from "fast-check";
import type { PythonValue } from "../../src/tools/symbolic/prover/inputs.ts";
import { randomValue } from "../../src/tools/symbolic/prover/inputs.ts";
import type { Type } from "../../src/tools/symbolic/prover/values.ts";
import { sequence_tests, sequence_values, sequenceChanges, sequenceInts } from "./sequences.ts";

export interface RandomProgram {
  readonly code: string;
  readonly inputs: readonly (readonly PythonValue[])[];
}

type Below = (bound: number) => number;

const parameters: readonly { readonly name: string; readonly annotation: string; readonly type: Type }[] = [
  { name: "a", annotation: "int", type: { kind: "int" } },
  { name: "b", annotation: "int", type: { kind: "int" } },
  { name: "p", annotation: "bool", type: { kind: "bool" } },
  { name: "xs", annotation: "list[int]", type: { kind: "list", item: { kind: "int" }, view: "whole" } },
  { name: "s", annotation: "str", type: { kind: "str", item: { kind: "int" }, view: "whole" } },
  { name: "x", annotation: "float", type: { kind: "float" } },
  { name: "t", annotation: "tuple[int, bool]", type: { kind: "tuple", items: [{ kind: "int" }, { kind: "bool" }] } },
];

/** Programs with a few inputs each. */
export const programs: fc.Arbitrary<RandomProgram> = fc.gen().map((g) => {
  const below: Below = (bound) => g(fc.nat, { max: bound - 1 });
  const lines = new Writer(below).function();
  const inputs = Array.from({ length: 6 }, () => parameters.map(({ type }) => randomValue(type, below)));
  return { code: lines.join("\n"), inputs };
});

/** Writes one function; names that may be unbound are used too, since that has a meaning. */
class Writer {
  readonly #below: Below;
  #loops = 0;
  #names = 0;

  constructor(below: Below) {
    this.#below = below;
  }

  function(): string[] {
    const head = parameters.map(({ name, annotation }) => `${name}: ${annotation}`).join(", ");
    const helper = [
      "def h(n: int, m: int = 2) -> int:",
      "    if n < 0:",
      "        raise KeyError",
      "    return n // m",
    ];
    const start = ["    if p and not p:", "        i = w = 0", "    u = 0", "    v = a", "    ys = []"];
    return [...helper, `def f(${head}):`, ...start, ...this.#block(1, 0), `    return ${this.#any(2)}`];
  }

  #pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.#below(items.length)] ?? items[0];
  }

  #block(depth: number, loops: number): string[] {
    const pad = "    ".repeat(depth);
    const lines = Array.from({ length: 1 + this.#below(3) }, () => this.#statement(depth, loops)).flat();
    return lines.length > 0 ? lines : [`${pad}pass`];
  }

  #statement(depth: number, loops: number): string[] {
    const pad = "    ".repeat(depth);
    const deep = depth > 3;
    const choice = this.#below(deep ? 9 : 16);
    const inside = () => this.#block(depth + 1, loops);
    switch (choice) {
      case 0:
      case 1:
        return [`${pad}${this.#pick(["u", "v", "w"])} = ${this.#int(2)}`];
      case 2:
        return [`${pad}${this.#pick(["u", "v", "w"])} ${this.#pick(["+=", "-=", "*=", "//=", "%="])} ${this.#int(1)}`];
      case 3:
        return [`${pad}${this.#pick(sequenceChanges(this.#int(1)))}`];
      case 4:
        return [`${pad}u, v = ${this.#int(1)}, ${this.#int(1)}`];
      case 5:
        return [`${pad}return ${this.#any(2)}`];
      case 6:
        return [`${pad}${this.#pick(["raise ValueError", "raise KeyError('k')", `assert ${this.#test(1)}`, "pass"])}`];
      case 7:
        return loops > 0
          ? [`${pad}if ${this.#test(1)}:`, `${pad}    ${this.#pick(["break", "continue"])}`]
          : [`${pad}q = ${this.#test(2)}`];
      case 8:
        return [`${pad}ys[${this.#int(1)}] = ${this.#int(1)}`];
      case 9:
      case 10:
        return [`${pad}if ${this.#test(2)}:`, ...inside()];
      case 11:
        return [`${pad}if ${this.#test(2)}:`, ...inside(), `${pad}else:`, ...inside()];
      case 12: {
        const error = this.#pick([
          "ValueError",
          "ZeroDivisionError",
          "(IndexError, KeyError)",
          "LookupError",
          "Exception",
        ]);
        const last = this.#below(3) === 0 ? [`${pad}else:`, ...inside()] : [];
        return [`${pad}try:`, ...inside(), `${pad}except ${error}:`, ...inside(), ...last];
      }
      default:
        return loops > 1 ? [`${pad}u = ${this.#int(2)}`] : this.#loop(depth, loops);
    }
  }

  #loop(depth: number, loops: number): string[] {
    const pad = "    ".repeat(depth);
    const body = this.#block(depth + 1, loops + 1);
    const last = this.#below(4) === 0 ? [`${pad}else:`, ...this.#block(depth + 1, loops)] : [];
    if (this.#below(4) === 0) {
      const counter = `n${this.#loops++}`;
      const step = `${pad}    ${counter} += 1`;
      return [
        `${pad}${counter} = 0`,
        `${pad}while ${counter} < ${this.#pick(["3", "len(xs)", "4"])} and ${this.#test(1)}:`,
        step,
        ...body,
        ...last,
      ];
    }
    const heads = [
      "i in range(a)",
      "i in range(1, len(xs))",
      "i in range(b, -2, -2)",
      "i in xs",
      "i in xs[1:]",
      "i in reversed(xs)",
      "(i, w) in enumerate(xs)",
      "(i, w) in zip(xs, range(b))",
      "i in range(3)",
      "i in (1, a, b)",
    ] as const;
    return [`${pad}for ${this.#pick(heads)}:`, ...body, ...last];
  }

  #any(depth: number): string {
    switch (this.#below(8)) {
      case 0:
        return this.#test(depth);
      case 1:
        return "ys";
      case 2:
        return `(${this.#int(1)}, ${this.#test(1)})`;
      case 3:
        return this.#float(depth);
      case 4:
        return this.#list();
      case 5:
        return `(${this.#pick(["None", "s", "u"])} if ${this.#test(1)} else ${this.#int(1)})`;
      default:
        return this.#int(depth);
    }
  }

  #list(): string {
    const name = `c${this.#names++}`;
    return this.#pick([
      `[${name} * 2 for ${name} in xs]`,
      `[${name} for ${name} in xs if ${name} > b]`,
      `[${name} // a for ${name} in xs]`,
      "xs[1:]",
      "xs[::-1]",
      "xs[a:b]",
      "list(range(b))",
      `[(${name}, u) for ${name} in xs]`,
      this.#pick(sequence_values),
    ]);
  }

  #float(depth: number): string {
    if (depth <= 0) return this.#pick(["x", "0.5", "-0.0", "1.5", "x"]);
    const [l, r] = [this.#float(depth - 1), this.#float(depth - 1)];
    return this.#pick([
      `(${l} + ${r})`,
      `(${l} - ${r})`,
      `(${l} * ${r})`,
      `(${l} / ${r})`,
      `-${l}`,
      `abs(${l})`,
      `max(${l}, ${r})`,
      `min(${l}, ${r})`,
      `(${l} if ${this.#test(0)} else ${r})`,
    ]);
  }

  #int(depth: number): string {
    if (depth <= 0) return this.#pick(["a", "b", "u", "v", "w", "i", "0", "1", "2", "-3", "7", "p", "t[0]", "len(xs)"]);
    const [l, r] = [this.#int(depth - 1), this.#int(depth - 1)];
    const name = `c${this.#names++}`;
    return this.#pick([
      `(${l} + ${r})`,
      `(${l} - ${r})`,
      `(${l} * ${r})`,
      `(${l} // ${r})`,
      `(${l} % ${r})`,
      `(${l} & 7)`,
      `(${l} >> 1)`,
      `(-${l})`,
      `(~${l})`,
      `(${l}) ** 2`,
      `abs(${l})`,
      `min(${l}, ${r})`,
      `max(${l}, ${r}, 0)`,
      `xs[${l}]`,
      `ys[${l}]`,
      `(${l} if ${this.#test(0)} else ${r})`,
      `(${l} or ${r})`,
      `(${l} and ${r})`,
      "sum(xs)",
      "len(ys)",
      "len(s)",
      "max(xs)",
      `sum(${name} * ${name} for ${name} in xs)`,
      `sum(1 for ${name} in xs if ${name} > ${r})`,
      `min(${name} - b for ${name} in xs)`,
      `h(${l})`,
      `h(${l}, m=${r})`,
      `int(${this.#test(0)})`,
      `divmod(${l}, ${r})[1]`,
      "xs[1:][0]",
      "ord(s[0])",
      this.#pick(sequenceInts(r)),
      this.#pick(sequenceInts(r)),
    ]);
  }

  #test(depth: number): string {
    const [l, r] = [this.#int(Math.max(0, depth - 1)), this.#int(Math.max(0, depth - 1))];
    const compare = `${l} ${this.#pick(["<", "<=", "==", "!=", ">", ">="])} ${r}`;
    if (depth <= 0) return this.#pick([compare, "p", "t[1]", "not p", "xs"]);
    const [c, d] = [this.#test(depth - 1), this.#test(depth - 1)];
    const name = `c${this.#names++}`;
    return this.#pick([
      compare,
      `(${c} and ${d})`,
      `(${c} or ${d})`,
      `(not (${c}))`,
      `${l} < ${r} <= ${this.#int(0)}`,
      `any(${name} > ${r} for ${name} in xs)`,
      `all(${name} % 3 != 1 for ${name} in xs)`,
      `${r} in xs`,
      `${r} in (1, 2, a)`,
      `x < ${this.#pick(["0", "1.5", "x"])}`,
      `(${l}, p) == (${r}, True)`,
      `(${l}, ${r}) < t`,
      "s == 'a'",
      this.#pick(sequence_tests),
      this.#pick(sequence_tests),
      "isinstance(u, bool)",
      `(u if ${c} else None) is None`,
    ]);
  }
}
