/**
 * Pairs of small functions of the prover's fragment, as text. Each piece is drawn in two variants, and one function
 * uses the first variant where the other uses the second one: `for` and `while`, comprehension and append, flag and
 * early return. It is not known in advance which pairs are equal; CPython decides.
 */
import fc from "fast-check";
import type { PythonValue } from "../../src/prover/inputs.ts";
import { inputsFor, type Parameter, parameters } from "./program_inputs.ts";
import { sequence_tests, sequence_values, sequenceChanges, sequenceInts } from "./sequences.ts";

export interface ProgramPair {
  /** Defines `f` and `g`, and what they call. */
  readonly code: string;
  readonly inputs: readonly (readonly PythonValue[])[];
}

/** The text in `f`, and the text in `g`. */
type Two = readonly [string, string];
type Part = Two | string | number;
type Below = (bound: number) => number;

function two(texts: TemplateStringsArray, ...parts: readonly Part[]): Two {
  const side = (i: 0 | 1) =>
    texts.reduce((before, text, k) => {
      const part = parts[k - 1] ?? "";
      return `${before}${typeof part === "object" ? part[i] : part}${text}`;
    });
  return [side(0), side(1)];
}

function each(change: (text: string) => string, [a, b]: Two): Two {
  return [change(a), change(b)];
}

/** Lines one step further to the right. */
function inner(lines: Two): Two {
  return each((text) => text.replace(/^/gm, "    "), lines);
}

function lines(...parts: readonly Part[]): Two {
  const side = (i: 0 | 1) =>
    parts
      .map((part) => (typeof part === "object" ? part[i] : `${part}`))
      .filter((text) => text !== "")
      .join("\n");
  return [side(0), side(1)];
}

/** The number of inputs that are tried at most for each pair. */
export const inputs_max = 120;

export const pairs: fc.Arbitrary<ProgramPair> = fc.gen().map((g) => {
  const below: Below = (bound) => g(fc.nat, { max: Math.max(0, bound - 1) });
  return programPair(below);
});

/** Pairs of functions that change the list `zs` that they are given. */
export const changing_pairs: fc.Arbitrary<ProgramPair> = fc
  .gen()
  .map((g) => programPair((bound) => g(fc.nat, { max: Math.max(0, bound - 1) }), true));

/** One pair, from a source of random numbers below a bound. */
export function programPair(below: Below, is_changing = false): ProgramPair {
  const writer = new Writer(below, is_changing);
  const code = writer.functions();
  return { code, inputs: inputsFor(writer.parameters, code, inputs_max, below) };
}

const accumulators = ["t", "u"] as const;

/** What can be made of lists of other things, each in some ways; N is a whole number, and V a new name. */
const rich_uses: Readonly<Record<string, readonly (readonly string[])[]>> = {
  fs: [
    ["fs[N]"],
    ["max(fs)", "max(fs[::-1])", "max([V for V in fs])"],
    ["min(fs)", "-max([-V for V in fs])"],
    ["[V * 2 for V in fs]", "[V + V for V in fs]", "list(V * 2.0 for V in fs)"],
    ["any(V > 0.5 for V in fs)", "not all(not V > 0.5 for V in fs)", "not all(V <= 0.5 for V in fs)"],
    ["all(V == V for V in fs)", "True", "not any(V != V for V in fs)"],
    ["len([V for V in fs if V < 1])", "sum(1 for V in fs if V < 1)", "sum(1 for V in fs if not V >= 1)"],
    ["fs[1:] + [0.5]", "fs[1:len(fs)] + [0.5]"],
    ["sum(int(V) for V in fs)"],
    ["fs[0] < fs[1]", "not fs[0] >= fs[1]", "fs[1] > fs[0]"],
    ["fs == fs"],
    ["(fs[0] if fs else 0.0)", "(0.0 if not fs else fs[0])"],
  ],
  ss: [
    ["ss[N]"],
    ["sum(len(V) for V in ss)", "sum([len(V) for V in ss])"],
    ["[V + 'a' for V in ss]", "list(V + 'a' for V in ss)"],
    ["[len(V) for V in ss if V]", "[len(V) for V in ss if V != '']", "[len(V) for V in ss if len(V) > 0]"],
    ["any(V == 'a' for V in ss)", "not all(V != 'a' for V in ss)", "'a' in ss"],
    ["ss[0][N]"],
    ["ss[0] == ss[1]", "not ss[0] != ss[1]"],
    ["ss + ['b']"],
    ["ss == ['a']", "(len(ss) == 1 and ss[0] == 'a')"],
    ["max(len(V) for V in ss)", "max([len(V) for V in ss])"],
    ["ss[::-1][0]", "ss[-1]"],
    ["[V[::-1] for V in ss]"],
  ],
  ls: [
    ["ls[N]"],
    ["ls[N][0]"],
    ["sum(len(V) for V in ls)", "sum([len(V) for V in ls])", "sum(1 for V in ls for e in V)"],
    ["sum(sum(V) for V in ls)", "sum(e for V in ls for e in V)"],
    ["[V[::-1] for V in ls]"],
    ["[e for V in ls for e in V]"],
    ["[V[0] for V in ls if V]", "[V[0] for V in ls if len(V) > 0]", "[V[0] for V in ls]"],
    ["ls + [[1]]"],
    ["max(len(V) for V in ls)"],
    ["any(V == [2] for V in ls)", "[2] in ls", "not all(V != [2] for V in ls)"],
    ["ls[0] == ls[1]"],
    ["ls == [[2], []]"],
    ["[[N] for V in ls]", "[[N]] * len(ls)"],
  ],
  ds: [
    ["ds[N]"],
    ["ds.get(N, 0)", "(ds[N] if N in ds else 0)", "(0 if N not in ds else ds[N])"],
    ["ds.get(N)"],
    ["len(ds)", "len(list(ds))", "len(set(ds))", "sum(1 for V in ds)"],
    ["sum(ds)", "sum(V for V in ds.keys())", "sum(list(ds))"],
    ["sum(V for V in ds.values())", "sum(ds[V] for V in ds)", "sum(b for _, b in ds.items())"],
    ["[V for V in ds]", "list(ds)", "[a for a, b in ds.items()]"],
    ["sorted(ds)", "sorted(list(ds))", "sorted(set(ds))"],
    ["[(a, b) for a, b in ds.items()]", "[(V, ds[V]) for V in ds]"],
    ["max(ds)", "max(list(ds))"],
    ["{V: ds[V] for V in ds}", "dict(ds)", "ds.copy()", "{a: b for a, b in ds.items()}"],
    ["{V: N for V in ds if V > 0}"],
    ["{b: a for a, b in ds.items()}"],
    ["ds == {N: 1}", "(len(ds) == 1 and ds.get(N) == 1)"],
    ["ds == dict(ds)", "not ds != ds.copy()"],
    ["{V % 3 for V in ds}", "set(V % 3 for V in ds)"],
    ["(1 if ds else 0)", "(1 if len(ds) > 0 else 0)"],
    ["isinstance(ds, dict)"],
    ["(ds, N)"],
    ["[ds, {N: 1}]"],
    ["any(V == N for V in ds)", "N in ds", "N in ds.keys()", "N in list(ds)"],
  ],
  dt: [
    ["dt['ab']"],
    ["dt.get('a', N)", "(dt['a'] if 'a' in dt else N)"],
    ["sum(dt.get(V, 0) for V in ['a', 'b', ''])", "dt.get('a', 0) + dt.get('b', 0) + dt.get('', 0)"],
    ["[V for V in dt]"],
    ["[V + 'a' for V in dt if V]"],
    ["sum(len(V) for V in dt)"],
    ["{V: len(V) for V in dt}"],
    ["{V[:1] for V in dt}"],
    ["any(V == 'a' for V in dt)", "'a' in dt"],
    ["{V[::-1]: dt[V] for V in dt}"],
    ["len({V + 'a': 1 for V in dt})", "len(dt)"],
    ["dt == {'a': N}"],
    ["sum(dt[V] for V in dt if V[0] == 'a')"],
  ],
  es: [
    ["N in es", "any(V == N for V in sorted(es))", "not N not in es"],
    ["len(es)", "len(sorted(es))", "len(es.copy())"],
    ["sorted(es)", "sorted(set(es))"],
    ["es == {N}", "(len(es) == 1 and N in es)"],
    ["es <= {N, 1, 2}", "{N, 1, 2} >= es"],
    ["{1, N} < es", "es > {N, 1}"],
    ["es == set(sorted(es))"],
    ["set([N, 1, N])", "{N, 1}", "{1, N}"],
    ["len({N, 1, len(es)})"],
    ["(1 if es else 0)"],
    ["(es, {N})"],
    ["set(sorted(es)[1:])"],
    ["isinstance(es, set)"],
  ],
  lo: [
    ["[V for V in lo]", "[V for V in lo if True]"],
    ["(0 if lo is None else len([V for V in lo]))", "(len(lo) if lo is not None else 0)"],
    ["sum(V for V in lo)"],
    ["(sum(V for V in lo) if lo is None else N)", "(N if lo is not None else sum(lo))"],
    ["[V for V in (lo if lo is None or N else None)]"],
    ["(max(lo, default=0) if lo is None else N)"],
    ["([V for V in lo] if lo else [N])", "([N] if not lo else [V for V in lo])"],
    ["any(V == N for V in lo)", "not all(V != N for V in lo)"],
  ],
  od: [
    ["[V for V in od]", "[V for V in od.keys()]"],
    ["[a for a, b in od.items() if b]", "[V for V in od if od[V]]"],
    ["(N if od is None else sum(V for V in od.values()))", "(sum(od[V] for V in od) if od is not None else N)"],
    ["{a: b for a, b in od.items()}"],
    ["([V for V in od.keys()] if od is None else [N])", "([N] if od is not None else [V for V in od.keys()])"],
  ],
  ts: [
    ["ts[N]"],
    ["ts[N][1]"],
    ["sum(a * b for a, b in ts)", "sum(V[0] * V[1] for V in ts)", "sum(b * a for (a, b) in ts)"],
    ["[a for a, b in ts if b]", "[V[0] for V in ts if V[1] != 0]"],
    ["max(ts)", "max([V for V in ts])"],
    ["min(ts)"],
    ["any(a == b for a, b in ts)", "not all(a != b for a, b in ts)"],
    ["(N, 1) in ts", "any(V == (N, 1) for V in ts)"],
    ["[(b, a) for a, b in ts]", "[V[::-1] for V in ts]"],
    ["ts[0] < ts[1]", "not ts[0] >= ts[1]"],
    ["max(a for a, b in ts)", "max(ts)[0]"],
    ["sum(a // b for a, b in ts)"],
  ],
};

/** A comparison with its operands the other way round, and the one that holds where it does not. */
const swapped: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const negated: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": ">",
  "==": "!=",
  "!=": "==",
  ">": "<=",
  ">=": "<",
};

/** Writes one pair. Names that may be unbound are used too, since that has a meaning. */
class Writer {
  readonly #below: Below;
  readonly parameters: readonly Parameter[];
  /** Names of which each kind there are some by now. */
  readonly #names: Record<"int" | "bool" | "float" | "list" | "text", string[]> = {
    int: [],
    bool: [],
    float: [],
    list: [],
    text: [],
  };
  #count = 0;
  /** Lists made here, that may be changed. */
  #made: string[] = [];
  /** Whether a dict `cs` and a set `hs` are made here. */
  #maps = false;
  #helpers = new Map<string, string>();
  readonly #recursive: boolean;
  /** Whether most expressions raise nothing: of programs that raise at every turn little can be proved. */
  readonly #tame: boolean;

  readonly #is_changing: boolean;

  constructor(below: Below, is_changing = false) {
    this.#below = below;
    this.#is_changing = is_changing;
    this.#tame = below(5) > 1;
    this.#recursive = !is_changing && below(9) === 0;
    const pool = this.#recursive ? parameters.slice(0, 4) : parameters;
    const first = below(3) > 0 ? [parameters[below(4)]] : [];
    const rest = Array.from({ length: 1 + below(2) }, () => pool[below(pool.length)]);
    const drawn = [...new Set([...first, ...rest])].flatMap((one) => one ?? []);
    // While one parameter is changed, no other one may be a list.
    const scalars = drawn.filter(({ annotation }) => ["int", "bool", "str", "float"].includes(annotation));
    const lists = parameters.filter(({ name }) => name === "xs");
    const changed = lists.map((each): Parameter => ({ ...each, name: "zs", kind: "other" }));
    this.parameters = is_changing ? [...scalars.slice(0, 2), ...changed] : drawn.slice(0, 3);
    for (const { name, kind } of this.parameters) if (kind !== "other") this.#names[kind].push(name);
  }

  // ---- Chance.

  #pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.#below(items.length)] ?? items[0];
  }

  #draw<Item>(...ways: readonly [() => Item, ...(() => Item)[]]): Item {
    return this.#pick(ways)();
  }

  #chance(of: number): boolean {
    return this.#below(of) === 0;
  }

  #some(kind: "int" | "bool" | "float" | "list" | "text", otherwise: string): string {
    const names = this.#names[kind];
    return names[this.#below(names.length)] ?? otherwise;
  }

  #new(hint: string): string {
    return `${hint}${this.#count++}`;
  }

  /** One thing said in two ways. */
  #ways(first: Two, ...others: readonly Two[]): Two {
    const all = [first, ...others];
    const [a, b] = [this.#pick([first, ...others]), all[this.#below(all.length)] ?? first];
    return [a[0], b[1]];
  }

  // ---- Functions.

  functions(): string {
    const head = this.parameters.map((one) => this.#declared(one)).join(", ");
    const answer = this.#pick(["int", "int", "int", "bool", "list[int]", "float", "str", "int | None"]);
    const body = this.#recursive ? this.#recursion() : this.#body(answer);
    const inside = this.#chance(2) ? this.#nestedHelpers() : "";
    const written = (side: 0 | 1) => {
      const text = `${inside}${body[side]}`.replace(/^/gm, "    ");
      return `def ${side === 0 ? "f" : "g"}(${head}) -> ${answer}:\n${text}`;
    };
    const mutated = this.#chance(2) ? this.#mutated(written(1)) : written(1);
    return [...this.#helpers.values(), written(0), mutated].join("\n");
  }

  /** The helpers as functions inside of `f` and of `g`, which can read their variables. */
  #nestedHelpers(): string {
    const helpers = [...this.#helpers.values()];
    this.#helpers.clear();
    const outer = ["u", ...this.#names.int];
    return helpers
      .map((text) => (this.#chance(2) ? text.replace(/(?<=\n.*)\b[0-9]\b/, this.#some("int", "u")) : text))
      .map((text) => text.replace(/(?<=\n.*)k\n/, `k + ${outer[this.#below(outer.length)] ?? "u"}\n`))
      .map((text) =>
        this.#chance(2) ? text.replace(/^def (\w+)\(k: int\) -> \w+:\n +return /, "$1 = lambda k: ") : text,
      )
      .map((text) => `${text}\n`)
      .join("");
  }

  #declared({ name, annotation, defaults }: Parameter): string {
    return defaults !== undefined && name === this.parameters.at(-1)?.name && this.#chance(4)
      ? `${name}: ${annotation} = ${defaults}`
      : `${name}: ${annotation}`;
  }

  #body(answer: string): Two {
    const owed = this.#chance(4) ? this.#preconditions() : "";
    const start = this.#start();
    const size = this.#pick([0, 0, 1, 1, 1, 1, 2, 2, 2, 3]);
    const pieces = Array.from({ length: Math.max(1, size) }, () => (size === 0 ? this.#statement(2) : this.#piece()));
    if (this.#maps) {
      const changes = Array.from({ length: 2 + this.#below(3) }, () => this.#mapped(this.#pick(accumulators)));
      const end = two`return (t, cs, hs${this.#pick(["", ", list(cs)", ", sorted(hs)", ", list(cs.items())"])})`;
      return lines(owed, start, ...changes, ...pieces, this.#mapped("u"), this.#chance(3) ? this.#return(answer) : end);
    }
    const after = this.#chance(4) ? this.#statement(1) : "";
    const promise = this.#chance(5) ? two`assert ${this.#test(1)}` : "";
    return lines(owed, start, ...pieces, after, promise, this.#return(answer));
  }

  #preconditions(): Two {
    const one = (): Two => {
      const [n, xs] = [this.#some("int", "1"), this.#some("list", "[1]")];
      return this.#draw<Two>(
        () => two`assert ${n} ${this.#pick([">= 0", "> 0", "< 5", "!= 0"])}`,
        () => this.#ways(two`assert all(c >= 0 for c in ${xs})`, two`assert not any(c < 0 for c in ${xs})`),
        () => two`assert any(c ${this.#pick(["> 1", "== 2", "!= 0"])} for c in ${xs})`,
        () => this.#ways(two`assert len(${xs}) > 0`, two`assert ${xs}`),
        () => two`assert sum(${xs}) ${this.#pick([">", "<=", "=="])} ${this.#leaf()}`,
        () => two`assert ${this.#test(1)}`,
        () => two`assert ${this.#called(0)} ${this.#pick(["==", "<=", "!="])} ${this.#leaf()}`,
        () => two`assert ${n} > -2; assert ${this.#test(0)}`,
      );
    };
    return this.#chance(3) ? lines(one(), one()) : one();
  }

  #start(): Two {
    const parts = accumulators.map(
      (name) => two`${name} = ${this.#pick(["0", "0", "0", "1", "-1", "10", this.#some("int", "2")])}`,
    );
    this.#names.int.push(...accumulators);
    if (this.#is_changing) this.#made.push("zs");
    else if (this.#chance(2)) {
      this.#made.push("zs");
      parts.push(
        two`zs = ${this.#pick(["[]", "[]", "[0]", "[1, 2]", `${this.#some("list", "[1]")}[${this.#pick([":", "1:", "::-1"])}]`, `[0] * ${this.#chance(2) ? 3 : `len(${this.#some("list", "[1]")})`}`])}`,
      );
    }
    if (this.#chance(5)) {
      this.#maps = true;
      parts.push(two`cs = ${this.#pick(["{}", "{0: 1}", "{1: 2, 0: 3}", "dict()"])}`);
      parts.push(two`hs = ${this.#pick(["set()", "{0, 1}", `set(${this.#some("list", "[1, 2]")})`])}`);
    }
    if (this.#chance(3)) {
      this.#names.bool.push("ok");
      parts.push(two`ok = ${this.#pick(["True", "False"])}`);
    }
    return lines(...parts);
  }

  #return(answer: string): Two {
    switch (answer) {
      case "bool":
        return this.#ways(two`return bool(${this.#saved("test")})`, two`return not (not (${this.#saved("test")}))`);
      case "list[int]":
        return two`return ${this.#made.length > 0 && this.#chance(2) ? "zs" : this.#list(1)}`;
      case "float":
        return two`return ${this.#float(1)}`;
      case "str":
        return two`return ${this.#text(1)}`;
      case "int | None":
        return two`return ${this.#int(1)} if ${this.#test(0)} else None`;
      default:
        return this.#draw<Two>(
          () => two`return ${this.#some("int", "0")}`,
          () => two`return t`,
          () => two`return u`,
          () => two`return (t, u)`,
          () => two`return ${this.#int(2)}`,
          () => two`return t + u`,
          () => (this.#maps ? two`return (t, u, cs, hs)` : two`return (u, t)`),
          () => two`return (t, ${this.#any()})`,
          () => two`return (${this.#any()}, u)`,
        );
    }
  }

  #last: Two = ["", ""];
  /** The same test at both positions. */
  #saved(_: "test"): Two {
    if (this.#last[0] === "" || this.#chance(2)) this.#last = this.#test(2);
    return this.#last;
  }

  #any(): Two {
    return this.#draw<Two>(
      () => this.#int(1),
      () => this.#test(1),
      () => this.#list(1),
      () => this.#text(1),
      () => this.#float(1),
      () => two`(${this.#int(0)}, ${this.#test(0)})`,
      () => two`None`,
      () => this.#whole(this.#pick(sequence_values)),
    );
  }

  // ---- Recursion.

  #recursion(): Two {
    const self: Two = ["f", "g"];
    const others = this.parameters
      .slice(1)
      .map(({ name }) => `, ${name}`)
      .join("");
    const first = this.parameters[0];
    const [base, step] = [this.#leaf(), this.#pick(["+ 1", "+ n0", "* 2", "- 1", "+ 0", "", ""])];
    if (first?.kind === "list" && this.#chance(4)) {
      const xs = first.name;
      const more = two`${self}(${xs}[1:]${others})`;
      const added = this.#pick([`${xs}[0] + `, "1 + ", `(1 if ${xs}[0] > 0 else 0) + `, `max(0, ${xs}[0]) + `]);
      const recursive = this.#ways(
        two`if not ${xs}:\n    return ${base}\nreturn ${added}${more}`,
        two`if ${xs}:\n    return ${added}${more}\nreturn ${base}`,
        two`return ${added}${more} if len(${xs}) > 0 else ${base}`,
      );
      const again = added.replace(new RegExp(`${xs}\\[0\\]`, "g"), "x0");
      const loop = two`t = ${base}\nfor x0 in ${this.#pick([xs, `${xs}[::-1]`, `reversed(${xs})`])}:\n    t = ${again}t\nreturn t`;
      return this.#ways(recursive, recursive, loop);
    }
    const n = first?.kind === "int" ? first.name : this.#some("int", "3");
    const down = this.#pick([`${n} - 1`, `${n} - 1`, `${n} - 2`, `${n} // 2`, `${n} + 1`, n]);
    const args =
      first?.kind === "int" ? two`${down}${others}` : two`${this.parameters.map(({ name }) => name).join(", ")}`;
    const more = two`${self}(${args})`;
    const end = this.#pick([`${n} <= 0`, `${n} < 1`, `${n} == 0`, `${n} <= 1`]);
    const joined = step.replace("n0", n);
    const recursive = this.#ways(
      two`if ${end}:\n    return ${base}\nreturn ${more} ${joined}`,
      two`return ${base} if ${end} else ${more} ${joined}`,
      two`if not (${end}):\n    t = ${more}\n    return t ${joined}\nelse:\n    return ${base}`,
    );
    const loop = two`t = ${base}\nfor i in range(${this.#pick(["0", "1", "2"])}, ${n} + 1):\n    t = t ${step.replace("n0", "i")}\nreturn t`;
    return this.#chance(4) ? [recursive[0], loop[1]] : recursive;
  }

  #helper(): string {
    const all: readonly [string, ...string[]] = [
      "def h(k: int, m: int = 2) -> int:\n    if k < 0:\n        raise KeyError\n    return k // m",
      "def sq(k: int) -> int:\n    return k * k",
      "def cnt(ks: list[int], k: int = 0) -> int:\n    c = 0\n    for e in ks:\n        if e == k:\n            c += 1\n    return c",
      "def pos(k: int) -> bool:\n    return k > 0",
      "def wh(k: int) -> int:\n    i = 0\n    while i < k:\n        i += 2\n    return i",
      "def sg(k: int) -> int:\n    t = 0\n    for i in range(k):\n        if t == 0:\n            t = 1 if k < 7 else -1\n    return t",
      "def at(ks: list[int], k: int) -> int:\n    try:\n        return ks[k]\n    except IndexError:\n        return -1",
    ];
    const text = this.#pick(all);
    const name = text.slice(4, text.indexOf("("));
    this.#helpers.set(name, text);
    return name;
  }

  #called(depth: number): Two {
    const name = this.#helper();
    const a = this.#int(depth);
    const xs = this.#some("list", "[1, 2]");
    switch (name) {
      case "h":
        return this.#ways(two`h(${a})`, two`h(${a}, m=2)`, two`h(${a}, ${this.#int(0)})`);
      case "sq":
        return this.#ways(two`sq(${a})`, two`(${a}) ** 2`);
      case "cnt":
        return this.#ways(two`cnt(${xs}, ${a})`, two`sum(1 for c in ${xs} if c == ${a})`, two`cnt(${xs})`);
      case "at":
        return two`at(${xs}, ${a})`;
      case "pos":
        return this.#ways(two`pos(${a})`, two`(${a} > 0)`);
      default:
        return two`${name}(${a})`;
    }
  }

  // ---- Loops.

  /** A loop, or its equivalent, over the values of the pair. */
  #piece(): Two {
    const rich = this.parameters.find(({ name }) => Object.hasOwn(rich_uses, name));
    if (rich && this.#chance(2)) return this.#rich(rich.name);
    return this.#draw<Two>(
      () => this.#overItems(),
      () => this.#overItems(),
      () => this.#counting(),
      () => this.#counting(),
      () => this.#searching(),
      () => this.#collecting(),
      () => this.#whiling(),
      () => this.#nested(),
      () => this.#tried(),
      () => this.#overTwo(),
      () => this.#overText(),
      () => this.#idiom(),
      () => this.#idiom(),
    );
  }

  /** Lists of other things than whole numbers. */
  #rich(name: string): Two {
    const [t, v, n] = [this.#pick(accumulators), this.#new("v"), this.#leaf()];
    const filled = (text: string) => text.replace(/\bN\b/g, n).replace(/\bV\b/g, v);
    const uses = (rich_uses[name] ?? []).map((each) => each.map(filled));
    const [use = ["0"], loop = ["0"]] = [uses[this.#below(uses.length)], uses[this.#below(uses.length)]];
    const one = (ways: readonly string[]): Two => [
      ways[this.#below(ways.length)] ?? "0",
      ways[this.#below(ways.length)] ?? "0",
    ];
    return this.#draw<Two>(
      () => two`${t} = ${one(use)}`,
      () => two`if (${one(use)}) == (${one(loop)}):\n    ${t} += 1`,
      () => lines(two`for ${v} in ${name}:\n${inner(this.#block())}`, two`${t} = ${one(use)}`),
      () => two`u = 0\nfor ${v} in ${name}:\n    if ${v} == ${name}[0]:\n        u += 1\n${t} = ${one(use)}`,
      () => two`for ${v} in ${name}:\n    ${t} = ${v}\nu = ${one(use)}`,
      () => two`try:\n    ${t} = ${one(use)}\nexcept (IndexError, ValueError):\n    ${t} = ${one(loop)}`,
    );
  }

  /** What many functions do, in the ways in which they do it. */
  #idiom(): Two {
    const [xs, n] = [this.#some("list", "[3, 1, 2]"), this.#some("int", "3")];
    const [t, v, i] = [this.#pick(accumulators), this.#new("v"), this.#new("i")];
    const op = this.#pick([">", "<", ">=", "<="]);
    const most = op.startsWith(">") ? "max" : "min";
    return this.#draw<Two>(
      () =>
        this.#ways(
          two`${t} = None\nfor ${v} in ${xs}:\n    if ${t} is None or ${v} ${op} ${t}:\n        ${t} = ${v}`,
          two`${t} = ${most}(${xs}) if ${xs} else None`,
          two`${t} = None\nif ${xs}:\n    ${t} = ${xs}[0]\n    for ${v} in ${xs}[1:]:\n        ${t} = ${most}(${t}, ${v})`,
          two`if len(${xs}) > 0:\n    ${t} = ${xs}[0]\n    for ${v} in ${xs}:\n        ${t} = ${v} if ${v} ${op} ${t} else ${t}\nelse:\n    ${t} = None`,
        ),
      () =>
        this.#ways(
          two`${t} = -1\nfor ${i} in range(len(${xs})):\n    if ${xs}[${i}] == ${n}:\n        ${t} = ${i}\n        break`,
          two`${t} = -1\nfor ${i}, ${v} in enumerate(${xs}):\n    if ${v} == ${n}:\n        ${t} = ${i}\n        break`,
          two`${t} = 0\nwhile ${t} < len(${xs}) and ${xs}[${t}] != ${n}:\n    ${t} += 1\nif ${t} == len(${xs}):\n    ${t} = -1`,
          two`for ${t} in range(len(${xs})):\n    if ${xs}[${t}] == ${n}:\n        break\nelse:\n    ${t} = -1`,
          two`${t} = -1\nfor ${i} in range(len(${xs})):\n    if ${t} < 0 and ${xs}[${i}] == ${n}:\n        ${t} = ${i}`,
          two`${t} = -1\nfor ${i} in range(len(${xs}) - 1, -1, -1):\n    if ${xs}[${i}] == ${n}:\n        ${t} = ${i}`,
        ),
      () =>
        this.#ways(
          two`${t} = all(${xs}[${i}] <= ${xs}[${i} + 1] for ${i} in range(len(${xs}) - 1))`,
          two`${t} = True\nfor ${i} in range(1, len(${xs})):\n    if ${xs}[${i} - 1] > ${xs}[${i}]:\n        ${t} = False\n        break`,
          two`${t} = not any(${xs}[${i}] > ${xs}[${i} + 1] for ${i} in range(len(${xs}) - 1))`,
          two`${t} = all(${v} <= ${i} for ${v}, ${i} in zip(${xs}, ${xs}[1:]))`,
        ),
      () =>
        this.#ways(
          two`${t} = 0\nfor ${i} in range(1, ${n} + 1):\n    ${t} += ${i}`,
          two`${t} = ${n} * (${n} + 1) // 2 if ${n} > 0 else 0`,
          two`${t} = sum(range(${n} + 1))`,
          two`${t} = 0\n${i} = ${n}\nwhile ${i} > 0:\n    ${t} += ${i}\n    ${i} -= 1`,
          two`${t} = ${n} * (${n} + 1) // 2`,
        ),
      () =>
        this.#ways(
          two`${t} = 0\n${i} = abs(${n})\nwhile ${i} > 0:\n    ${t} += ${i} % 10\n    ${i} //= 10`,
          two`${t} = 0\n${i} = abs(${n})\nwhile ${i} != 0:\n    ${i}, ${v} = divmod(${i}, 10)\n    ${t} = ${v} + ${t}`,
          two`${t} = 0\n${i} = ${n}\nwhile ${i}:\n    ${t} += ${i} % 10\n    ${i} = ${i} // 10`,
        ),
      () => two`${t} = ${n}\n${v} = ${this.#leaf()}\nwhile ${v}:\n    ${t}, ${v} = ${v}, ${t} % ${v}`,
      () =>
        this.#ways(
          two`t, u = 0, 1\nfor ${i} in range(${n}):\n    t, u = u, t + u`,
          two`t = 0\nu = 1\n${i} = 0\nwhile ${i} < ${n}:\n    ${v} = t + u\n    t = u\n    u = ${v}\n    ${i} += 1`,
        ),
      () =>
        this.#ways(
          two`t = u = 0\nfor ${v} in ${xs}:\n    if ${v} ${op} ${n}:\n        t += 1\n    else:\n        u += 1`,
          two`t = sum(1 for ${v} in ${xs} if ${v} ${op} ${n})\nu = len(${xs}) - t`,
          two`t = len([${v} for ${v} in ${xs} if ${v} ${op} ${n}])\nu = len([${v} for ${v} in ${xs} if not ${v} ${op} ${n}])`,
        ),
      () =>
        this.#ways(
          two`${t} = 0\nfor ${v} in ${xs}:\n    ${t} = max(${t} + ${v}, 0)`,
          two`${t} = 0\nfor ${v} in ${xs}:\n    ${t} += ${v}\n    if ${t} < 0:\n        ${t} = 0`,
        ),
      () => two`${t} = ${this.#any()}\nfor ${v} in ${xs}:\n    if ${this.#about(v)}:\n        ${t} = ${this.#any()}`,
      () =>
        two`for ${v} in ${xs}:\n    if ${this.#about(v)}:\n        ${i} = ${this.#any()}\n        break\n${t} = ${i}`,
    );
  }

  #tried(): Two {
    const error = this.#pick(["ValueError", "ZeroDivisionError", "(IndexError, KeyError)", "LookupError", "Exception"]);
    const body = this.#chance(2) ? this.#overItems() : this.#statement(1);
    const last = this.#chance(3) ? two`else:\n${inner(this.#statement(1))}` : "";
    return lines(two`try:\n${inner(body)}`, two`except ${error}:\n${inner(this.#statement(1))}`, last);
  }

  #otherwise(): Two | "" {
    return this.#chance(6) ? two`else:\n${inner(this.#statement(1))}` : "";
  }

  /** `for v in xs`, said in many ways. */
  #overItems(): Two {
    const [v, k] = [this.#new("v"), this.#new("k")];
    const list = this.#chance(3)
      ? this.#list(1)
      : this.#chance(40)
        ? this.#int(0)
        : two`${this.#some("list", "[1, 2]")}`;
    this.#names.int.push(v);
    const [body, otherwise] = [inner(this.#block()), this.#otherwise()];
    const simple = !/\b(break|continue|zs)\b/.test(body[0] + body[1]);
    const first =
      simple && !otherwise ? [two`if ${list}:\n    ${v} = ${list}[0]\n${body}\nfor ${v} in ${list}[1:]:\n${body}`] : [];
    const order = this.#chance(8) ? [lines(two`for ${v} in reversed(${list}):\n${body}`, otherwise)] : [];
    return this.#ways(
      lines(two`for ${v} in ${list}:\n${body}`, otherwise),
      lines(two`for ${v} in ${list}:\n${body}`, otherwise),
      lines(two`for ${k} in range(len(${list})):\n    ${v} = ${list}[${k}]\n${body}`, otherwise),
      lines(two`${k} = 0\nwhile ${k} < len(${list}):\n    ${v} = ${list}[${k}]\n    ${k} += 1\n${body}`, otherwise),
      lines(
        two`for ${k}, ${v} in enumerate(${list}${this.#chance(3) ? `, ${this.#leaf()}` : ""}):\n${body}`,
        otherwise,
      ),
      lines(two`for ${v} in reversed(${list}[::-1]):\n${body}`, otherwise),
      lines(
        two`for ${v}, ${k} in zip(${list}, range(${this.#pick([`len(${list[0]})`, "2", this.#leaf()])})):\n${body}`,
        otherwise,
      ),
      lines(two`${k} = len(${list})\nwhile ${k} > 0:\n    ${v} = ${list}[-${k}]\n    ${k} -= 1\n${body}`, otherwise),
      ...first,
      ...order,
    );
  }

  #counting(): Two {
    const i = this.#new("i");
    const n = this.#chance(3) ? this.#int(1) : two`${this.#some("int", "4")}`;
    const low = this.#pick(["0", "0", "0", "1", this.#leaf()]);
    this.#names.int.push(i);
    const [body, otherwise] = [inner(this.#block()), this.#otherwise()];
    const stays = !/\bcontinue\b/.test(body[0] + body[1]);
    const whiles = stays
      ? [
          lines(two`${i} = ${low}\nwhile ${i} < ${n}:\n${body}\n    ${i} += 1`, otherwise),
          lines(two`${i} = ${low}\nwhile ${i} ${this.#pick(["!=", "<="])} ${n}:\n${body}\n    ${i} += 1`, otherwise),
        ]
      : [];
    return this.#ways(
      lines(two`for ${i} in range(${low}, ${n}):\n${body}`, otherwise),
      lines(two`for ${i} in list(range(${low}, ${n})):\n${body}`, otherwise),
      lines(two`for ${i} in range(${n} - 1, ${low} - 1, -1):\n${body}`, otherwise),
      lines(two`for ${i} in reversed(range(${low}, ${n})):\n${body}`, otherwise),
      lines(two`for ${i} in [c for c in range(${low}, ${n})]:\n${body}`, otherwise),
      lines(two`for ${i} in range(${low}, ${n}, ${this.#pick(["1", "2", "3"])}):\n${body}`, otherwise),
      ...whiles,
    );
  }

  #whiling(): Two {
    const n = this.#some("int", "5");
    const i = this.#new("i");
    this.#names.int.push(i);
    const xs = this.#some("list", "[1, 2, 0]");
    const body = inner(this.#block());
    return this.#draw<Two>(
      () =>
        two`${i} = ${n}\nwhile ${i} ${this.#pick(["> 0", "!= 0", ">= 1"])}:\n    ${i} -= ${this.#pick(["1", "1", "2"])}\n${body}`,
      () =>
        two`${i} = 0\nwhile ${i} < len(${xs}) and ${xs}[${i}] ${this.#pick(["!=", ">", "<"])} ${this.#leaf()}:\n    ${i} += 1\n${body}`,
      () => two`${i} = 0\nwhile ${xs}[${i}] ${this.#pick(["!=", ">", "<"])} ${this.#leaf()}:\n    ${i} += 1\n${body}`,
      () => two`${i} = 0\nwhile ${this.#test(1)} and ${i} < ${n}:\n    ${i} += 1\n${body}`,
      () =>
        two`${i} = ${this.#leaf()}\nwhile ${i} < ${this.#pick([n, "50", `${n} * ${n}`])} and ${this.#test(1)}:\n    ${i} ${this.#pick(["+= 1", "+= 2", "*= 2"])}\n${body}`,
      () => two`${i} = 0\nwhile True:\n    if ${i} >= ${n}:\n        break\n    ${i} += 1\n${body}`,
      () => two`${i} = ${n}\nwhile 10 // ${i} ${this.#pick([">", "!=", "<"])} 2:\n    ${i} -= 1\n${body}`,
      () => two`${i} = ${n}\nwhile ${i}:\n    ${i} = ${i} // 2${this.#pick(["", " if t < 40 else 0"])}\n${body}`,
      () => {
        const j = this.#new("j");
        return two`${i} = 0\nwhile ${i} ${this.#pick(["<", "!="])} ${n}:\n    ${i} += 1\n    ${this.#pick(["u", "t"])} += 1\n${j} = ${this.#pick(["0", "t", i])}\nwhile ${j} < ${this.#pick([i, "u", n])}:\n    ${j} += ${this.#pick(["1", "2"])}\n${body}`;
      },
    );
  }

  #searching(): Two {
    const xs = this.#some("list", "[3, 1]");
    const v = this.#new("v");
    const [c] = [this.#about(v)];
    const flag_name = this.#new("found");
    this.#names.bool.push(flag_name);
    const loop = (start: string, then: string) =>
      two`${flag_name} = ${start}\nfor ${v} in ${xs}:\n    if ${c}:\n        ${flag_name} = ${then}\n        break`;
    const flag = two`${flag_name} = False\nfor ${v} in ${xs}:\n    ${flag_name} = ${flag_name} or ${c}`;
    const late = two`${flag_name} = False\nfor ${v} in ${xs}:\n    if ${c}:\n        ${flag_name} = True`;
    const n = this.#new("n");
    return this.#ways(
      two`${flag_name} = any(${c} for ${v} in ${xs})`,
      loop("False", "True"),
      flag,
      late,
      two`${flag_name} = not all(not (${c}) for ${v} in ${xs})`,
      two`${flag_name} = any([${c} for ${v} in ${xs}])`,
      two`${n} = 0\nwhile ${n} < len(${xs}):\n    ${v} = ${xs}[${n}]\n    if ${c}:\n        break\n    ${n} += 1\n${flag_name} = ${n} < len(${xs})`,
    );
  }

  #collecting(): Two {
    const [xs, zs, v] = [
      this.#chance(3) ? this.#list(1) : two`${this.#some("list", "[3, 1]")}`,
      this.#new("l"),
      this.#new("v"),
    ];
    const item = this.#of(v);
    const c = this.#about(v);
    this.#names.list.push(zs);
    if (this.#chance(2))
      return this.#ways(
        two`${zs} = [${item} for ${v} in ${xs} if ${c}]`,
        two`${zs} = []\nfor ${v} in ${xs}:\n    if ${c}:\n        ${zs}.append(${item})`,
        two`${zs} = list(${item} for ${v} in ${xs} if ${c})`,
        two`${zs} = [${item} for ${v} in [${v} for ${v} in ${xs} if ${c}]]`,
        two`${zs} = []\nfor ${v} in ${xs}:\n    if not (${c}):\n        continue\n    ${zs}.append(${item})`,
      );
    const i = this.#new("i");
    return this.#ways(
      two`${zs} = [${item} for ${v} in ${xs}]`,
      two`${zs} = []\nfor ${v} in ${xs}:\n    ${zs}.append(${item})`,
      two`${zs} = [0] * len(${xs})\nfor ${i}, ${v} in enumerate(${xs}):\n    ${zs}[${i}] = ${item}`,
      two`${zs} = list(${item} for ${v} in ${xs})`,
      two`${zs} = [${item} for ${i}, ${v} in enumerate(${xs})]`,
      two`${zs} = [${item} for ${v} in ${xs}[::-1]][::-1]`,
      two`${zs} = [${item} for ${v} in ${xs}[:1]] + [${item} for ${v} in ${xs}[1:]]`,
      two`${zs} = [${item} for ${v}, ${i} in zip(${xs}, range(${this.#leaf()}))]`,
    );
  }

  #nested(): Two {
    const [a, b] = [this.#new("a"), this.#new("b")];
    const xs = this.#some("list", "[1, 2]");
    const n = this.#some("int", "2");
    this.#names.int.push(a);
    const early = this.#simple();
    this.#names.int.push(b);
    const body = inner(inner(this.#block()));
    const outer = this.#pick([`for ${a} in ${xs}:`, `for ${a} in range(${n}):`, `for ${a} in range(3):`]);
    const within = this.#pick([
      `for ${b} in ${xs}:`,
      `for ${b} in range(${a}):`,
      `for ${b} in range(${n}):`,
      `for ${b} in range(2):`,
      `for ${b} in ${xs}[${a}:]:`,
    ]);
    const last = this.#chance(3) ? inner(two`else:\n${inner(this.#simple(true))}`) : "";
    return lines(two`${outer}\n${inner(early)}`, two`    ${within}\n${body}`, last, this.#otherwise());
  }

  #overTwo(): Two {
    const [a, b, i] = [this.#new("a"), this.#new("b"), this.#new("i")];
    const [xs, ys] = [two`${this.#some("list", "[1, 2]")}`, this.#list(1)];
    this.#names.int.push(a, b);
    const body = inner(this.#block());
    return this.#ways(
      two`for ${a}, ${b} in zip(${xs}, ${ys}):\n${body}`,
      two`for ${i} in range(min(len(${xs}), len(${ys}))):\n    ${a} = ${xs}[${i}]\n    ${b} = ${ys}[${i}]\n${body}`,
      two`for ${i}, (${a}, ${b}) in enumerate(zip(${xs}, ${ys})):\n${body}`,
      two`for ${b}, ${a} in zip(${ys}, ${xs}):\n${body}`,
      two`for ${i} in range(len(${xs})):\n    ${a}, ${b} = ${xs}[${i}], ${ys}[${i}]\n${body}`,
    );
  }

  #overText(): Two {
    const [ch, i] = [this.#new("ch"), this.#new("i")];
    const s = this.#chance(2) ? two`${this.#some("text", "'ab'")}` : this.#text(1);
    this.#names.text.push(ch);
    const body = inner(this.#block());
    return this.#ways(
      two`for ${ch} in ${s}:\n${body}`,
      two`for ${i} in range(len(${s})):\n    ${ch} = ${s}[${i}]\n${body}`,
      two`for ${i}, ${ch} in enumerate(${s}):\n${body}`,
      two`for ${ch} in ${s}[::-1]:\n${body}`,
      two`for ${i} in [ord(c) for c in ${s}]:\n    ${ch} = chr(${i})\n${body}`,
    );
  }

  /** What a loop does in each iteration. */
  #block(): Two {
    return this.#chance(2) ? this.#step() : lines(this.#step(), this.#step());
  }

  #step(): Two {
    const t = this.#pick(accumulators);
    const [e, c] = [this.#int(1), this.#test(1)];
    return this.#draw<Two>(
      () => this.#ways(two`${t} += ${e}`, two`${t} = ${t} + ${e}`, two`${t} = ${e} + ${t}`),
      () => two`${t} += 1`,
      () => this.#ways(two`if ${c}:\n    ${t} += 1`, two`${t} += 1 if ${c} else 0`, two`${t} += ${c}`),
      () => this.#ways(two`if ${e} > ${t}:\n    ${t} = ${e}`, two`${t} = max(${t}, ${e})`, two`${t} = max(${e}, ${t})`),
      () => this.#ways(two`${t} = min(${t}, ${e})`, two`${t} = ${e} if ${e} < ${t} else ${t}`),
      () => two`if ${c}:\n    ${this.#pick(["break", "continue", "break"])}`,
      () => two`if ${c}:\n    return ${this.#chance(4) ? this.#any() : this.#int(0)}`,
      () => two`${t} = ${e}`,
      () => this.#simple(),
      () => this.#statement(1),
      () => two`t, u = u, ${this.#int(0)}`,
      () => two`${t} ${this.#pick(["-=", "*=", "//=", "%="])} ${e}`,
    );
  }

  /** What `pop` takes from a list. */
  #place(): Two {
    return this.#draw<Two>(
      () => two`${this.#pick(["", "0", "1", "-2"])}`,
      () => this.#int(0),
    );
  }

  /** A statement without a loop. */
  #simple(leave = false): Two {
    const t = this.#pick(accumulators);
    return this.#draw<Two>(
      () => two`${t} = ${this.#int(1)}`,
      () => two`${t} += ${this.#leaf()}`,
      () => (this.#maps ? this.#mapped(t) : two`${t} -= 3`),
      () => (this.#maps ? this.#mapped(t) : two`${t} += 6`),
      () => (this.#made.length > 0 ? two`zs.append(${this.#int(1)})` : two`${t} -= 1`),
      () => {
        if (this.#made.length === 0) return two`${t} -= 2`;
        const [n, m] = [this.#int(1), this.#int(0)];
        return this.#ways(two`zs.extend([${n}, ${m}])`, two`zs += [${n}, ${m}]`, two`zs.append(${n})\nzs.append(${m})`);
      },
      () => (this.#made.length > 0 ? two`zs.extend(${this.#list(1)})` : two`${t} += 3`),
      () => (this.#made.length > 0 ? two`${t} = zs.pop(${this.#place()})` : two`${t} += 4`),
      () => (this.#made.length > 0 ? two`zs.pop(${this.#place()})` : two`${t} += 5`),
      () => (this.#made.length > 0 ? two`zs.insert(${this.#int(0)}, ${this.#int(1)})` : two`${t} += 7`),
      () => (this.#made.length > 0 ? two`zs.remove(${this.#int(0)})` : two`${t} += 8`),
      () => (this.#made.length > 0 ? this.#whole(this.#pick(sequenceChanges("zs", this.#leaf()))) : two`${t} += 1`),
      () => (this.#made.length > 0 ? two`zs[${this.#int(0)}] = ${this.#int(1)}` : two`${t} = 0`),
      () => (this.#made.length > 0 ? two`zs[${this.#int(0)}] += ${this.#int(1)}` : two`${t} = 5`),
      () => (leave ? two`break` : this.#chance(4) ? two`assert ${this.#test(1)}` : two`${t} = ${t} + 1`),
      () =>
        two`if ${this.#test(1)}:\n    raise ${this.#pick(["ValueError", "KeyError('k')", "IndexError", `KeyError(f'{${this.#leaf()}}')`, `LookupError(${this.#leaf()} // ${this.#leaf()})`, "SyntaxError('a', 1)", "UnicodeError"])}`,
      () => two`assert ${this.#test(1)}; ${t} = ${this.#leaf()}; assert ${this.#test(0)}`,
      () =>
        this.#made.length > 0 && this.#chance(5) ? two`zs[${this.#int(1)}]: int` : two`${t}: int = ${this.#int(1)}`,
      () => (this.#names.bool.length > 0 ? two`${this.#some("bool", "ok")} = ${this.#test(1)}` : two`${t} += 2`),
    );
  }

  #statement(depth: number): Two {
    if (depth <= 0) return this.#simple();
    const c = this.#test(1);
    const [a, b] = [inner(this.#statement(depth - 1)), inner(this.#statement(depth - 1))];
    return this.#draw<Two>(
      () => this.#simple(),
      () => this.#simple(),
      () => two`if ${c}:\n${a}`,
      () =>
        this.#ways(
          two`if ${c}:\n${a}\nelse:\n${b}`,
          two`if not (${c}):\n${b}\nelse:\n${a}`,
          two`if ${c}:\n${a}\nif not (${c}):\n${b}`,
        ),
      () => two`t = ${this.#int(2)}`,
      () => two`if ${c}:\n    return ${this.#any()}`,
      () => {
        const error = this.#pick([
          "ValueError",
          "ZeroDivisionError",
          "LookupError",
          "(KeyError, IndexError)",
          "ArithmeticError",
        ]);
        return two`try:\n${a}\nexcept ${error}:\n${b}`;
      },
      () => two`u = ${this.#int(2)}`,
    );
  }

  // ---- Expressions.

  #leaf(): string {
    const constants = ["0", "1", "2", "-1", "3", "7", "5", "9", "(2 ** 3 - 4)"] as const;
    return this.#below(5) > 1 ? this.#some("int", this.#pick(constants)) : this.#pick(constants);
  }

  /** A change of the dict or set made here, or what it holds. */
  #mapped(t: string): Two {
    const [n, m] = [this.#leaf(), this.#leaf()];
    return this.#draw<Two>(
      () => two`cs[${n}] = ${m}`,
      () => two`cs[${n}] += ${m}`,
      () =>
        this.#ways(
          two`cs[${n}] = cs.get(${n}, 0) + 1`,
          two`if ${n} in cs:\n    cs[${n}] += 1\nelse:\n    cs[${n}] = 1`,
          two`cs.setdefault(${n}, 0)\ncs[${n}] += 1`,
        ),
      () => two`${t} = cs.pop(${n}, ${m})`,
      () => two`${t} = cs.pop(${n})`,
      () => two`e, d = cs.popitem()\n${t} += d - e`,
      () => two`${t} = cs.setdefault(${n}, ${m})`,
      () => two`${t} = cs.get(${n}, ${m})`,
      () => this.#ways(two`hs.add(${n})`, two`hs.discard(${n})\nhs.add(${n})`),
      () => two`hs.discard(${n})`,
      () => two`hs.remove(${n})`,
      () => two`${t} = len(hs) + len(cs)`,
      () =>
        this.#ways(
          two`${t} = sum(cs)`,
          two`for e in cs:\n    ${t} += e`,
          two`for e, d in cs.items():\n    ${t} += d - e`,
        ),
      () => two`if ${n} in hs and ${m} not in cs:\n    ${t} += 1`,
      () =>
        two`for e in ${this.#some("list", "[2, 3]")}:\n    ${this.#pick(["cs[e] = t", "hs.add(e)", "hs.discard(e)", "cs[t] = e", "cs.pop(e, 0)"])}`,
      () =>
        two`${this.#pick(["cs = cs.copy()", "hs = set(sorted(hs))", "hs = hs.copy()", "cs = dict(cs)", "cs = {}"])}`,
      () => two`cs[${n}], ${t} = ${t}, cs[${m}]`,
    );
  }

  /** A whole number made of one variable above all. */
  #of(v: string): Two {
    const a = this.#leaf();
    return this.#draw<Two>(
      () => two`${v}`,
      () => this.#ways(two`${v} * 2`, two`${v} + ${v}`),
      () => this.#ways(two`${v} + ${a}`, two`${a} + ${v}`),
      () => two`${v} // ${a}`,
      () => two`${v} - ${a}`,
      () => this.#ways(two`${v} * ${v}`, two`${v} ** 2`),
      () => this.#ways(two`abs(${v})`, two`(${v} if ${v} > 0 else -${v})`, two`max(${v}, -${v})`),
    );
  }

  #about(v: string): Two {
    const a = this.#leaf();
    return this.#draw<Two>(
      () => this.#ways(two`${v} > ${a}`, two`${a} < ${v}`, two`not (${v} <= ${a})`),
      () => this.#ways(two`${v} == ${a}`, two`not (${v} != ${a})`),
      () => this.#ways(two`${v} % 2 == 0`, two`${v} & 1 == 0`, two`not ${v} % 2`),
      () => two`10 // ${v} > ${a}`,
      () => two`${v} ${this.#pick(["<", "<=", ">=", "!="])} ${a}`,
      () => two`${v}`,
      () => this.#ways(two`0 <= ${v} < ${a}`, two`(0 <= ${v} and ${v} < ${a})`),
    );
  }

  #int(depth: number): Two {
    if (depth <= 0) {
      const other = this.#below(12);
      if (this.#chance(60)) return two`${this.parameters[this.#below(this.parameters.length)]?.name ?? "t"}`;
      if (other === 0) return two`len(${this.#some("list", "[1]")})`;
      if (other === 1) return two`${this.#some("bool", "True")}`;
      if (other === 2 && this.#made.length > 0) return two`${this.#pick(["len(zs)", "sum(zs)", "zs[-1]", "zs[0]"])}`;
      return two`${this.#leaf()}`;
    }
    if (this.#tame && !this.#chance(4)) return this.#tameInt();
    const [l, r] = [this.#int(depth - 1), this.#int(depth - 1)];
    const [xs, c, s] = [this.#some("list", "[2, 1]"), this.#new("c"), this.#some("text", "'ab'")];
    return this.#draw<Two>(
      () => this.#ways(two`(${l} + ${r})`, two`(${r} + ${l})`),
      () => this.#ways(two`(${l} - ${r})`, two`-(${r} - ${l})`, two`(${l} + -${r})`),
      () => this.#ways(two`(${l} * ${r})`, two`(${r} * ${l})`),
      () => this.#ways(two`(${l} // ${r})`, two`divmod(${l}, ${r})[0]`, two`((${l} - ${l} % ${r}) // ${r})`),
      () => this.#ways(two`(${l} % ${r})`, two`(${l} - ${r} * (${l} // ${r}))`, two`divmod(${l}, ${r})[1]`),
      () => this.#ways(two`(${l} & 1)`, two`(${l} % 2)`),
      () => this.#ways(two`(${l} >> 1)`, two`(${l} // 2)`),
      () => this.#ways(two`(~${l})`, two`(-${l} - 1)`),
      () => this.#ways(two`(${l}) ** 2`, two`(${l} * ${l})`, two`abs(${l}) ** 2`),
      () => two`(${l}) ** ${this.#pick(["0", "3", "1", "-1", l[0]])}`,
      () => this.#ways(two`abs(${l})`, two`max(${l}, -${l})`, two`(${l} if ${l} >= 0 else -${l})`),
      () =>
        this.#ways(
          two`min(${l}, ${r})`,
          two`(${l} if ${l} <= ${r} else ${r})`,
          two`(${r} if ${r} < ${l} else ${l})`,
          two`-max(-${l}, -${r})`,
        ),
      () => this.#ways(two`max(${l}, ${r})`, two`(${l} if ${l} >= ${r} else ${r})`, two`max(${r}, ${l})`),
      () => this.#ways(two`max(${l}, ${r}, 0)`, two`max(0, max(${l}, ${r}))`, two`max([${l}, ${r}, 0])`),
      () => two`${xs}[${l}]`,
      () => this.#ways(two`${xs}[-1]`, two`${xs}[len(${xs}) - 1]`, two`${xs}[::-1][0]`),
      () => this.#ways(two`(${l} if ${this.#test(0)} else ${r})`, two`[${r}, ${l}][${this.#test(0)}]`),
      () => this.#ways(two`(${l} or ${r})`, two`(${l} if ${l} else ${r})`),
      () => this.#ways(two`(${l} and ${r})`, two`(${r} if ${l} else ${l})`),
      () =>
        this.#ways(
          two`sum(${xs})`,
          two`sum(${c} for ${c} in ${xs})`,
          two`sum(${xs}[::-1])`,
          two`sum([${c} for ${c} in ${xs}])`,
          two`sum(${xs}, 0)`,
        ),
      () => two`sum(${this.#of(c)} for ${c} in ${xs}${this.#chance(2) ? two` if ${this.#about(c)}` : ""})`,
      () => this.#ways(two`len(${xs})`, two`sum(1 for ${c} in ${xs})`, two`len([${c} for ${c} in ${xs}])`),
      () =>
        this.#ways(
          two`len([${c} for ${c} in ${xs} if ${this.#about(c)}])`,
          two`sum(1 for ${c} in ${xs} if ${this.#about(c)})`,
        ),
      () =>
        this.#ways(
          two`max(${xs})`,
          two`max(${c} for ${c} in ${xs})`,
          two`-min(-${c} for ${c} in ${xs})`,
          two`max(${xs}[::-1])`,
        ),
      () => two`min(${xs})`,
      () => two`min(${this.#of(c)} for ${c} in ${xs})`,
      () => this.#called(depth - 1),
      () => this.#ways(two`int(${this.#test(0)})`, two`(1 if ${this.#test(0)} else 0)`),
      () => two`ord(${s}[${l}])`,
      () => this.#ways(two`${xs}.count(${l})`, two`sum(1 for ${c} in ${xs} if ${c} == ${l})`),
      () => two`${xs}.index(${l})`,
      () => two`${s}.${this.#pick(["find", "index"])}(${this.#text(0)})`,
      () => this.#ways(two`sum(${xs}, ${l})`, two`(${l} + sum(${xs}))`, two`sum([${l}] + ${xs})`),
      () => this.#ways(two`max(${xs}, default=${l})`, two`(max(${xs}) if ${xs} else ${l})`, two`max(${xs} + [${l}])`),
      () => this.#ways(two`min(${xs}, default=${l})`, two`(min(${xs}) if len(${xs}) > 0 else ${l})`),
      () => this.#ways(two`sorted(${xs})[0]`, two`min(${xs})`, two`sorted(${xs}, reverse=True)[-1]`),
      () => this.#ways(two`sorted(${xs})[-1]`, two`max(${xs})`, two`sorted(${xs}, reverse=True)[0]`),
      () => this.#ways(two`sum(sorted(${xs}))`, two`sum(${xs})`),
      () => (this.#names.float.length > 0 ? two`round(${this.#float(1)})` : two`round(${l})`),
      () => two`len(${s})`,
      () => two`len(${this.#list(depth)})`,
      () => two`${this.#list(depth)}[${this.#pick(["0", "-1", "1"])}]`,
      () => (this.#made.length > 0 ? two`zs[${l}]` : two`(${r} + ${l})`),
      () => (this.#made.length > 0 ? two`max(zs)` : two`(${r} - ${l})`),
      () => two`(${l}, ${r})[${this.#pick(["0", "1", "-1", "2"])}]`,
      () => (this.parameters.some(({ name }) => name === "p2") ? two`p2[${this.#pick(["0", "1"])}]` : two`(${l} + 1)`),
      () =>
        this.parameters.some(({ name }) => name === "o")
          ? this.#ways(two`(o or ${l})`, two`(${l} if o is None else o)`, two`(o if o else ${l})`)
          : two`(${l} + 1)`,
      () => (this.#names.float.length > 0 ? two`int(${this.#float(1)})` : two`(${l} - 2)`),
      () => this.#whole(this.#pick(sequenceInts(this.#leaf()))),
      () => this.#whole(this.#pick(sequenceInts(this.#leaf()))),
    );
  }

  #tameInt(): Two {
    const [l, r] = [this.#leaf(), this.#leaf()];
    return this.#draw<Two>(
      () => two`${l}`,
      () => this.#ways(two`(${l} + ${r})`, two`(${r} + ${l})`),
      () => this.#ways(two`(${l} - ${r})`, two`(${l} + -${r})`),
      () => this.#ways(two`(${l} * 2)`, two`(${l} + ${l})`),
      () => this.#ways(two`max(${l}, ${r})`, two`(${l} if ${l} >= ${r} else ${r})`),
      () => this.#ways(two`abs(${l})`, two`max(${l}, -${l})`),
      () => two`len(${this.#some("list", "[1]")})`,
      () => two`${l} // ${this.#pick(["2", "3", "-2"])}`,
      () => two`${l} % ${this.#pick(["2", "3", "-2"])}`,
    );
  }

  /** A piece with lists and strings as wholes, from the available ones. */
  #whole(piece: string): Two {
    const names: Record<string, () => string> = {
      xs: () => this.#some("list", "[2, 1]"),
      ys: () => this.#some("list", "[1]"),
      s: () => this.#some("text", "'ab'"),
      a: () => this.#leaf(),
      b: () => this.#leaf(),
    };
    return two`${piece.replace(/(?<!')\b(xs|ys|s|a|b)\b(?!')/g, (name) => names[name]?.() ?? name)}`;
  }

  #test(depth: number): Two {
    const [l, r] = [this.#int(Math.max(0, depth - 1)), this.#int(Math.max(0, depth - 1))];
    const op = this.#pick(["<", "<=", "==", "!=", ">", ">="]);
    const [turned, not] = [swapped[op] ?? op, negated[op] ?? op];
    const compare = this.#ways(two`${l} ${op} ${r}`, two`${r} ${turned} ${l}`, two`not (${l} ${not} ${r})`);
    if (depth <= 0) return this.#chance(4) ? two`${this.#some("bool", "t")}` : compare;
    if (this.#tame && this.#chance(2)) return compare;
    const [a, b, c] = [this.#test(depth - 1), this.#test(depth - 1), this.#new("c")];
    const [xs, s] = [this.#some("list", "[2, 1]"), this.#some("text", "'ab'")];
    const has = (name: string) => this.parameters.some((one) => one.name === name);
    return this.#draw<Two>(
      () => compare,
      () => compare,
      () => this.#ways(two`(${a} and ${b})`, two`not (not (${a}) or not (${b}))`, two`(${b} and ${a})`),
      () => this.#ways(two`(${a} or ${b})`, two`not (not (${a}) and not (${b}))`, two`(True if ${a} else ${b})`),
      () => two`(not (${a}))`,
      () => this.#ways(two`${l} < ${r} <= ${this.#leaf()}`, two`(${l} < ${r} and ${r} <= ${this.#leaf()})`),
      () =>
        this.#ways(
          two`any(${this.#about(c)} for ${c} in ${xs})`,
          two`not all(not (${this.#about(c)}) for ${c} in ${xs})`,
        ),
      () =>
        this.#ways(
          two`all(${this.#about(c)} for ${c} in ${xs})`,
          two`not any(not (${this.#about(c)}) for ${c} in ${xs})`,
        ),
      () => this.#ways(two`${l} in ${xs}`, two`any(${c} == ${l} for ${c} in ${xs})`, two`not (${l} not in ${xs})`),
      () => this.#ways(two`${l} in (1, ${r}, 3)`, two`(${l} == 1 or ${l} == ${r} or ${l} == 3)`),
      () => this.#ways(two`${l} in {1, 0, 3}`, two`${l} in (0, 1, 3)`, two`not ${l} not in {3, True, 0}`),
      () => this.#ways(two`not ${xs}`, two`len(${xs}) == 0`, two`${xs} == []`),
      () => two`${this.#list(1)} ${this.#pick(["==", "!=", "<"])} ${this.#list(1)}`,
      () => this.#ways(two`(${l}, ${r}) == (${r}, ${l})`, two`${l} == ${r}`),
      () => two`(${l}, ${r}) ${this.#pick(["<", "<=", "!="])} (${this.#leaf()}, ${this.#pick(["True", "0", "1"])})`,
      () => two`${this.#text(1)} ${this.#pick(["==", "!=", "<", ">="])} ${this.#text(0)}`,
      () => this.#ways(two`${s}`, two`${s} != ''`, two`len(${s}) > 0`),
      () => {
        const r = this.#text(0);
        return this.#ways(two`${r} in ${s}`, two`${s}.find(${r}) >= 0`, two`not ${r} not in ${s}`);
      },
      () => {
        const r = this.#text(0);
        return this.#ways(
          two`${s}.startswith(${r})`,
          two`${s}[:len(${r})] == ${r}`,
          two`${s}.find(${r}) == 0`,
          two`${s}.startswith((${r}, ${r}))`,
        );
      },
      () => {
        const [r, q] = [this.#text(0), this.#text(0)];
        const [how] = [this.#pick(["startswith", "endswith"])];
        return this.#ways(
          two`${s}.${how}((${r}, ${q}))`,
          two`(${s}.${how}(${r}) or ${s}.${how}(${q}))`,
          two`not (not ${s}.${how}(${q}) and not ${s}.${how}((${r},)))`,
        );
      },
      () => {
        const r = this.#text(0);
        return this.#ways(
          two`${s}.endswith(${r})`,
          two`${s}[len(${s}) - len(${r}):] == ${r}`,
          two`${s}[-len(${r}):] == ${r}`,
        );
      },
      () => this.#ways(two`${l} in {1, 2}`, two`${l} in (1, 2)`, two`(${l} == 1 or ${l} == 2)`),
      () => two`${s} in ${this.#pick(["'abab'", "{'a', 'b'}", "('a', '')"])}`,
      () =>
        this.#ways(
          two`sorted(${xs}) == ${xs}`,
          two`all(${xs}[${c}] <= ${xs}[${c} + 1] for ${c} in range(len(${xs}) - 1))`,
        ),
      () => {
        const ys = this.#list(1);
        return this.#ways(two`${xs} < ${ys}`, two`not ${xs} >= ${ys}`, two`${ys} > ${xs}`);
      },
      () => {
        const ys = this.#list(1);
        const all = two`(len(${xs}) == len(${ys}) and all(${c} == e for ${c}, e in zip(${xs}, ${ys})))`;
        return this.#ways(two`${xs} == ${ys}`, all, two`not ${xs} != ${ys}`);
      },
      () => (this.#names.float.length > 0 ? this.#floatTest() : two`${l} ${op} 0.5`),
      () =>
        this.#names.float.length > 0
          ? this.#floatTest()
          : two`${l} == ${this.#pick(["1.0", "True", "0.0", "9007199254740993.0"])}`,
      () => two`isinstance(${this.#any()}, ${this.#pick(["bool", "int", "(int, str)", "list"])})`,
      () => (has("o") ? this.#ways(two`o is None`, two`not (o is not None)`, two`not o`) : two`${l} % 3 == ${r}`),
      () => (has("w") ? two`isinstance(w, ${this.#pick(["str", "int", "bool"])})` : two`${l} % 3 != 1`),
      () => two`(${this.#leaf()} if ${a} else None) is None`,
      () => (this.#chance(8) ? two`(${this.#any()}) == (${this.#any()})` : two`${l} ${op} ${r}`),
      () => two`(${this.#called(0)}) ${op} ${r}`,
      () => this.#whole(this.#pick(sequence_tests)),
      () => this.#whole(this.#pick(sequence_tests)),
    );
  }

  #floatTest(): Two {
    const [l, r] = [this.#float(1), this.#float(0)];
    const x = this.#some("float", "0.0");
    return this.#draw<Two>(
      () => this.#ways(two`${l} < ${r}`, two`${r} > ${l}`, two`not (${l} >= ${r})`),
      () => this.#ways(two`${l} == ${r}`, two`not (${l} != ${r})`, two`${l} <= ${r} <= ${l}`),
      () => this.#ways(two`${x} == ${x}`, two`True`, two`${x} - ${x} == 0`),
      () => two`${this.#int(0)} ${this.#pick(["<", "==", ">="])} ${l}`,
      () => this.#ways(two`[${x}] == [${x}]`, two`(${x},) == (${x},)`, two`${x} == ${x}`),
    );
  }

  #float(depth: number): Two {
    const x = this.#some("float", "1.5");
    if (depth <= 0) return two`${this.#pick([x, x, x, "0.5", "-0.0", "2.0", "0.0", "1e300"])}`;
    const [l, r] = [this.#float(depth - 1), this.#float(depth - 1)];
    return this.#draw<Two>(
      () => this.#ways(two`(${l} + ${r})`, two`(${r} + ${l})`),
      () => this.#ways(two`(${l} - ${r})`, two`-(${r} - ${l})`, two`(${l} + -${r})`),
      () => this.#ways(two`(${l} * ${r})`, two`(${r} * ${l})`),
      () => this.#ways(two`(${l} * 2)`, two`(${l} + ${l})`, two`(2.0 * ${l})`),
      () => two`(${l} / ${r})`,
      () => this.#ways(two`-${l}`, two`(0.0 - ${l})`, two`(-1 * ${l})`),
      () => this.#ways(two`abs(${l})`, two`(${l} if ${l} >= 0 else -${l})`, two`max(${l}, -${l})`),
      () =>
        this.#ways(two`max(${l}, ${r})`, two`(${l} if ${l} >= ${r} else ${r})`, two`(${r} if ${r} > ${l} else ${l})`),
      () => this.#ways(two`min(${l}, ${r})`, two`(${r} if ${r} < ${l} else ${l})`, two`min(${r}, ${l})`),
      () => two`(${l} if ${this.#test(0)} else ${r})`,
      () => two`(${this.#int(0)} / ${this.#int(0)})`,
      () => this.#ways(two`float(${this.#int(0)})`, two`(${this.#int(0)} * 1.0)`, two`(${this.#int(0)} + 0.0)`),
      () => two`(${l} ** ${this.#pick(["2", "0.5", "0", "-1", "1"])})`,
      () => two`(${l} ${this.#pick(["//", "%"])} ${r})`,
      () => two`(${l} + ${this.#int(0)})`,
    );
  }

  #text(depth: number): Two {
    const s = this.#some("text", "'ab'");
    if (depth <= 0)
      return two`${this.#pick([s, s, s, "'a'", "''", "'ab'", "'b'", "'\\ud83d\\ude00'", "'\\U0001f600'"])}`;
    const [l, r, n] = [this.#text(depth - 1), this.#text(depth - 1), this.#int(0)];
    return this.#draw<Two>(
      () => this.#ways(two`(${l} + ${r})`, two`(${r} + ${l})`),
      () => this.#ways(two`(${l} + '')`, two`${l}`, two`${l}[:]`),
      () => two`${s}[${n}]`,
      () => this.#ways(two`${s}[${n}:]`, two`${s}[${n}:len(${s})]`),
      () => this.#ways(two`(${s}[:${n}] + ${s}[${n}:])`, two`${s}`),
      () => two`${s}[::-1]`,
      () =>
        two`chr(${this.#pick(["97", "98", n[0], `${n[0]} + 97`, "65", `${n[0]} + 1114000`])})${this.#pick(["", "", "[0]", "[-1]"])}`,
      () => this.#ways(two`${s}[0:1]`, two`(${s}[0] if ${s} else '')`),
      () => two`(${l} if ${this.#test(0)} else ${r})`,
      () => two`${s}[${n}:${this.#int(0)}]`,
    );
  }

  #list(depth: number): Two {
    const [xs, ys] = [this.#some("list", "[2, 1]"), this.#some("list", "[]")];
    if (depth <= 0) return two`${xs}`;
    const [c, n] = [this.#new("c"), this.#int(0)];
    return this.#draw<Two>(
      () => two`${xs}`,
      () => this.#ways(two`(${xs} + ${ys})`, two`(${ys} + ${xs})`),
      () => this.#ways(two`(${xs} + [])`, two`${xs}`, two`list(${xs})`, two`${xs}[:]`, two`[${c} for ${c} in ${xs}]`),
      () => this.#ways(two`${xs}[1:]`, two`${xs}[1:len(${xs})]`, two`[${xs}[${c}] for ${c} in range(1, len(${xs}))]`),
      () => two`${xs}[${n}:${this.#int(0)}]`,
      () => this.#ways(two`${xs}[:${n}]`, two`${xs}[0:${n}]`),
      () => this.#ways(two`${xs}[:-1]`, two`${xs}[:len(${xs}) - 1]`, two`${xs}[::-1][1:][::-1]`),
      () =>
        this.#ways(
          two`${xs}[::-1]`,
          two`list(reversed(${xs}))`,
          two`[${c} for ${c} in reversed(${xs})]`,
          two`[${xs}[-1 - ${c}] for ${c} in range(len(${xs}))]`,
        ),
      () => this.#ways(two`[${this.#int(0)}, ${n}]`, two`([${this.#int(0)}] + [${n}])`),
      () => two`[]`,
      () => this.#ways(two`sorted(${xs})`, two`sorted(${xs}[::-1])`, two`sorted(${xs}, reverse=True)[::-1]`),
      () => two`sorted(${xs}, reverse=True)`,
      () => this.#ways(two`${xs}.copy()`, two`${xs}`, two`${xs}[:]`),
      () => this.#ways(two`(${xs} + [${n}])`, two`(${xs} + [${n}] + [])`, two`([${n}] + ${xs})`),
      () => two`[${n}]`,
      () => this.#ways(two`list(range(${n}))`, two`[${c} for ${c} in range(${n})]`),
      () => two`[${this.#of(c)} for ${c} in ${xs} if ${this.#about(c)}]`,
      () => this.#ways(two`[${this.#of(c)} for ${c} in ${xs}]`, two`list(${this.#of(c)} for ${c} in ${xs})`),
      () => two`[${this.#of(c)} for ${c} in ${xs} for ${this.#chance(3) ? c : "e"} in ${ys}]`,
      () => two`[e for ${c} in ${xs} if ${c} > 0 or e > ${n} for e in [${c}]]`,
      () => two`([${n}] * ${this.#pick(["2", "0", "3", this.#leaf()])})`,
      () => two`(${xs} if ${this.#test(0)} else ${ys})`,
    );
  }

  // ---- One small change.

  #mutated(text: string): string {
    const rows = text.split("\n");
    const places = rows.flatMap((row, i) =>
      i === 0 ? [] : changes.filter(([pattern]) => pattern.test(row)).map(([pattern, by]) => ({ i, pattern, by })),
    );
    const place = places[this.#below(places.length)];
    if (place) rows[place.i] = (rows[place.i] ?? "").replace(place.pattern, place.by);
    return rows.join("\n");
  }
}

/** Small changes of a line, of which many make a difference and some don't. */
const changes: readonly (readonly [RegExp, string])[] = [
  [/ < /, " <= "],
  [/ > /, " >= "],
  [/ <= /, " < "],
  [/ \+ /, " - "],
  [/ == /, " != "],
  [/ == 0/, " == 7"],
  [/\b1\b/, "2"],
  [/\b0\b/, "1"],
  [/\b2\b/, "3"],
  [/ and /, " or "],
  [/ or /, " and "],
  [/\bbreak\b/, "continue"],
  [/\bcontinue\b/, "break"],
  [/\bu\b/, "t"],
  [/\bt\b/, "u"],
  [/ \/\/ /, " % "],
  [/\[1:\]/, "[2:]"],
  [/ValueError/, "KeyError"],
  [/max\(/, "min("],
  [/any\(/, "all("],
  [/startswith/, "endswith"],
  [/\.find\(/, ".index("],
  [/sorted\((\w+)\)/, "$1"],
  [/\[::-1\]/, ""],
  [/not /, ""],
  [/True/, "False"],
  [/len\((\w+)\)/, "(len($1) - 1)"],
  [/return (.*)$/, "return ($1) if t != 17 else 5"],
  [/\+= 1$/, "+= 1 if t != 6 else 2"],
  [/^( +)(\w+ = .*)$/, "$1if t > 8:\n$1    t = 0\n$1$2"],
];
