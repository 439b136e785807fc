import type { Clingo } from "../../../../../engines/clingo/index.ts";
import type { Witness } from "../../../../../engines/clingo/read.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Term } from "../../../../../kernel/evidence.ts";
import { largestTerms } from "../../../solution/account.ts";
import { showsTerms } from "../all.ts";
import { termsIn } from "../answer_sets.ts";
import { type Goal, goalElements, levelsOf } from "../objective.ts";
import { planRules } from "../plan.ts";
import { type AspProgram, withRules } from "../program.ts";
import { sourceOf } from "./source.ts";

/**
 * The maximum number of atoms: each atom of an answer set excludes others of its predicate, which is slow for many
 * atoms.
 */
const atoms_max = 500;
const head = "cost_of_verdict(";

/**
 * Computes the cost of each weak constraint and each `#minimize` or `#maximize` element in an answer set. To do so, it
 * fixes the answer set's atoms with constraints and lets clingo show the tuples that count. Returns nothing if the
 * tuples do not add up to the costs, or if the computation takes too long. Raises `cancelled`.
 */
export async function termsOf(
  clingo: Clingo,
  program: AspProgram,
  { atoms, costs }: Witness,
  deadline: Deadline,
): Promise<readonly Term[]> {
  if (deadline.is_over || costs.length === 0 || atoms.length > atoms_max || showsTerms(program)) return [];
  const goals = goalElements(program.statements);
  const shows = goals.map((goal, i) => showRule(goal, i, program));
  const { rules } = planRules({ atoms: [...atoms] }, program);
  const text = withRules(program, [rules, ...shows].join("\n")).text;
  const solved = await clingo.run(deadline, { program: text, args: [] });
  if (solved === "expired" || solved.answer.kind !== "sat" || !solved.answer.optimum) return [];
  const { witness } = solved.answer;
  const own = witness.atoms.filter((atom) => !atom.startsWith(head));
  const is_same = own.length === atoms.length && own.every((atom) => atoms.includes(atom));
  if (!is_same || witness.costs.join() !== costs.join()) return [];
  const tuples = witness.atoms
    .filter((atom) => atom.startsWith(head))
    .map((atom) => termsIn(atom.slice(head.length, -1)));
  return termsBy(distinct(tuples), goals, program, costs);
}

/**
 * Builds a rule that shows an element's counted tuples: `cost_of_verdict(number, weight, level, (rest of the tuple,))`.
 */
function showRule({ statement, weight, level, key, condition }: Goal, number: number, program: AspProgram): string {
  const textOf = (tokens: Goal["weight"]) => sourceOf(statement, tokens, program);
  const tuple = key.map((term) => `${textOf(term)},`).join("");
  const count = level ? textOf(level) : "0";
  const body = condition.length > 0 ? textOf(condition) : "#true";
  return `#show ${head}${number},(${textOf(weight)}),(${count}),(${tuple})) : ${body}.`;
}

/** Removes tuples that an earlier element already contributed, since clingo counts each tuple once. */
function distinct(tuples: readonly (readonly string[])[]): (readonly string[])[] {
  const sorted = tuples.toSorted(([a], [b]) => Number(a) - Number(b));
  return [...new Map(sorted.toReversed().map((tuple) => [tuple.slice(1).join(), tuple])).values()];
}

/** Groups the tuples by element and level, if they add up to the cost at each level. */
function termsBy(
  tuples: readonly (readonly string[])[],
  goals: readonly Goal[],
  program: AspProgram,
  costs: readonly number[],
): Term[] {
  const levels = levelsOf(program.statements) ?? [...new Set(tuples.map(([, , level]) => Number(level)))];
  const order = levels.toSorted((a, b) => b - a);
  if (order.length !== costs.length) return [];
  const signs = program.turn(order.map(() => 1));
  const places = new Map(order.map((level, at) => [level, at]));
  const sums = order.map(() => new Map<number, number>());
  for (const [number, weight, level] of tuples) {
    const own = sums[places.get(Number(level)) ?? -1];
    const sign = goals[Number(number)]?.is_largest ? -1 : 1;
    own?.set(Number(number), (own.get(Number(number)) ?? 0) + sign * Number(weight));
  }
  const adds_up = sums.every((own, at) => [...own.values()].reduce((all, each) => all + each, 0) === costs[at]);
  if (!adds_up) return [];
  return sums.flatMap((own, at) => {
    const ending = order.length > 1 ? ` @${order[at]}` : "";
    const terms = [...own].map(([number, cost]) => ({
      term: `${labelOf(goals[number], program)}${ending}`,
      cost: cost * (signs[at] ?? 1),
    }));
    return largestTerms(terms);
  });
}

function labelOf(goal: Goal | undefined, program: AspProgram): string {
  return goal ? sourceOf(goal.statement, goal.condition, program, term_chars_max) : "";
}

const term_chars_max = 100;
