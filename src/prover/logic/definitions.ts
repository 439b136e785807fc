/**
 * Defines terms about rows of items for solvers. Each such term becomes a constant that axioms define; each axiom has a
 * trigger. Whatever the arrays contain, such a constant exists, so the axioms assume nothing.
 */
import { isOfRows, type Term } from "./term.ts";

/** A row as it is written in a query. */
interface WrittenRow {
  readonly array: string;
  readonly start: string;
  readonly backwards: boolean;
  readonly length: string;
}

/** Returns the lines that define a term about rows. After these lines, `name` refers to the term. */
export function definition(term: Term, name: string, args: readonly string[]): string[] {
  if (!isOfRows(term.op)) throw new Error("what is not about rows needs no axioms");
  const lines = [`(declare-const ${name} ${term.sort.text})`];
  const row = (at: number): WrittenRow => {
    const [array = "", start = "", backwards = "", length = ""] = args.slice(at, at + 4);
    const own = `${name}.${at}`;
    // An axiom's trigger can't contain `ite`, so every array gets a name.
    lines.push(`(declare-const ${own} ${term.args[at]?.sort.text ?? ""})`, `(assert (= ${own} ${array}))`);
    return { array: own, start, backwards: backwards === "true", length };
  };
  const a = row(0);
  if (term.op === "sorted") return [...lines, ...sort(name, a)];
  const b = row(4);
  return [...lines, ...(term.op === "joined" ? join(name, a, b, args[8] ?? "") : firstDifference(name, a, b))];
}

function itemOf({ array, start, backwards }: WrittenRow, index: string): string {
  return `(select ${array} (${backwards ? "-" : "+"} ${start} ${index}))`;
}

/** Returns the position within a row that an index of its array corresponds to. */
function placeOf({ start, backwards }: WrittenRow, index: string): string {
  return backwards ? `(- ${start} ${index})` : `(- ${index} ${start})`;
}

function forAll(names: readonly string[], body: string, pattern: string): string {
  return `(assert (forall (${names.map((name) => `(${name} Int)`).join(" ")}) (! ${body} :pattern (${pattern}))))`;
}

function firstDifference(name: string, a: WrittenRow, b: WrittenRow): string[] {
  const shorter = `(ite (< ${a.length} ${b.length}) ${a.length} ${b.length})`;
  const agree = (x: WrittenRow, y: WrittenRow) => {
    const k = placeOf(x, "j");
    return forAll(
      ["j"],
      `(=> (and (<= 0 ${k}) (< ${k} ${name})) (= (select ${x.array} j) ${itemOf(y, k)}))`,
      `(select ${x.array} j)`,
    );
  };
  return [
    `(assert (<= 0 ${name}))`,
    `(assert (=> (< 0 ${name}) (<= ${name} ${shorter})))`,
    `(assert (=> (< ${name} ${shorter}) (not (= ${itemOf(a, name)} ${itemOf(b, name)}))))`,
    agree(a, b),
    agree(b, a),
  ];
}

function join(name: string, a: WrittenRow, b: WrittenRow, elsewhere: string): string[] {
  const after = `(- j ${a.length})`;
  const in_b = `(and (<= 0 j) (<= 0 ${after}) (< ${after} ${b.length}))`;
  const item = `(ite (and (<= 0 j) (< j ${a.length})) ${itemOf(a, "j")} (ite ${in_b} ${itemOf(b, after)} ${elsewhere}))`;
  return [forAll(["j"], `(= (select ${name} j) ${item})`, `(select ${name} j)`)];
}

/**
 * Defines an array with the row's items in ascending order. Each sorted item has a place in the row, and each place has
 * a rank.
 */
function sort(name: string, row: WrittenRow): string[] {
  const [place, rank] = [`${name}.place`, `${name}.rank`];
  const within = (each: string) => `(<= 0 ${each}) (< ${each} ${row.length})`;
  const k = placeOf(row, "j");
  return [
    `(declare-fun ${place} (Int) Int)`,
    `(declare-fun ${rank} (Int) Int)`,
    forAll(
      ["i"],
      `(=> (and ${within("i")}) (and ${within(`(${place} i)`)} (= (${rank} (${place} i)) i) (= (select ${name} i) ${itemOf(row, `(${place} i)`)})))`,
      `(select ${name} i)`,
    ),
    forAll(
      ["j"],
      `(=> (and ${within(k)}) (and ${within(`(${rank} ${k})`)} (= (${place} (${rank} ${k})) ${k}) (= (select ${row.array} j) (select ${name} (${rank} ${k})))))`,
      `(select ${row.array} j)`,
    ),
    forAll(
      ["i", "j"],
      `(=> (and (<= 0 i) (<= i j) (< j ${row.length})) (<= (select ${name} i) (select ${name} j)))`,
      `(select ${name} i) (select ${name} j)`,
    ),
  ];
}
