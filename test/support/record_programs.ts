/**
 * Pairs of small functions that work with enumerations, named tuples, dataclasses and plain classes: objects with several
 * names, in tuples, in fields, in loops and handlers. The second one differs in one place from the first. CPython decides
 * what they do.
 */
import fc from "fast-check";
import type { PythonValue } from "../../src/prover/inputs.ts";
import { inputsFor, int, type Parameter } from "./program_inputs.ts";
import type { ProgramPair } from "./programs.ts";

const classes = `from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, NamedTuple

class Kind(Enum):
    A = 1
    B = 3
    ALSO = 1
    C = -2

    def other(self) -> "Kind":
        return Kind.B if self is Kind.A else Kind.ALSO

    @property
    def is_first(self) -> bool:
        return self == Kind.A

class Pair(NamedTuple):
    a: int
    b: int = 5

    @property
    def total(self) -> int:
        return self.a + self.b

    def flipped(self) -> "Pair":
        return Pair(b=self.a, a=self.b)

@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0

    def __post_init__(self):
        if self.x == 4:
            raise ValueError("no such point")

    def moved(self, k: int) -> "Point":
        return Point(self.x + k, self.y)

@dataclass(frozen=True)
class Named:
    x: int
    y: int = 0

@dataclass
class Box:
    value: int
    kind: Kind = Kind.A
    STEP: ClassVar[int] = 2

    def put(self, n: int) -> "Box":
        self.value = n
        return self

    def take(self) -> int:
        if self.value == 0:
            raise ValueError("empty")
        self.value -= self.STEP
        return self.value

    def swap(self, other: "Box") -> None:
        self.value, other.value = other.value, self.value

@dataclass
class Bag:
    items: list[int] = field(default_factory=list)
    seen: int = 0

    def add(self, n: int) -> int:
        self.items.append(n)
        self.seen += 1
        return n

    def take(self) -> int:
        return self.items.pop()

    def fill(self, n: int) -> None:
        for i in range(len(self.items)):
            self.items[i] += n

class Base:
    LIMIT = 3

    def __init__(self, n: int):
        self.n = n
        self.log = 0
        if n == 2:
            self.extra = n

    def step(self) -> int:
        self.log += self.n
        return self.log

    def pop(self, n: int = 1) -> int:
        self.n -= n
        return self.n

    @property
    def full(self) -> bool:
        return self.log > self.LIMIT

    @staticmethod
    def twice(n: int) -> int:
        return n * 2

    @classmethod
    def of(cls, n: int) -> "Base":
        made = cls(n)
        made.step()
        return made

class Sub(Base):
    def __init__(self, n: int, box: Box):
        super().__init__(n + 1)
        self.box = box

    def step(self) -> int:
        result = super().step()
        self.box.value += result
        return result
`;

const small = [-3, -1, 0, 1, 2, 3, 4];
const kinds = ["A", "B", "C"].map((name): PythonValue => ({ type: "enum", class: "Kind", name }));
const record = (name: string, fields: Record<string, PythonValue>): PythonValue => ({
  type: "record",
  class: name,
  fields,
});
const points = [-1, 0, 3].flatMap((x) => [0, 2].map((y) => record("Point", { x: int(x), y: int(y) })));

const parameters: readonly Parameter[] = [
  { name: "n", annotation: "int", kind: "int", values: () => small.map(int) },
  { name: "k", annotation: "Kind", kind: "other", values: () => kinds },
  { name: "p", annotation: "Point", kind: "other", values: () => points },
  {
    name: "q",
    annotation: "Pair | None",
    kind: "other",
    values: () => [{ type: "none" }, ...[-1, 0, 3].map((a) => record("Pair", { a: int(a), b: int(2) }))],
  },
  {
    name: "b",
    annotation: "Box",
    kind: "other",
    values: () => [0, 1, 3].flatMap((value) => kinds.map((kind) => record("Box", { value: int(value), kind }))),
  },
  {
    name: "w",
    annotation: "Bag",
    kind: "other",
    values: () =>
      [[], [1], [0, 3, -1]].map((items) =>
        record("Bag", { items: { type: "list", items: items.map(int) }, seen: int(2) }),
      ),
  },
  {
    name: "ps",
    annotation: "list[Point]",
    kind: "other",
    values: () => [0, 1, 2, 5].map((length): PythonValue => ({ type: "list", items: points.slice(0, length) })),
  },
];

type Below = (bound: number) => number;

class Writer {
  readonly #below: Below;

  constructor(below: Below) {
    this.#below = below;
  }

  #one(...texts: readonly (string | (() => string))[]): string {
    const text = texts[this.#below(texts.length)] ?? "";
    return typeof text === "string" ? text : text();
  }

  box = (): string =>
    this.#one(
      "b",
      "b",
      "c",
      "c",
      () => `Box(${this.int()})`,
      () => `b.put(${this.int()})`,
      "t[0]",
      "o.box",
    );

  bag = (): string => this.#one("w", "w", "v", "Bag()", () => `Bag([${this.int()}, 2])`);

  point = (): string =>
    this.#one(
      "p",
      "p",
      "r",
      () => `Point(${this.int()}, ${this.int()})`,
      () => `p.moved(${this.int()})`,
      () => `Point(y=${this.int()}, x=1)`,
    );

  kind = (): string => this.#one("k", "k", "Kind.B", "Kind.ALSO", "b.kind", "k.other()", () => `Kind(${this.int()})`);

  base = (): string =>
    this.#one(
      "o",
      "o",
      () => `Base(${this.int()})`,
      () => `Sub(${this.int()}, ${this.box()})`,
      () => `Base.of(${this.int()})`,
    );

  int = (): string =>
    this.#one(
      "n",
      "1",
      "0",
      "2",
      "m",
      () => `${this.box()}.value`,
      () => `${this.point()}.x`,
      () => `(q.a if q is not None else ${this.int()})`,
      "q.total",
      "q[1]",
      () => `${this.kind()}.value`,
      () => `${this.base()}.log`,
      "o.n",
      "o.pop()",
      "Base.twice(n)",
      () => `${this.base()}.step()`,
      () => `${this.box()}.take()`,
      () => `(${this.int()} + ${this.int()})`,
      () => `(${this.int()} if ${this.test()} else ${this.int()})`,
      () => `${this.bag()}.take()`,
      () => `${this.bag()}.add(${this.int()})`,
      () => `${this.bag()}.items[${this.int()}]`,
      () => `len(${this.bag()}.items)`,
      () => `sum(${this.bag()}.items)`,
      "max(v.items)",
      "sum(each.x for each in ps)",
      "len([each for each in Kind if each is not k])",
      "o.extra",
      "o.absent",
    );

  test = (): string =>
    this.#one(
      () => `${this.int()} < ${this.int()}`,
      () => `${this.box()} is ${this.box()}`,
      () => `${this.box()} == ${this.box()}`,
      () => `${this.base()} == ${this.base()}`,
      () => `${this.point()} == ${this.point()}`,
      () => `${this.point()} < ${this.point()}`,
      () => `p == Named(p.x, p.y)`,
      () => `${this.bag()} == ${this.bag()}`,
      () => `${this.int()} in ${this.bag()}.items`,
      () => `q == (${this.int()}, 2)`,
      () => `q == q.flipped()`,
      () => `${this.kind()} is ${this.kind()}`,
      () => `${this.kind()} == ${this.int()}`,
      () => `${this.kind()} in (Kind.A, Kind.C)`,
      "k.is_first",
      () => `isinstance(${this.base()}, Sub)`,
      "isinstance(q, tuple)",
      "isinstance(b, (Base, Box))",
      () => `${this.base()}.full`,
      "p",
      "q",
      () => `not ${this.test()}`,
    );

  statement = (depth: number): string[] => {
    const inner = () => this.statements(1 + this.#below(2), depth + 1).map((line) => `    ${line}`);
    const forms: (() => string[])[] = [
      () => [`c = ${this.box()}`],
      () => [`c = b if ${this.test()} else ${this.box()}`],
      () => [`${this.box()}.value = ${this.int()}`],
      () => [`${this.box()}.value += ${this.int()}`],
      () => [`${this.box()}.kind = ${this.kind()}`],
      () => [`${this.box()}.put(${this.int()})`],
      () => [`${this.box()}.swap(${this.box()})`],
      () => [`v = ${this.bag()}`],
      () => [`v.items.append(${this.int()})`],
      () => [`m = w.items.pop(0)`],
      () => [`${this.#one("v", "w")}.items[${this.int()}] = ${this.int()}`],
      () => [`${this.#one("v", "w")}.items[0] += ${this.int()}`],
      () => [`${this.#one("v", "w")}.items = [${this.int()}]`],
      () => [`v.items += [${this.int()}]`],
      () => [`v.fill(${this.int()})`],
      () => [`for each in w.items:`, `    m += each`],
      () => [`o = ${this.base()}`],
      () => [`o.step()`],
      () => [`o.pop(${this.int()})`],
      () => [`o.box = ${this.box()}`],
      () => [`o.log, m = m, o.log`],
      () => [`t = (${this.box()}, ${this.int()})`],
      () => [`r = ${this.point()}`],
      () => [`k = ${this.kind()}`],
      () => [`q = Pair(${this.int()})`],
      () => [`m = ${this.int()}`],
      () => [`p.x = ${this.#below(8) === 0 ? "1" : "p.y"}`].filter(() => this.#below(12) === 0),
    ];
    const nested: (() => string[])[] = [
      () => [`if ${this.test()}:`, ...inner(), "else:", ...inner()],
      () => [`for i in range(${this.#one("n", "3", "len(ps)")}):`, ...inner()],
      () => ["for each in ps:", "    m += each.x", ...inner()],
      () => ["try:", ...inner(), `except ${this.#one("ValueError", "AttributeError")}:`, ...inner()],
    ];
    const all = depth < 2 ? [...forms, ...nested, ...nested] : forms;
    return (all[this.#below(all.length)] ?? (() => []))();
  };

  statements(count: number, depth: number): string[] {
    const lines = Array.from({ length: count }, () => this.statement(depth)).flat();
    return lines.length > 0 ? lines : ["pass"];
  }
}

/** One pair. */
export const record_pairs: fc.Arbitrary<ProgramPair> = fc.gen().map((g) => {
  const below: Below = (bound) => g(fc.nat, { max: Math.max(0, bound - 1) });
  const writer = new Writer(below);
  const begin = [
    "m = 0",
    `c = ${below(2) === 0 ? "b" : "Box(n)"}`,
    "t = (c, n)",
    "r = Point(n, 1)",
    `v = ${below(2) === 0 ? "w" : "Bag()"}`,
    `o = ${below(2) === 0 ? "Sub(n, b)" : "Base(n)"}`,
  ];
  const body = writer.statements(3 + below(4), 0);
  const end = `return (${writer.int()}, ${below(2) === 0 ? "b" : "c"}, k, ${below(2) === 0 ? "t" : "r"}, m, ${below(2) === 0 ? "v" : "w"})`;
  const changed = [...body];
  changed.splice(below(body.length), 0, ...(/^ |:$/m.test(body.join("\n")) ? [] : writer.statements(1, 2)));
  const written = (name: string, lines: readonly string[]) =>
    `def ${name}(${parameters.map((each) => `${each.name}: ${each.annotation}`).join(", ")}):\n${[
      ...begin,
      ...lines,
      end,
    ]
      .map((line) => `    ${line}`)
      .join("\n")}\n`;
  const code = `${classes}\n${written("f", body)}\n${written("g", changed)}`;
  return { code, inputs: inputsFor(parameters, written("f", body), 40, below) };
});
