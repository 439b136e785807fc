/**
 * Small functions under contracts of icontract, as text: `f` and `g`, which differ in little or nothing, and what they
 * call. What `f` asks of its arguments is also written as a function of its own, for CPython to tell which calls count.
 */
import fc from "fast-check";
import type { PythonValue } from "../../src/prover/inputs.ts";
import { inputsFor, type Parameter, parameters } from "./program_inputs.ts";

export interface Contracted {
  /** Defines `f` and `g`, and what they call. */
  readonly code: string;
  /** Defines `owed`, which decides whether arguments satisfy what `f` and its callees require. */
  readonly owed: string;
  readonly inputs: readonly (readonly PythonValue[])[];
}

type Below = (bound: number) => number;

export const contracted: fc.Arbitrary<Contracted> = fc.gen().map((g) => {
  const below: Below = (bound) => g(fc.nat, { max: Math.max(0, bound - 1) });
  return new Writer(below).program();
});

const inputs_max = 40;

/** Conditions on parameters of these names; R is the result. */
const conditions: readonly string[] = [
  "n >= 0",
  "n > m",
  "n != 3",
  "n",
  "n % 2 == 0",
  "10 // n > 0",
  "n != 0 and 10 // n > 2",
  "n < 0 or m // n >= 0",
  "0 <= n < 10",
  "n > 0 and 10 // m < n < 8",
  "m >= 0 if n > 0 else True",
  "len(xs) > 0",
  "xs",
  "xs and xs[0] > 0",
  "xs[0] > n",
  "all(x > 0 for x in xs)",
  "not any(x == n for x in xs)",
  "n in xs",
  "sum(xs) >= 0",
  "len(xs) < N",
  "o is None or o > 0",
  "o",
  "o > 0",
  "x >= 0",
  "x == x",
  "1 / x > 0",
  "s",
  "len(s) > 1 and s[1] != s[0]",
  "s < 'b'",
  "b",
  "not b or n > 0",
  "k(n)",
  "k(n) > 1",
  "n > 0 and k(n) > 1",
  "True",
];
const promises: readonly string[] = [
  "R >= 0",
  "R > n",
  "R == n",
  "R is not None",
  "R != 3 and 10 // R >= 0",
  "R",
  "R is None or R >= m",
  "R in xs or n < 0",
  "R == k(n)",
  "True",
];
const bodies: readonly string[] = [
  "return n + 1",
  "return n * n",
  "return 10 // n",
  "return len(xs)",
  "return xs[0]",
  "return xs[n]",
  "return abs(n)",
  "if n < 0:\n    raise ValueError\nreturn n",
  "if n > 2:\n    return n\nreturn None",
  "n = n + 1\nreturn n",
  "t = n\nassert t != 1\nreturn t",
  "t = 0\nfor x in xs:\n    t += x\nreturn t",
  "if n < 0:\n    raise RuntimeError\nreturn 2",
  "return m",
];
const classes = [
  "AssertionError",
  "RuntimeError",
  "Exception",
  "ValueError",
  "(RuntimeError, AssertionError)",
] as const;
const changes: readonly (readonly [RegExp, string])[] = [
  [/> 0/, ">= 0"],
  [/>= 0/, "> 0"],
  [/n \+ 1/, "n + 2"],
  [/!= 3/, "!= 4"],
  [/AssertionError/, "RuntimeError"],
  [/return t/, "return t + 0"],
  [/, h\(/, ", k("],
  [/\bm\)$/m, "0)"],
];

class Writer {
  readonly #below: Below;
  #own: readonly Parameter[] = [];

  constructor(below: Below) {
    this.#below = below;
  }

  program(): Contracted {
    const helpers = [this.#function("k", ["n"], []), this.#function("h", this.#names(), ["k"])];
    const [k, h] = helpers;
    if (!k || !h) throw new Error("two helpers are two");
    this.#own = this.#drawn();
    const names = this.#own.map(({ name }) => name);
    const rows = this.#chance(2) ? this.#calling(names, h) : this.#body(names);
    const f = this.#function("f", names, ["k"], rows);
    const head = "import icontract\nfrom icontract import ensure, require\nN = 3\n";
    const shared = `${head}${k.text}${h.text}`;
    const g = this.#changed(f.text.replace("def f(", "def g("));
    const asked = [...f.asked.toReversed(), ...f.asserted].map((each) => `    if not (${each}): return False\n`);
    const code = `${shared}${f.text}${g}`;
    return {
      code,
      owed: `${shared}def owed(${this.#signature(names)}) -> bool:\n${asked.join("")}    return True\n`,
      inputs: inputsFor(this.#own, code, inputs_max, this.#below),
    };
  }

  #one<Item>(items: readonly Item[]): Item {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error("nothing to draw from");
    return item;
  }

  #chance(of: number): boolean {
    return this.#below(of) === 0;
  }

  #drawn(): Parameter[] {
    const known = parameters.filter(({ name }) => ["n", "m", "xs", "o", "x", "s", "b"].includes(name));
    const others = known.filter(({ name }) => name !== "n");
    const more = Array.from({ length: this.#below(3) }, () => this.#one(others));
    return known.filter((each) => each.name === "n" || more.includes(each));
  }

  #names(): string[] {
    return this.#drawn().map(({ name }) => name);
  }

  #signature(names: readonly string[]): string {
    return names
      .flatMap((name) => parameters.find((each) => each.name === name) ?? [])
      .map(({ name, annotation }) => `${name}: ${annotation}`)
      .join(", ");
  }

  /** Those that mention only these names. */
  #about(texts: readonly string[], names: readonly string[], callable: readonly string[]): string[] {
    return texts.filter((text) => {
      const bare = text.replaceAll(/'\w+'/g, "").replaceAll(/\bfor x in/g, "");
      const used = text.includes("for x in") ? bare.replaceAll(/\bx\b/g, "") : bare;
      const read = [...used.matchAll(/\b(n|m|xs|o|x|s|b)\b/g)].map(([name]) => name);
      return read.every((name) => names.includes(name)) && (!used.includes("k(") || callable.includes("k"));
    });
  }

  #function(name: string, names: readonly string[], callable: readonly string[], rows = this.#body(names)) {
    const possible = this.#about(conditions, names, callable);
    const some = (max: number, texts: readonly string[]) =>
      Array.from({ length: this.#below(max + 1) }, () => this.#one(texts));
    const asked = some(2, possible);
    const promised = some(1, this.#about(promises, names, callable)).map((each) => each.replaceAll("R", "result"));
    const asserted = name === "f" ? some(1, possible) : [];
    const asking = asked.map((each) => this.#decorator("require", each, names));
    const promising = promised.map((each) => this.#decorator("ensure", each, [...names, "result"]));
    const decorators = this.#chance(2) ? [...asking, ...promising] : [...promising, ...asking];
    const body = [...asserted.map((each) => `assert ${each}`), rows].join("\n").replace(/^/gm, "    ");
    const answer = this.#one(["int", "int", "int | None"]);
    const text = `${decorators.join("")}def ${name}(${this.#signature(names)}) -> ${answer}:\n${body}\n`;
    return { text, asked, asserted, names };
  }

  #decorator(kind: string, condition: string, names: readonly string[]): string {
    const inside = condition
      .replaceAll(/'\w+'/g, "")
      .replaceAll(/x > 0 for x in|x == n for x in/g, (each) => (each.includes("n") ? "n" : ""));
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(inside) || this.#chance(8));
    const parameters = this.#chance(2) ? used : used.toReversed();
    const mark = this.#chance(150) ? ", /" : "";
    const lambda = `lambda${parameters.length > 0 ? " " : ""}${parameters.join(", ")}${parameters.length > 0 ? mark : ""}: ${condition}`;
    const written = this.#chance(3) ? `icontract.${kind}` : kind;
    return this.#one([
      `@${written}(${lambda})\n`,
      `@${written}(${lambda})\n`,
      `@${written}(${lambda}, "told so")\n`,
      `@${written}(\n    ${lambda},\n    "told so",\n)\n`,
      this.#chance(30) ? `@ ${written}(${lambda})\n` : `@${written}(${lambda})\n# a remark\n`,
    ]);
  }

  #body(names: readonly string[]): string {
    return this.#one(this.#about(bodies, names, []));
  }

  /** Calls `h`, and does something about what it raises. */
  #calling(names: readonly string[], h: { names: readonly string[] }): string {
    const spare: Readonly<Record<string, readonly string[]>> = {
      n: ["n", "n", "n + 1", "-n", "abs(n)", "3"],
      m: ["n", "1", "n * n"],
      xs: ["[n]", "[]", "[1, n]"],
      o: ["None", "n"],
      x: ["0.5", "0.0", "-1.5"],
      s: ["'a'", "''", "'ab'"],
      b: ["True", "n > 0"],
    };
    const args = h.names.map((name) =>
      names.includes(name) && this.#chance(2) ? name : this.#one(spare[name] ?? ["n"]),
    );
    const call = `h(${args.map((arg, i) => (this.#chance(6) && i === args.length - 1 ? `${h.names[i]}=${arg}` : arg)).join(", ")})`;
    const guard = this.#one(this.#about(conditions, names, []));
    const caught = this.#one(classes);
    const instead = this.#one(["return 0", "t = 1", "raise ValueError", "raise", "t = 1 // n", "return n"]);
    return this.#one([
      `return ${call}`,
      `t = ${call}\nreturn t`,
      `if ${guard}:\n    return ${call}\nreturn 0`,
      `t = 0\ntry:\n    t = ${call}\nexcept ${caught}:\n    ${instead}\nreturn t`,
      `try:\n    return ${call}\nexcept ${caught}:\n    ${instead}\nreturn 7`,
      `try:\n    t = ${call}\nexcept RuntimeError:\n    return 1\nexcept AssertionError:\n    ${instead}\nreturn 2`,
      `t = 0\nfor i in range(3):\n    t = ${call}\nreturn t`,
    ]);
  }

  #changed(text: string): string {
    const possible = changes.filter(([pattern]) => pattern.test(text));
    if (possible.length === 0 || this.#chance(3)) return text;
    const [pattern, by] = this.#one(possible);
    return text.replace(pattern, by);
  }
}
