import fc from "fast-check";
import type { Models } from "./models.ts";
import { assertPrinted } from "./seeded.ts";

/** A constraint on a, b and c: its meaning, and a form that each language can write. */
type Constraint =
  | { readonly kind: "linear"; readonly weights: readonly [number, number, number]; readonly at_most: number }
  | { readonly kind: "differ"; readonly one: 0 | 1 | 2; readonly other: 0 | 1 | 2; readonly by: number }
  | { readonly kind: "either"; readonly parts: readonly [Constraint, Constraint] };

/** A small model, and how many of its variables are named in the answer: the others are only said to exist. */
interface RandomModel {
  readonly constraints: readonly Constraint[];
  readonly goal: "satisfy" | "minimize" | "maximize";
  readonly weights: readonly [number, number, number];
  readonly shown: 2 | 3;
}

const names = ["a", "b", "c"] as const;
const largest = 3;

const small = fc.integer({ min: -3, max: 3 });
const weights = fc.tuple(small, small, small).filter((w) => w.some((each) => each !== 0));
const which = fc.constantFrom(0, 1, 2);
const linear = fc.record({ kind: fc.constant("linear"), weights, at_most: fc.integer({ min: -2, max: 7 }) });
const differ = fc
  .record({ kind: fc.constant("differ" as const), one: which, other: which, by: small })
  .filter(({ one, other }) => one !== other);
const simple: fc.Arbitrary<Constraint> = fc.oneof(linear, differ);
const either: fc.Arbitrary<Constraint> = fc.record({ kind: fc.constant("either"), parts: fc.tuple(simple, simple) });

const random_model: fc.Arbitrary<RandomModel> = fc.record({
  constraints: fc.array(fc.oneof(simple, either), { minLength: 1, maxLength: 4 }),
  goal: fc.constantFrom("satisfy", "minimize", "maximize"),
  weights,
  shown: fc.constantFrom(2, 3),
});

type Point = readonly [number, number, number];

const sum = (w: Point, v: Point) => w[0] * v[0] + w[1] * v[1] + w[2] * v[2];

function holds(constraint: Constraint, v: Point): boolean {
  switch (constraint.kind) {
    case "linear":
      return sum(constraint.weights, v) <= constraint.at_most;
    case "differ":
      return v[constraint.one] !== v[constraint.other] + constraint.by;
    case "either":
      return constraint.parts.some((part) => holds(part, v));
    default:
      return constraint satisfies never;
  }
}

/** Every solution with its cost: less is better. */
function solutionsOf({ constraints, goal, weights }: RandomModel): { readonly v: Point; readonly cost: number }[] {
  const range = Array.from({ length: largest + 1 }, (_, i) => i);
  const all = range.flatMap((a) => range.flatMap((b) => range.map((c): Point => [a, b, c])));
  const sign = { satisfy: 0, minimize: 1, maximize: -1 }[goal];
  return all
    .filter((v) => constraints.every((each) => holds(each, v)))
    .map((v) => ({ v, cost: sign * sum(weights, v) }));
}

const linearText = (w: Point, signs = names as readonly string[]) =>
  `${w.map((x, i) => `${x}*${signs[i]}`).join(" + ")}`;
const sides = (each: Extract<Constraint, { kind: "differ" }>) => [names[each.one], `${names[each.other]} + ${each.by}`];

function infix(constraint: Constraint, join: (parts: readonly string[]) => string): string {
  switch (constraint.kind) {
    case "linear":
      return `${linearText(constraint.weights)} <= ${constraint.at_most}`;
    case "differ":
      return sides(constraint).join(" != ");
    case "either":
      return join(constraint.parts.map((part) => infix(part, join)));
    default:
      return constraint satisfies never;
  }
}

const exported = ({ shown }: RandomModel) => `{${names.slice(0, shown).map((name) => `'${name}': ${name}`)}}`;

/** The model as items of a language. */
const texts: Readonly<Record<string, (model: RandomModel) => string[]>> = {
  z3(model) {
    const { constraints, goal, weights } = model;
    return [
      `a, b, c = Ints('a b c')\ns = ${goal === "satisfy" ? "Solver" : "Optimize"}()`,
      `for v in (a, b, c):\n    s.add(v >= 0, v <= ${largest})`,
      ...constraints.map((each) => `s.add(${infix(each, (parts) => `Or(${parts.join(", ")})`)})`),
      ...(goal === "satisfy" ? [] : [`s.${goal}(${linearText(weights)})`]),
      `export_solution(solver=s, variables=${exported(model)})`,
    ];
  },
  cpmpy(model) {
    const { constraints, goal, weights } = model;
    return [
      `a, b, c = (cp.intvar(0, ${largest}, name=n) for n in 'abc')\nm = cp.Model()`,
      "m += a + b + c >= 0",
      ...constraints.map((each) => `m += ${infix(each, (parts) => `(${parts.join(") | (")})`)}`),
      ...(goal === "satisfy" ? [] : [`m.${goal}(${linearText(weights)})`]),
      `m.solve()\nexport_solution(${exported(model)})`,
    ];
  },
  ortools(model) {
    const { constraints, goal, weights } = model;
    const posted = constraints.map((each, i) => {
      if (each.kind !== "either") return `m.add(${infix(each, String)})`;
      // The literals are free where they are not needed: solutions that differ in them alone are one.
      const [one, other] = each.parts.map((part, k) => `m.add(${infix(part, String)}).only_enforce_if(l${i}[${k}])`);
      return `l${i} = [m.new_bool_var('') for _ in range(2)]\nm.add_bool_or(l${i})\n${one}\n${other}`;
    });
    return [
      `m = cp_model.CpModel()\na, b, c = (m.new_int_var(0, ${largest}, n) for n in 'abc')`,
      ...posted,
      ...(goal === "satisfy" ? [] : [`m.${goal}(${linearText(weights)})`]),
      `solver = cp_model.CpSolver()\nsolver.solve(m)\nexport_solution(${exported(model)})`,
    ];
  },
  minizinc({ constraints, goal, weights, shown }) {
    const hidden = shown === 2;
    const body = constraints.map((each) => infix(each, (parts) => `(${parts.join(") \\/ (")})`));
    const objective = goal === "satisfy" ? "satisfy" : `${goal} ${linearText(weights)}`;
    return [
      ...names.map((name) => `var 0..${largest}: ${name}${hidden && name === "c" ? " :: no_output" : ""};`),
      ...body.map((each) => `constraint ${each};`),
      `solve ${objective};`,
    ];
  },
  asp({ constraints, goal, weights, shown }) {
    const values = "v(a,A), v(b,B), v(c,C)";
    const broken = (each: Constraint): string[] =>
      each.kind === "linear"
        ? [`${linearText(each.weights, ["A", "B", "C"])} > ${each.at_most}`]
        : each.kind === "differ"
          ? [
              sides(each)
                .join(" = ")
                .replaceAll(/[abc]/g, (name) => name.toUpperCase()),
            ]
          : each.parts.flatMap(broken);
    const costs = names.map((name, i) => `${weights[i]}*X,${name} : v(${name},X)`);
    return [
      ...names.map((name) => `1 {v(${name},0..${largest})} 1.`),
      ...constraints.map((each) => `:- ${[values, ...broken(each)].join(", ")}.`),
      ...(goal === "satisfy" ? [] : [`#${goal} {${costs.join("; ")}}.`]),
      `at(N,X) :- v(N,X)${shown === 2 ? ", N != c" : ""}.\n#show at/2.`,
    ];
  },
};

type Row = readonly number[];

const key = (row: Row) => row.join();
const distance = (one: Row, other: Row) => one.filter((value, i) => value !== other[i]).length;

/** What is wrong with an answer to a question, judged by all solutions; undefined if it is right. */
function faultIn(
  model: RandomModel,
  question: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>>,
  sign: number,
  by: number,
): string | undefined {
  const all = solutionsOf(model);
  if (all.length === 0) return answer["status"] === "unsat" ? undefined : "it has no solution";
  if (answer["status"] !== "sat") return "it has a solution";
  const least = Math.min(...all.map(({ cost }) => cost));
  const shown = (v: Point) => v.slice(0, model.shown);
  const best = new Map(all.filter(({ cost }) => cost === least).map(({ v }) => [key(shown(v)), shown(v)]));
  if ("count" in question) return countFault(best.size, answer["count"]);
  if ("backbone" in question) return backboneFault([...best.values()], answer["backbone"]);
  const rows = rowsOf(answer["solutions"], model.shown);
  if (new Set(rows.map(key)).size < rows.length) return "a solution is listed twice";
  if ("diverse" in question)
    return diverseFault([...best.values()], rows, Number(question["diverse"]), answer["diverse"], by);
  const costs = new Map<string, number>();
  for (const { v, cost } of all) costs.set(key(shown(v)), Math.min(cost, costs.get(key(shown(v))) ?? cost));
  return rankingFault(costs, rows, Number(question["k_best"]), answer["k_best"], sign);
}

function countFault(size: number, answer: unknown): string | undefined {
  const is_right = typeof answer === "object" && answer !== null && "number" in answer && "exact" in answer;
  return is_right && answer.number === size && answer.exact === true
    ? undefined
    : `${size} and not ${JSON.stringify(answer)}`;
}

interface Lists {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly free?: readonly string[];
  readonly undecided?: readonly string[];
  readonly objectives?: readonly number[];
  readonly proved?: number;
  readonly is_all?: boolean;
  readonly has_tie?: boolean | null;
  readonly distances?: readonly number[];
  readonly farthest?: readonly boolean[];
}

function backboneFault(rows: readonly Row[], answer: unknown): string | undefined {
  const { values = {}, free = [], undecided = [] }: Lists = typeof answer === "object" && answer !== null ? answer : {};
  if (undecided.length > 0) return "something is undecided";
  for (const [i, name] of names.entries()) {
    const [first, ...others] = new Set(rows.map((row) => row[i]));
    if (first === undefined) continue;
    const is_fixed = others.length === 0;
    // Of answer sets, each atom is a value.
    const atom = `at(${name},${first})`;
    if ([...Object.keys(values), ...free].some((path) => path.startsWith("at("))) {
      if (is_fixed !== (values[atom] === true) || is_fixed === free.includes(atom)) return `${atom} is ${is_fixed}`;
      continue;
    }
    if (is_fixed && (values[name] !== first || free.includes(name))) return `${name} is always ${first}`;
    if (!is_fixed && (name in values || !free.includes(name))) return `${name} is not fixed`;
  }
  return undefined;
}

function diverseFault(
  all: readonly Row[],
  rows: readonly Row[],
  wanted: number,
  answer: unknown,
  by: number,
): string | undefined {
  const { distances = [], farthest = [], is_all }: Lists = typeof answer === "object" && answer !== null ? answer : {};
  if (rows.length !== Math.min(wanted, all.length)) return `${rows.length} of ${all.length} solutions`;
  if (is_all === true && rows.length < all.length) return "they are not all";
  const known = new Set(all.map(key));
  if (!rows.every((row) => known.has(key(row)))) return "one is not a solution";
  for (let i = 1; i < rows.length; i++) {
    const before = rows.slice(0, i);
    const to = (row: Row) => by * Math.min(...before.map((each) => distance(each, row)));
    const most = Math.max(...all.map(to));
    if (distances[i - 1] !== to(rows[i] ?? [])) return `the distance ${i} is not ${distances[i - 1]}`;
    if (farthest[i - 1] === true && distances[i - 1] !== most) return `solution ${i} is not the farthest: ${most}`;
    if (farthest[i - 1] !== true) return `solution ${i} is not proved`;
  }
  return undefined;
}

function rankingFault(
  costs: ReadonlyMap<string, number>,
  rows: readonly Row[],
  wanted: number,
  answer: unknown,
  sign: number,
): string | undefined {
  const {
    objectives = [],
    proved,
    is_all,
    has_tie,
  }: Lists = typeof answer === "object" && answer !== null ? answer : {};
  const order = [...costs.values()].toSorted((x, y) => x - y);
  const listed = rows.map((row) => costs.get(key(row)));
  if (rows.length !== Math.min(wanted, order.length) || proved !== rows.length)
    return `${proved} of ${order.length} are ranked`;
  if (listed.some((cost, i) => cost !== order[i] || sign * (objectives[i] ?? Number.NaN) !== cost))
    return `the order is ${order.join()} and not ${objectives.join()}`;
  if (is_all === true && rows.length < order.length) return "they are not all";
  const tie = order[rows.length] !== undefined && order[rows.length] === order[rows.length - 1];
  return has_tie === tie ? undefined : `a tie is ${tie}`;
}

/** The values of a, b, c in listed solutions: by name, or as atoms at(a,1). */
function rowsOf(solutions: unknown, shown: number): Row[] {
  if (!Array.isArray(solutions)) return [];
  return solutions.map((each: Readonly<Record<string, unknown>>) => {
    const at = new Map(Array.isArray(each["at"]) ? each["at"] : []);
    return names.slice(0, shown).map((name) => Number(each[name] ?? at.get(name)));
  });
}

const question: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  fc.constant({ count: true }),
  fc.constant({ backbone: true }),
  fc.record({ k_best: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ diverse: fc.integer({ min: 2, max: 4 }) }),
);

/** Questions about all solutions of random models, against brute force. */
export function assertAnswers(models: Models, language: string, runs: number): Promise<void> {
  const property = fc.asyncProperty(random_model, question, async (model, asked) => {
    fc.pre(!("k_best" in asked) || model.goal !== "satisfy");
    const items = texts[language]?.(model) ?? [];
    const answer = await models.solve(language, [items.join("\n")], 60_000, asked);
    const sign = model.goal === "maximize" ? -1 : 1;
    const fault = faultIn(model, asked, answer, sign, language === "asp" ? 2 : 1);
    if (fault !== undefined) throw new Error([fault, ...items, JSON.stringify([asked, answer])].join("\n"));
  });
  return assertPrinted(`questions in ${language}`, property, runs);
}

/** A value of a plan: out of bounds now and then, or left open. */
const planned = fc.option(fc.integer({ min: 0, max: largest + 1 }), { freq: 3 });

/** Plans for random models, against brute force. */
export function assertPlans(models: Models, language: string, runs: number): Promise<void> {
  const property = fc.asyncProperty(random_model, fc.tuple(planned, planned, planned), async (model, wanted) => {
    // Of a predicate all atoms are given.
    const plan = language === "asp" ? wanted.map((each) => each ?? 0) : wanted;
    const named = names.slice(0, model.shown).map((name, i): [string, number | null] => [name, plan[i] ?? null]);
    const items = texts[language]?.(model) ?? [];
    const model_id = "random_plan";
    await models.call("clear_model", { language, model_id });
    await models.call("add_item", { item: items.join("\n"), model_id });
    const values = language === "asp" ? { at: named } : Object.fromEntries(named);
    const answer = await models.call("check_plan", { model_id, timeout_ms: 60_000, values });
    const fits = solutionsOf(model).filter(({ v }) => named.every(([, value], i) => value === null || v[i] === value));
    const fault = planFault(fits, model, answer);
    if (fault !== undefined) throw new Error([fault, ...items, JSON.stringify([values, answer])].join("\n"));
  });
  return assertPrinted(`plans in ${language}`, property, runs);
}

/** Plans of which as little as possible is changed, for random models, against brute force. */
export function assertKept(models: Models, language: string, runs: number): Promise<void> {
  const cost = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 2 });
  const wanted = fc.record({ plan: fc.tuple(planned, planned, planned), costs: fc.tuple(cost, cost, cost) });
  const property = fc.asyncProperty(random_model, wanted, async (model, { plan: values, costs }) => {
    // The objective itself is nothing that is kept.
    fc.pre(model.goal === "satisfy" || model.weights.filter((each) => each !== 0).length > 1);
    const is_asp = language === "asp";
    const plan = values.map((each) => (is_asp ? (each ?? 0) : each)).slice(0, model.shown);
    fc.pre(plan.some((each, i) => each !== null && (is_asp || costs[i] !== 0)));
    const named = plan.map((value, i): [string, number | null] => [names[i] ?? "", value]);
    const items = texts[language]?.(model) ?? [];
    const pairs = named.flatMap(([name, value], i) => (value === null || costs[i] === null ? [] : [[name, costs[i]]]));
    const weights = is_asp ? {} : Object.fromEntries(pairs);
    const keep = is_asp ? { at: named } : Object.fromEntries(named);
    const answer = await models.solve(language, [items.join("\n")], 60_000, { keep, weights });
    const weightOf = (i: number) => (is_asp ? 2 : (costs[i] ?? 1));
    const changed = (v: Point) =>
      plan.reduce<number>((sum, each, i) => sum + (each === null || each === v[i] ? 0 : weightOf(i)), 0);
    const fault = keptFault(solutionsOf(model), model, answer, changed);
    if (fault !== undefined) throw new Error([fault, ...items, JSON.stringify([keep, weights, answer])].join("\n"));
  });
  return assertPrinted(`plans that are kept in ${language}`, property, runs);
}

function keptFault(
  all: ReturnType<typeof solutionsOf>,
  { goal, shown }: RandomModel,
  answer: Readonly<Record<string, unknown>>,
  changed: (v: Point) => number,
): string | undefined {
  if (all.length === 0) return answer["status"] === "unsat" ? undefined : "no solution is there";
  if (answer["status"] !== "sat") return "a solution is there";
  const fewest = Math.min(...all.map(({ v }) => changed(v)));
  const few = all.filter(({ v }) => changed(v) === fewest);
  const least = Math.min(...few.map(({ cost }) => cost));
  const best = few.filter(({ cost }) => cost === least).map(({ v }) => key(v.slice(0, shown)));
  const [row = []] = rowsOf([answer["model"]], shown);
  if (!best.includes(key(row))) return `the fewest changes cost ${fewest}, with ${best.join(" or ")}`;
  const { number = -1, cost = number, least: is_least }: KeptFields = Object(answer["keep"]);
  if (cost !== fewest || is_least !== true || answer["optimal"] !== true) return `${fewest} is the least cost`;
  const objective = { satisfy: null, minimize: least, maximize: -least }[goal];
  return objective === null || answer["objective"] === objective ? undefined : `the objective is ${objective}`;
}

interface KeptFields {
  readonly number?: number;
  readonly cost?: number;
  readonly least?: boolean;
}

function planFault(
  fits: ReturnType<typeof solutionsOf>,
  { goal, shown }: RandomModel,
  answer: Readonly<Record<string, unknown>>,
): string | undefined {
  if (fits.length === 0) return answer["status"] === "invalid" ? undefined : "no solution has these values";
  if (answer["status"] !== "valid") return "a solution has these values";
  const least = Math.min(...fits.map(({ cost }) => cost));
  const best = fits.filter(({ cost }) => cost === least).map(({ v }) => key(v.slice(0, shown)));
  const [row = []] = rowsOf([answer["values"]], shown);
  if (!best.includes(key(row))) return `the completed plan is ${best.join(" or ")}`;
  const objective = { satisfy: null, minimize: least, maximize: -least }[goal];
  return objective === null || answer["objective"] === objective ? undefined : `the objective is ${objective}`;
}
