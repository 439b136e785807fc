/**
 * Builds the terms of the logic. Terms are hash-consed: equal terms are the same object. Building a term normalises it,
 * so most terms that are equal by ordinary algebra are also the same object, and need no solver.
 *
 * No term converts an integer or a real to a float, because solvers wrongly answer `unsat` to questions with such terms
 * (docs/decisions/prover.md).
 */
import {
  arrayOf,
  BOOL,
  bitsOf,
  FLOAT,
  type FloatOp,
  floorDiv,
  INT,
  inOrder,
  isBinder,
  type Op,
  type Row,
  rowOf,
  type Sort,
  type Term,
} from "./term.ts";

/** A product of atoms with a coefficient. Sums consist of such products. */
interface Monomial {
  factor: bigint;
  readonly atoms: readonly Term[];
}

/** Products that would expand into more monomials than this are not multiplied out. */
const expanded_max = 12;

/** Creates terms, and remembers all terms that it has created. */
export class Terms {
  readonly #made = new Map<string, Term>();
  #symbols = 0;
  readonly yes = this.#make("literal", [], BOOL, { value: true });
  readonly no = this.#make("literal", [], BOOL, { value: false });
  readonly zero = this.int(0n);
  readonly one = this.int(1n);

  #make(
    op: Op,
    args: readonly Term[],
    sort: Sort,
    more: { value?: bigint | boolean | number; name?: string } = {},
  ): Term {
    const shown = typeof more.value === "number" ? bitsOf(more.value) : String(more.value ?? more.name ?? "");
    const key = `${op} ${sort.text} ${args.map((arg) => arg.id).join(" ")} ${shown}`;
    const known = this.#made.get(key);
    if (known) return known;
    const term: Term = { id: this.#made.size, op, args, sort, open: openIn(op, args, more.name), ...more };
    this.#made.set(key, term);
    return term;
  }

  /** Returns a variable that a term can bind. Terms with the same variable and the same parts are the same term. */
  bound(name: string): Term {
    const known = this.#made.get(`bound ${name}`);
    if (known) return known;
    const term: { -readonly [key in keyof Term]: Term[key] } = {
      id: this.#made.size,
      op: "bound",
      args: [],
      sort: INT,
      name,
      open: [],
    };
    term.open = [term];
    this.#made.set(`bound ${name}`, term);
    return term;
  }

  /** States that a term is true for each value of a bound variable, from `from` up to but excluding `to`. */
  forAll(variable: Term, from: Term, to: Term, body: Term): Term {
    if (body === this.yes || this.le(to, from) === this.yes) return this.yes;
    return this.#make("forall", [from, to, body], BOOL, { name: variable.name ?? "" });
  }

  exists(variable: Term, from: Term, to: Term, body: Term): Term {
    return this.not(this.forAll(variable, from, to, this.not(body)));
  }

  /** Returns the sum of a term over the values of a bound variable, from `from` up to but excluding `to`. */
  sum(variable: Term, from: Term, to: Term, body: Term): Term {
    if (body === this.zero || this.le(to, from) === this.yes) return this.zero;
    return this.#make("sum", [from, to, body], INT, { name: variable.name ?? "" });
  }

  int(value: bigint): Term {
    return this.#make("literal", [], INT, { value });
  }

  bool(value: boolean): Term {
    return value ? this.yes : this.no;
  }

  float(value: number): Term {
    return this.#make("literal", [], FLOAT, { value });
  }

  /** Returns the symbol with this name. */
  symbol(name: string, sort: Sort): Term {
    return this.#make("symbol", [], sort, { name });
  }

  /** Returns a new symbol. The hint makes its name readable. */
  fresh(hint: string, sort: Sort): Term {
    return this.symbol(`${hint}!${this.#symbols++}`, sort);
  }

  /** Applies an unknown function. All that is known about it is that equal arguments give equal values. */
  apply(name: string, args: readonly Term[], sort: Sort): Term {
    return this.#make("apply", args, sort, { name });
  }

  not(a: Term): Term {
    if (typeof a.value === "boolean") return this.bool(!a.value);
    if (a.op === "not") return a.args[0] ?? a;
    if (a.op === "<=" && a.args[0] && a.args[1]) return this.lt(a.args[1], a.args[0]);
    return this.#make("not", [a], BOOL);
  }

  and(...all: readonly Term[]): Term {
    return this.#junction("and", all, this.yes, this.no);
  }

  or(...all: readonly Term[]): Term {
    return this.#junction("or", all, this.no, this.yes);
  }

  implies(a: Term, b: Term): Term {
    return this.or(this.not(a), b);
  }

  #junction(op: "and" | "or", all: readonly Term[], neutral: Term, ruling: Term): Term {
    const parts = new Set<Term>();
    for (const each of all) for (const part of each.op === op ? each.args : [each]) parts.add(part);
    parts.delete(neutral);
    if (parts.has(ruling)) return ruling;
    for (const part of parts) if (parts.has(this.not(part))) return ruling;
    const [first, ...rest] = parts;
    if (!first) return neutral;
    if (rest.length === 0) return first;
    return this.#make(op, [...parts].sort(byId), BOOL);
  }

  ite(c: Term, a: Term, b: Term): Term {
    if (a === b || c === this.yes) return a;
    if (c === this.no) return b;
    if (c.op === "not" && c.args[0]) return this.ite(c.args[0], b, a);
    if (a.sort === BOOL) {
      if (a === this.yes || a === c) return this.or(c, b);
      if (a === this.no) return this.and(this.not(c), b);
      if (b === this.no || b === c) return this.and(c, a);
      if (b === this.yes) return this.or(this.not(c), a);
    }
    // If a branch tests the same condition again, the result is already known there.
    if (a.op === "ite" && a.args[0] === c && a.args[1]) return this.ite(c, a.args[1], b);
    if (b.op === "ite" && b.args[0] === c && b.args[2]) return this.ite(c, a, b.args[2]);
    if (b.op === "ite" && b.args[0] === this.not(c) && b.args[1]) return this.ite(c, a, b.args[1]);
    return this.#make("ite", [c, a, b], a.sort);
  }

  /** States that two terms have the same value. For floats, this means the same bits, or both NaN. */
  eq(a: Term, b: Term): Term {
    if (a === b) return this.yes;
    if (a.sort === BOOL) return this.#same(a, b);
    if (a.op === "literal" && b.op === "literal") return this.no;
    if (a.sort === INT) {
      const gap = this.sub(a, b);
      if (gap.op === "literal") return this.bool(gap.value === 0n);
      return this.#make("=", [this.zero, (monomials(gap)[0]?.factor ?? 1n) < 0n ? this.neg(gap) : gap], BOOL);
    }
    return this.#make("=", a.id < b.id ? [a, b] : [b, a], BOOL);
  }

  #same(a: Term, b: Term): Term {
    if (typeof a.value === "boolean") return a.value ? b : this.not(b);
    if (typeof b.value === "boolean") return b.value ? a : this.not(a);
    if (this.not(a) === b) return this.no;
    if (a.op === "not" && a.args[0] && b.op === "not" && b.args[0]) return this.eq(a.args[0], b.args[0]);
    return this.#make("=", a.id < b.id ? [a, b] : [b, a], BOOL);
  }

  le(a: Term, b: Term): Term {
    const gap = this.sub(b, a);
    if (typeof gap.value === "bigint") return this.bool(gap.value >= 0n);
    return this.#make("<=", [this.zero, gap], BOOL);
  }

  lt(a: Term, b: Term): Term {
    return this.le(this.add(a, this.one), b);
  }

  add(a: Term, b: Term): Term {
    return this.#sum([...monomials(a), ...monomials(b)]);
  }

  sub(a: Term, b: Term): Term {
    return this.#sum([...monomials(a), ...monomials(b).map((each) => ({ ...each, factor: -each.factor }))]);
  }

  neg(a: Term): Term {
    return this.sub(this.zero, a);
  }

  mul(a: Term, b: Term): Term {
    const [left, right] = [monomials(a), monomials(b)];
    if (left.length > 1 && right.length > 1 && left.length * right.length > expanded_max)
      return this.#sum([{ factor: 1n, atoms: [a, b].sort(byId) }]);
    const products = left.flatMap((x) =>
      right.map((y) => ({ factor: x.factor * y.factor, atoms: [...x.atoms, ...y.atoms].sort(byId) })),
    );
    return this.#sum(products);
  }

  #sum(parts: readonly Monomial[]): Term {
    const sum = new Map<string, Monomial>();
    for (const { factor, atoms } of parts) {
      const key = atoms.map((atom) => atom.id).join(" ");
      const known = sum.get(key);
      if (known) known.factor += factor;
      else sum.set(key, { factor, atoms });
    }
    const nonzero = [...sum].filter(([, { factor }]) => factor !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
    const terms = nonzero.map(([, { factor, atoms }]) => this.#product(factor, atoms));
    const [first, ...rest] = terms;
    if (!first) return this.int(0n);
    return rest.length === 0 ? first : this.#make("+", terms, INT);
  }

  #product(factor: bigint, atoms: readonly Term[]): Term {
    const [first, ...rest] = atoms;
    if (!first) return this.int(factor);
    if (factor === 1n && rest.length === 0) return first;
    return this.#make("*", factor === 1n ? atoms : [this.int(factor), ...atoms], INT);
  }

  /** `floorDiv` and `mod` are Python's `//` and `%`, for a divisor that is not 0. */
  floorDiv(a: Term, b: Term): Term {
    return this.#division("floordiv", a, b, floorDiv);
  }

  mod(a: Term, b: Term): Term {
    return this.#division("mod", a, b, (x, y) => x - y * floorDiv(x, y));
  }

  #division(op: "floordiv" | "mod", a: Term, b: Term, fold: (x: bigint, y: bigint) => bigint): Term {
    if (b.value === 1n) return op === "mod" ? this.zero : a;
    if (typeof a.value === "bigint" && typeof b.value === "bigint" && b.value !== 0n)
      return this.int(fold(a.value, b.value));
    return this.#make(op, [a, b], INT);
  }

  select(array: Term, index: Term): Term {
    if (array.op === "fill" && array.args[0]) return array.args[0];
    if (array.op === "joined") return this.#itemOfJoined(array, index);
    const [below, at, item] = array.args;
    if (array.op === "store" && below && at && item) {
      const gap = this.sub(at, index);
      if (gap === this.zero) return item;
      if (gap.op === "literal") return this.select(below, index);
    }
    return this.#make("select", [array, index], array.sort.item ?? INT);
  }

  store(array: Term, index: Term, item: Term): Term {
    return this.#make("store", [array, index, item], array.sort);
  }

  /** Returns the array that holds this item everywhere. */
  fill(item: Term): Term {
    return this.#make("fill", [item], arrayOf(item.sort));
  }

  /** Returns the length of the longest common prefix of two rows. */
  firstDifference(a: Row, b: Row): Term {
    const [x, y] = [this.#rowParts(a), this.#rowParts(b)];
    const at = x.findIndex((part, i) => part !== y[i]);
    const turned = (x[at]?.id ?? 0) > (y[at]?.id ?? 0);
    return this.#make("first difference", turned ? [...y, ...x] : [...x, ...y], INT);
  }

  /**
   * Returns an array that holds, from index 0, the items of one row and then those of another. It holds `elsewhere` at
   * all other indices.
   */
  joined(a: Row, b: Row, elsewhere: Term): Term {
    return this.#make("joined", [...this.#rowParts(a), ...this.#rowParts(b), elsewhere], a.array.sort);
  }

  #itemOfJoined({ args }: Term, index: Term): Term {
    const [a, b] = [rowOf(args), rowOf(args.slice(4))];
    const after = this.sub(index, a.length);
    const in_a = this.and(this.le(this.zero, index), this.lt(index, a.length));
    const in_b = this.and(this.le(this.zero, index), this.le(this.zero, after), this.lt(after, b.length));
    const rest = this.ite(in_b, this.itemInRow(b, after), args[8] ?? this.zero);
    return this.ite(in_a, this.itemInRow(a, index), rest);
  }

  itemInRow({ array, start, backwards }: Row, index: Term): Term {
    return this.select(array, backwards ? this.sub(start, index) : this.add(start, index));
  }

  /** Returns an array that holds a row's integers in ascending order, from index 0. */
  sorted(row: Row): Term {
    return this.#make("sorted", this.#rowParts(row), row.array.sort);
  }

  #rowParts({ array, start, backwards, length }: Row): Term[] {
    return [array, start, this.bool(backwards), length];
  }

  floatOp(op: FloatOp, ...args: readonly Term[]): Term {
    // IEEE addition and multiplication are commutative, bit for bit, except for the payload of NaN.
    const ordered = op === "fp.add" || op === "fp.mul" || op === "fp.eq" ? [...args].sort(byId) : args;
    return this.#make(op, ordered, float_results.has(op) ? FLOAT : BOOL);
  }

  /**
   * Replaces some symbols or bound variables in a term by other terms. A variable that the term itself binds is not
   * replaced.
   */
  replace(term: Term, by: ReadonlyMap<Term, Term>): Term {
    const done = new Map<Term, Term>(by);
    const bound = [...by.keys()].filter(({ op }) => op === "bound");
    for (const each of inOrder([term])) {
      if (done.has(each)) continue;
      const args = each.args.map((arg, i) => {
        // This term binds its own variable, which hides an outer variable of the same name.
        const is_own = isBinder(each.op) && i === 2 && bound.some(({ name }) => name === each.name);
        return is_own ? this.replace(arg, withoutVariable(by, each.name)) : (done.get(arg) ?? arg);
      });
      done.set(each, args.every((arg, i) => arg === each.args[i]) ? each : this.rebuilt(each, args));
    }
    return done.get(term) ?? term;
  }

  /** Returns the term with other arguments. */
  rebuilt(term: Term, args: readonly Term[]): Term {
    const [a = term, b = term, c = term] = args;
    switch (term.op) {
      case "literal":
      case "symbol":
      case "bound":
        return term;
      case "forall":
        return this.forAll(this.bound(term.name ?? ""), a, b, c);
      case "sum":
        return this.sum(this.bound(term.name ?? ""), a, b, c);
      case "apply":
        return this.apply(term.name ?? "", args, term.sort);
      case "not":
        return this.not(a);
      case "and":
        return this.and(...args);
      case "or":
        return this.or(...args);
      case "=":
        return this.eq(a, b);
      case "ite":
        return this.ite(a, b, c);
      case "+":
        return args.reduce((x, y) => this.add(x, y));
      case "*":
        return args.reduce((x, y) => this.mul(x, y));
      case "floordiv":
        return this.floorDiv(a, b);
      case "mod":
        return this.mod(a, b);
      case "<=":
        return this.le(a, b);
      case "select":
        return this.select(a, b);
      case "store":
        return this.store(a, b, c);
      case "fill":
        return this.fill(a);
      case "first difference":
        return this.firstDifference(rowOf(args), rowOf(args.slice(4)));
      case "joined":
        return this.joined(rowOf(args), rowOf(args.slice(4)), args[8] ?? this.zero);
      case "sorted":
        return this.sorted(rowOf(args));
      default:
        return this.floatOp(term.op, ...args);
    }
  }
}

const float_results: ReadonlySet<Op> = new Set(["fp.add", "fp.sub", "fp.mul", "fp.div", "fp.sqrt", "fp.neg", "fp.abs"]);

function withoutVariable(by: ReadonlyMap<Term, Term>, name: string | undefined): ReadonlyMap<Term, Term> {
  return new Map([...by].filter(([key]) => key.op !== "bound" || key.name !== name));
}

const no_variables: readonly Term[] = [];

function openIn(op: Op, args: readonly Term[], name: string | undefined): readonly Term[] {
  const open = args.filter((arg) => arg.open.length > 0);
  if (open.length === 0) return no_variables;
  // Only the last argument is in the bound variable's scope.
  const own = (arg: Term) =>
    isBinder(op) && arg === args[2] ? arg.open.filter((each) => each.name !== name) : arg.open;
  return [...new Set(open.flatMap(own))];
}

function byId(a: Term, b: Term): number {
  return a.id - b.id;
}

function monomials(term: Term): Monomial[] {
  return (term.op === "+" ? term.args : [term]).map((part) => {
    if (typeof part.value === "bigint") return { factor: part.value, atoms: [] };
    if (part.op !== "*") return { factor: 1n, atoms: [part] };
    const [first, ...rest] = part.args;
    return typeof first?.value === "bigint" ? { factor: first.value, atoms: rest } : { factor: 1n, atoms: part.args };
  });
}
