import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Language, Outcome, SolveContext, Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import { divided } from "./item.ts";
import { mutantsOf, valuesWith } from "./mutants.ts";
import { type CheckerResult, judged, noticedOf, shownIn } from "./result.ts";
import { type CheckerPython, checker_program, resultOf, runChecker } from "./run.ts";

/** A checker as an item of a model. */
type Item = NonNullable<ReturnType<typeof divided>["checker"]>;

/** The compiler reports a new method of `Language` that takes items, because a checker must be removed from them. */
type WithoutItems = Pick<Language, "id"> & {
  readonly [K in keyof Omit<Language, "valuesOfAtoms">]?: TakesItems<NonNullable<Language[K]>> extends true
    ? never
    : Language[K];
};
type TakesItems<T> = T extends (items: readonly string[], ...rest: never[]) => unknown ? true : false;

/**
 * Extends a language so that its models can have a checker: an item that is not part of the program but is run on the
 * program's answers.
 */
export function withChecker(language: Language, python: CheckerPython): Language {
  const { check, solve, plain, remarksBesideSolving, findings, solvingPlace, ...others } = language;
  const unchanged = others satisfies WithoutItems;
  return {
    ...unchanged,
    ...(remarksBesideSolving && {
      remarksBesideSolving: (items: readonly string[]) => remarksBesideSolving(divided(items).program),
    }),
    ...(solvingPlace && { solvingPlace: (items: readonly string[]) => solvingPlace(divided(items).program) }),
    ...(findings && {
      findings: (items: readonly string[], data?: SolveContext["options"]["data"]) =>
        findings(divided(items).program, data),
    }),
    async check(items, changed, deadline, data) {
      const { program, checker } = divided(items);
      const is_of_program = checker === undefined || changed !== checker.item;
      const has_program = program.some((text) => text !== "");
      const warnings = is_of_program && has_program ? await check(program, changed, deadline, data) : [];
      if (!checker) return warnings;
      return [...warnings, ...(await remarksOn(python, checker, deadline, data))];
    },
    plain: (model, deadline) => plain({ ...model, items: divided(model.items).program }, deadline),
    async solve(items, context) {
      const { program, checker } = divided(items);
      if (!checker) return solve(items, context);
      if (program.every((text) => text === "")) throw onlyChecker();
      const remarks = await remarksOn(python, checker, context.deadline, context.options.data);
      const kept_ms = Math.min(
        model_limits.checker_kept_ms,
        context.deadline.left_ms * model_limits.checker_kept_share,
      );
      const outcome = await solve(program, { ...context, deadline: context.deadline.earlierBy(kept_ms) });
      const checked = await checkedBy(python, checker, outcome, context, {
        ...language,
        isAllowed: asking(language, program, context),
      });
      return { ...checked, warnings: [...remarks, ...checked.warnings] };
    },
  };
}

/** Reads a checker without running it. Returns remarks. Raises the faults of its text. */
async function remarksOn(
  python: CheckerPython,
  { item, text }: Item,
  deadline: Deadline,
  data: SolveContext["options"]["data"],
): Promise<readonly string[]> {
  try {
    const read = { language: checker_program, items: [text], has_data: data !== undefined };
    const { fault, warnings } = await python.check(read, deadline);
    if (fault) throw refusal(fault, item);
    python.prepare(checker_program);
    return warnings.map((warning) => warning.replace(/^item 0,/, `item ${item},`));
  } catch (thrown) {
    // Without Python, the model can still be solved. The answer then states that it was not checked.
    if (thrown instanceof Fault && (thrown.code === "engine_missing" || thrown.code === "busy"))
      return [`item ${item}: the checker could not be read. ${thrown.message}`];
    throw thrown;
  }
}

type TextFault = NonNullable<Awaited<ReturnType<CheckerPython["check"]>>["fault"]>;

function refusal({ code, message, steps, line, column }: TextFault, item: number): Fault {
  const where = `Item ${item}, line ${line}: `;
  return new Fault(code, { where, what: `${message} This item is the checker.` }, steps, { item, line, column });
}

async function checkedBy(
  python: CheckerPython,
  item: Item,
  outcome: Outcome,
  { deadline, progress, options }: SolveContext,
  { valuesOfAtoms, isAllowed }: Pick<Language, "valuesOfAtoms"> & { readonly isAllowed: IsAllowed },
): Promise<Outcome> {
  // If the model does not allow a plan, the checker's rules that the plan violates are also of interest.
  const is_refused = options.plan !== undefined && outcome.verdict.kind === "unsat";
  const shown = is_refused ? [{ name: "", values: options.plan ?? {} }] : shownIn(outcome.verdict);
  const answers = shown.map(({ values }) => values);
  const [first] = answers;
  if (!first)
    return "witness" in outcome.verdict && "not_shown" in outcome.verdict.witness ? judged(outcome, unseen) : outcome;
  progress("running the checker");
  const checker = { ...item, data: options.data ?? {} };
  const cases = answers.map((_, answer) => ({ answer, changes: [] }));
  const result = resultOf(shown, await runChecker(python, checker, { answers, cases }, deadline));
  // There can be many plans, and the checker was already tested on the model's own answer.
  if (result.status !== "passed" || options.plan !== undefined) return judged(outcome, result);
  const mutants = mutantsOf(first, valuesOfAtoms);
  const tests = mutants.map(({ changes }) => ({ answer: 0, changes }));
  const bounded = deadline.atMost(model_limits.mutants_ms_max);
  const { said } = await runChecker(python, checker, { answers: [first], cases: tests, goes_on: true }, bounded);
  const doubt = noticedOf(mutants, said);
  const missed = said.filter(
    ({ case: index, texts }) => texts.length === 0 && doubt.never.includes(mutants[index]?.name ?? ""),
  );
  const plans = missed.slice(0, model_limits.mutants_asked_max).map(({ case: index }) => ({
    index,
    plan: valuesWith(first, mutants[index]?.changes ?? []),
  }));
  const most_ms = Math.min(model_limits.mutants_asked_ms_max, deadline.left_ms * model_limits.mutants_asked_share);
  const allowed = await allowedOf(plans, isAllowed, most_ms);
  return judged(outcome, { ...result, mutants: noticedOf(mutants, said, allowed) });
}

/** An answer without values can't be checked. */
const unseen: CheckerResult = {
  ...{ status: "failed", violations: [], violated: 0, checked: 0 },
  reason: "the answer shows no values; export them.",
};

/** Returns which changed answers the model allows, by index, as far as this can be decided in a short time. */
async function allowedOf(
  plans: readonly { readonly index: number; readonly plan: Values }[],
  isAllowed: IsAllowed,
  most_ms: number,
): Promise<Map<number, boolean>> {
  const start = performance.now();
  const allowed = new Map<number, boolean>();
  for (const { index, plan } of plans) {
    const left_ms = most_ms - (performance.now() - start);
    const is_allowed = left_ms > 0 ? await isAllowed(plan, left_ms) : undefined;
    if (is_allowed !== undefined) allowed.set(index, is_allowed);
  }
  return allowed;
}

/** Whether the model has a solution with these values; undefined if this was not decided. */
type IsAllowed = (plan: Values, ms: number) => Promise<boolean | undefined>;

function asking(language: Language, program: readonly string[], context: SolveContext): IsAllowed {
  return async (plan, ms) => {
    const { data, data_kept, solver } = context.options;
    const options = { plan, ...(data && { data }), ...(data_kept && { data_kept }), ...(solver && { solver }) };
    const own = { ...context, options, news: () => {}, deadline: context.deadline.atMost(ms) };
    try {
      const { all_answer } = await language.solve(program, own);
      return all_answer?.kind === "plan" ? all_answer.possible : undefined;
    } catch (thrown) {
      // The plan contains a value that no variable can take.
      if (thrown instanceof Fault && thrown.code === "invalid_argument") return false;
      if (thrown instanceof Fault && thrown.code !== "cancelled") return undefined;
      throw thrown;
    }
  };
}

function onlyChecker(): Fault {
  return new Fault("input_rejected", "The model has only a checker: there is nothing to solve.", [
    "add declarations and constraints with add_item",
    "pass model_id if you meant a different model",
  ]);
}
