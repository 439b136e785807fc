/** Writes terms as SMT-LIB queries, each of which any solver can recheck. */
import { definition } from "./definitions.ts";
import { bitsOf, inOrder, isOfRows, type Term, VALUE } from "./term.ts";

/** Defines Python's floor division by SMT-LIB's Euclidean division. The remainder has the divisor's sign. */
const prelude = [
  "(define-fun py_floordiv ((a Int) (b Int)) Int (ite (> b 0) (div a b) (div (- a) (- b))))",
  "(define-fun py_mod ((a Int) (b Int)) Int (ite (> b 0) (mod a b) (- (mod (- a) (- b)))))",
];

const rounded: ReadonlySet<string> = new Set(["fp.add", "fp.sub", "fp.mul", "fp.div", "fp.sqrt"]);

/** Returns a query that asserts terms, and the names of the `shown` terms in it. */
export function assertions(asserted: readonly Term[], shown: readonly Term[] = []) {
  const all = inOrder([...asserted, ...shown]);
  const uses = new Map<Term, number>();
  for (const term of all) {
    // A row's definition mentions each part several times.
    const times = isOfRows(term.op) ? 2 : 1;
    for (const arg of term.args) uses.set(arg, (uses.get(arg) ?? 0) + times);
  }
  const names = new Map<Term, string>();
  const families = familiesOf(all);
  const lines = [...prelude, ...declarations(all)];
  for (const term of all) {
    const family = families.get(familyKey(term));
    if (family) {
      if (!family.is_defined) lines.push(...family.definition(names));
      family.is_defined = true;
      const [from = "", to = ""] = term.args.map((arg) => names.get(arg) ?? "");
      names.set(term, family.of(from, to));
      continue;
    }
    if (isOfRows(term.op)) {
      names.set(term, `t${term.id}`);
      lines.push(
        ...definition(
          term,
          `t${term.id}`,
          term.args.map((arg) => names.get(arg) ?? ""),
        ),
      );
      continue;
    }
    const text = write(term, names);
    if (term.args.length > 0 && (uses.get(term) ?? 0) > 1) {
      // The definition is a function of the term's bound variables, since these are unknown outside the term that binds
      // them.
      const variables = term.open.map(({ name }) => `|${name}|`);
      names.set(term, variables.length > 0 ? `(t${term.id} ${variables.join(" ")})` : `t${term.id}`);
      const parameters = variables.map((each) => `(${each} Int)`).join(" ");
      lines.push(`(define-fun t${term.id} (${parameters}) ${term.sort.text} ${text})`);
    } else names.set(term, text);
  }
  for (const term of asserted) lines.push(`(assert ${names.get(term) ?? "true"})`);
  return { text: lines.join("\n"), names: shown.map((term) => names.get(term) ?? "true") };
}

/** All sums with the same summand, as a function of their range and of the bound variables in the summand. */
interface Family {
  is_defined: boolean;
  of(from: string, to: string): string;
  definition(names: ReadonlyMap<Term, string>): string[];
}

function familyKey({ op, name, args }: Term): string {
  return op === "sum" ? `${name} ${args[2]?.id}` : "";
}

/**
 * Returns the families of sums that contain bound variables. Each family has a second, equal function that does not
 * trigger the axioms. So each sum is unrolled by one item at its end and at its beginning, and no further.
 */
function familiesOf(all: readonly Term[]): Map<string, Family> {
  const open = all.filter((term) => term.op === "sum" && term.open.length > 0);
  return new Map(
    open.map((sum): [string, Family] => {
      const [, , body] = sum.args;
      if (!body) throw new Error("a sum has a summand");
      const own = `|${sum.name}|`;
      const others = body.open.map(({ name }) => `|${name}|`).filter((each) => each !== own);
      const [first, second] = [`sums${body.id}`, `sums${body.id}.once`];
      const [from, to] = ["|sum from|", "|sum to|"];
      const apply = (name: string, low: string, high: string) => `(${[name, low, high, ...others].join(" ")})`;
      const bound = [from, to, ...others].map((each) => `(${each} Int)`).join(" ");
      const whole = apply(first, from, to);
      const axiom = (fact: string) => `(assert (forall (${bound}) (! ${fact} :pattern (${whole}))))`;
      const definition = (names: ReadonlyMap<Term, string>) => {
        const item = (place: string) => `(let ((${own} ${place})) ${names.get(body) ?? ""})`;
        const sorts = ["Int", "Int", ...others.map(() => "Int")].join(" ");
        return [
          ...[first, second].map((name) => `(declare-fun ${name} (${sorts}) Int)`),
          axiom(`(= ${whole} ${apply(second, from, to)})`),
          axiom(`(=> (<= ${to} ${from}) (= ${whole} 0))`),
          axiom(`(=> (< ${from} ${to}) (= ${whole} (+ ${apply(second, from, `(- ${to} 1)`)} ${item(`(- ${to} 1)`)})))`),
          axiom(`(=> (< ${from} ${to}) (= ${whole} (+ ${item(from)} ${apply(second, `(+ ${from} 1)`, to)})))`),
        ];
      };
      return [familyKey(sum), { is_defined: false, of: (low, high) => apply(first, low, high), definition }];
    }),
  );
}

function declarations(all: readonly Term[]): string[] {
  const lines = new Set<string>();
  if (all.some(({ sort }) => sort.text.includes(VALUE.text))) lines.add(`(declare-sort ${VALUE.text} 0)`);
  for (const { id, op, name, args, sort } of all) {
    // A sum is an unknown number in the query. folds.ts provides the facts about it that a question needs.
    if (op === "sum") lines.add(`(declare-const sum${id} Int)`);
    if (op !== "symbol" && op !== "apply") continue;
    lines.add(`(declare-fun |${name}| (${args.map((arg) => arg.sort.text).join(" ")}) ${sort.text})`);
  }
  return [...lines];
}

function write(term: Term, names: ReadonlyMap<Term, string>): string {
  const args = term.args.map((arg) => names.get(arg) ?? "");
  switch (term.op) {
    case "literal":
      return literal(term.value);
    case "symbol":
    case "bound":
      return `|${term.name}|`;
    case "forall": {
      const [from = "", to = "", body = ""] = args;
      const place = `|${term.name}|`;
      return `(forall ((${place} Int)) (=> (and (<= ${from} ${place}) (< ${place} ${to})) ${body}))`;
    }
    case "sum":
      return `sum${term.id}`;
    case "apply":
      return `(|${term.name}| ${args.join(" ")})`;
    case "floordiv":
      return `(py_floordiv ${args.join(" ")})`;
    case "mod":
      return `(py_mod ${args.join(" ")})`;
    case "fill":
      return `((as const ${term.sort.text}) ${args.join(" ")})`;
    default:
      return `(${term.op} ${rounded.has(term.op) ? "RNE " : ""}${args.join(" ")})`;
  }
}

function literal(value: bigint | boolean | number | undefined): string {
  if (typeof value === "bigint") return value < 0n ? `(- ${-value})` : String(value);
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "(_ NaN 11 53)";
  const bits = BigInt(`0x${bitsOf(value)}`)
    .toString(2)
    .padStart(64, "0");
  return `(fp #b${bits.slice(0, 1)} #b${bits.slice(1, 12)} #b${bits.slice(12)})`;
}
