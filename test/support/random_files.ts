import { Chance } from "./chance.ts";
import { openModels } from "./models.ts";

/** A text in a format of files, and what it means by all of its values. */
export interface RandomFile {
  readonly format: string;
  readonly text: string;
  readonly language?: string;
  /** The best value; "unsat", or "sat" where nothing is optimised. */
  readonly best: number | "unsat" | "sat";
}

interface Row {
  readonly weights: readonly number[];
  readonly low: number;
  readonly high: number;
}

interface Model {
  readonly ranges: readonly (readonly [low: number, high: number])[];
  readonly rows: readonly Row[];
  readonly weights: readonly number[];
  readonly constant: number;
  readonly is_least: boolean;
}

const formats = ["mps", "lp", "opb", "wbo", "cnf", "wcnf", "wcnf with a header"] as const;

/** A random file of one of the formats, each as often as the others. */
export function randomFile(seed: number): RandomFile {
  const chance = new Chance(seed);
  const random: Random = (least, most) => chance.between(least, most);
  const format = formats[seed % formats.length] ?? "mps";
  if (format === "mps" || format === "lp") {
    const model = linear(random);
    return { format, text: (format === "mps" ? mps : lp)(model, random), best: bestOf(model) };
  }
  return format === "opb" || format === "wbo" ? pseudoBoolean(format, random) : clauses(format, random);
}

/** Solves random files from a seed on; gives those whose answer is not what all values show. */
export async function filesAnsweredWrong(seed: number, count: number): Promise<unknown[]> {
  const models = await openModels({ packages: "cp" });
  try {
    const wrong: unknown[] = [];
    for (let at = seed; at < seed + count; at++) {
      const { text, best, language } = randomFile(at);
      const answer = await models.call("solve", { model: text, timeout_ms: 30_000, ...(language && { language }) });
      const { status, objective_value, optimal } = answer;
      const got = status === "sat" && best !== "sat" && optimal === true ? objective_value : status;
      if (got !== best) wrong.push({ at, text, best, got, answer });
    }
    return wrong;
  } finally {
    models.close();
  }
}

type Random = (least: number, most: number) => number;
type Values = readonly number[];

const listOf = <Each>(count: number, make: (index: number) => Each) => Array.from({ length: count }, (_, i) => make(i));
const sumOf = (weights: readonly number[], values: Values) =>
  weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), 0);

function allValues(ranges: Model["ranges"]): Values[] {
  return ranges.reduce<Values[]>(
    (all, [low, high]) => all.flatMap((values) => listOf(high - low + 1, (i) => [...values, low + i])),
    [[]],
  );
}

function linear(random: Random): Model {
  const count = random(1, 3);
  // Halves are exact in floats, so that the sums here are, too.
  const weight = () => random(-9, 9) / 2;
  return {
    ranges: listOf(count, () => [random(-2, 1), random(1, 3)] as const),
    rows: listOf(random(1, 3), () => {
      const [low, kind] = [weight(), random(0, 3)];
      const ends = [
        { low, high: Number.POSITIVE_INFINITY },
        { low: Number.NEGATIVE_INFINITY, high: low },
        { low, high: low },
        { low, high: low + random(1, 6) / 2 },
      ];
      return { weights: listOf(count, weight), ...(ends[kind] ?? { low, high: low }) };
    }),
    weights: listOf(count, weight),
    constant: weight(),
    is_least: random(0, 1) === 0,
  };
}

function bestOf({ ranges, rows, weights, constant, is_least }: Model): number | "unsat" {
  const inside = ({ weights, low, high }: Row, values: Values) =>
    sumOf(weights, values) >= low && sumOf(weights, values) <= high;
  const possible = allValues(ranges).filter((values) => rows.every((row) => inside(row, values)));
  if (possible.length === 0) return "unsat";
  const objectives = possible.map((values) => sumOf(weights, values) + constant);
  return is_least ? Math.min(...objectives) : Math.max(...objectives);
}

function mps({ ranges, rows, weights, constant, is_least }: Model, random: Random): string {
  const kinds = rows.map(({ low, high }) => {
    if (low === high) return "E";
    if (low === Number.NEGATIVE_INFINITY) return "L";
    return high === Number.POSITIVE_INFINITY ? "G" : (["L", "G", "E"][random(0, 2)] ?? "L");
  });
  const right = rows.map(({ low, high }, i) => (kinds[i] === "L" ? high : low));
  const columns = ranges.flatMap((_, i) => [
    `    x${i}  goal  ${weights[i]}`,
    ...rows.map((row, r) => `    x${i}  r${r}  ${row.weights[i]}`),
  ]);
  const bounds = ranges.flatMap(([low, high], i) => [
    ` ${random(0, 1) ? "LO" : "LI"} B  x${i}  ${low}`,
    ` ${random(0, 1) ? "UP" : "UI"} B  x${i}  ${high}`,
  ]);
  const spans = rows.flatMap(({ low, high }, r) =>
    low !== high && Number.isFinite(low) && Number.isFinite(high) ? [`    S  r${r}  ${high - low}`] : [],
  );
  return [
    "NAME own",
    ...(is_least ? [] : ["OBJSENSE", "    MAX"]),
    "ROWS",
    " N  goal",
    ...kinds.map((kind, r) => ` ${kind}  r${r}`),
    "COLUMNS",
    "    M  'MARKER'  'INTORG'",
    ...columns,
    "    M  'MARKER'  'INTEND'",
    "RHS",
    `    R  goal  ${-constant}`,
    ...right.map((value, r) => `    R  r${r}  ${value}`),
    ...(spans.length > 0 ? ["RANGES", ...spans] : []),
    "BOUNDS",
    ...bounds,
    "ENDATA\n",
  ].join("\n");
}

function lp({ ranges, rows, weights, constant, is_least }: Model, random: Random): string {
  const shown = (each: readonly number[]) =>
    each.map((weight, i) => `${weight < 0 ? "-" : "+"} ${Math.abs(weight)} x${i}`).join(random(0, 1) ? " " : "\n   ");
  const rowOf = ({ weights, low, high }: Row, r: number) => {
    const sum = shown(weights);
    const in_line = sum.replaceAll("\n", " ");
    if (low === high) return ` r${r}: ${sum} = ${low}`;
    if (low === Number.NEGATIVE_INFINITY)
      return random(0, 1) ? ` r${r}: ${sum} <= ${high}` : ` r${r}: ${high} >= ${in_line}`;
    return high === Number.POSITIVE_INFINITY
      ? ` more${r}: ${sum} >= ${low}`
      : ` r${r}: ${low} <= ${in_line} <= ${high}`;
  };
  return [
    is_least ? "Minimize" : "MAX",
    ` goal: ${shown(weights)} ${constant < 0 ? "-" : "+"} ${Math.abs(constant)}`,
    "Subject To",
    ...rows.map(rowOf),
    "Bounds",
    ...ranges.map(([low, high], i) => ` ${low} <= x${i} <= ${high}`),
    "General",
    ` ${ranges.map((_, i) => `x${i}`).join(" ")}`,
    "End\n",
  ].join("\n");
}

/** A product of literals with a weight; a literal is the number of a variable, negative for its opposite. */
interface Term {
  readonly weight: number;
  readonly literals: readonly number[];
}

const isTrue = (literal: number, values: Values) => (values[Math.abs(literal) - 1] === 1) === literal > 0;
const amountOf = (terms: readonly Term[], values: Values) =>
  terms.reduce((sum, { weight, literals }) => sum + (literals.every((each) => isTrue(each, values)) ? weight : 0), 0);
const termsShown = (terms: readonly Term[]) =>
  terms
    .map(({ weight, literals }) => {
      const names = literals.map((each) => `${each < 0 ? "~" : ""}x${Math.abs(each)}`);
      return `${weight < 0 ? "" : "+"}${weight} ${names.join(" ")}`;
    })
    .join(" ");

function pseudoBoolean(format: "opb" | "wbo", random: Random): RandomFile {
  const count = random(2, 4);
  const literal = () => random(1, count) * (random(0, 1) ? 1 : -1);
  const sum = () => listOf(random(1, 4), () => ({ weight: random(-5, 5), literals: listOf(random(1, 2), literal) }));
  const constraints = listOf(random(1, 4), () => ({
    terms: sum(),
    sense: [">=", "<=", "="][random(0, 2)] ?? ">=",
    right: random(-4, 4),
    cost: format === "wbo" && random(0, 1) ? random(1, 9) : undefined,
  }));
  // A file without a soft constraint, or without a weight, has no objective.
  if (format === "wbo") constraints.push({ terms: sum(), sense: ">=", right: 0, cost: random(1, 9) });
  const goal = [...sum(), { weight: 1, literals: [1] }];
  const holds = ({ terms, sense, right }: (typeof constraints)[number], values: Values) => {
    const value = amountOf(terms, values);
    return sense === ">=" ? value >= right : sense === "<=" ? value <= right : value === right;
  };
  const possible = allValues(listOf(count, () => [0, 1] as const)).filter((values) =>
    constraints.every((each) => each.cost !== undefined || holds(each, values)),
  );
  const costs = possible.map((values) =>
    format === "opb"
      ? amountOf(goal, values)
      : constraints.reduce((all, each) => all + (holds(each, values) ? 0 : (each.cost ?? 0)), 0),
  );
  const top = random(3, 15);
  const allowed = format === "opb" ? costs : costs.filter((cost) => cost < top);
  const lines = [
    `* #variable= ${count} #constraint= ${constraints.length}`,
    format === "opb" ? `min: ${termsShown(goal)} ;` : `soft: ${top} ;`,
    ...constraints.map(
      ({ terms, sense, right, cost }) =>
        `${cost === undefined ? "" : `[${cost}] `}${termsShown(terms)} ${sense} ${right} ;`,
    ),
  ];
  return { format, text: `${lines.join("\n")}\n`, best: allowed.length > 0 ? Math.min(...allowed) : "unsat" };
}

function clauses(format: (typeof formats)[number], random: Random): RandomFile {
  const count = random(2, 5);
  const all = listOf(random(2, 12), () => ({
    literals: listOf(random(1, 3), () => random(1, count) * (random(0, 1) ? 1 : -1)),
    weight: format === "cnf" || random(0, 1) ? undefined : random(1, 9),
  }));
  // A file without a soft clause has no objective in each language.
  if (format !== "cnf") all.push({ literals: [random(1, count)], weight: random(1, 9) });
  // Without a header it is the hard clauses that show the form.
  const stated = format === "wcnf" ? [{ literals: [1, -1], weight: undefined }, ...all] : all;
  const top = 100;
  const costs = allValues(listOf(count, () => [0, 1] as const)).flatMap((values) => {
    const broken = stated.filter(({ literals }) => !literals.some((each) => isTrue(each, values)));
    return broken.some(({ weight }) => weight === undefined)
      ? []
      : [
          sumOf(
            broken.map(({ weight = 0 }) => weight),
            broken.map(() => 1),
          ),
        ];
  });
  const header = {
    cnf: `p cnf ${count} ${stated.length}\n`,
    "wcnf with a header": `p wcnf ${count} ${stated.length} ${top}\n`,
  };
  const hard = { cnf: "", wcnf: "h " }[format === "cnf" || format === "wcnf" ? format : "cnf"];
  const begin = (weight: number | undefined) =>
    weight !== undefined ? `${weight} ` : format === "wcnf with a header" ? `${top} ` : hard;
  const lines = stated.map(({ literals, weight }) => `${begin(weight)}${literals.join(" ")} 0\n`);
  const best = costs.length === 0 ? "unsat" : format === "cnf" ? "sat" : Math.min(...costs);
  const text = `${format === "cnf" || format === "wcnf with a header" ? header[format] : ""}${lines.join("")}`;
  return { format, text, best, ...(random(0, 1) && { language: "ortools" }) };
}
