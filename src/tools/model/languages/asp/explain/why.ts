import type { AskShortly, Clingo, GroundShortly } from "../../../../../engines/clingo/index.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import type { Outcome, SolveContext } from "../../../language.ts";
import type { WhyQuestion } from "../../../why/explain.ts";
import { explained, knownAmong } from "../../../why/outcome.ts";
import type { AspProgram } from "../program.ts";
import { partsOf, textWith } from "./cases.ts";
import { isConstraint, isRule, placeOf } from "./conflict.ts";

/** The question and the result to be explained. */
interface Explaining {
  readonly program: AspProgram;
  readonly items: readonly string[];
  readonly outcome: Outcome;
  readonly context: SolveContext;
}

/** Adds an explanation to the outcome, if the call asks for one. Raises `cancelled`. */
export async function explainedBy(clingo: Clingo, asked: Explaining): Promise<Outcome> {
  const { outcome, context } = asked;
  if (context.options.why !== true) return outcome;
  try {
    return await clingo.askMany(context.deadline, (ask, ground) =>
      explained(outcome, context, (about) => whyQuestionOf(about, asked, ask, ground)),
    );
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "busy") throw thrown;
    return { ...outcome, warnings: [...outcome.warnings, `why: ${thrown.message}`] };
  }
}

/**
 * Prepares the question `why`. Leaving out an integrity constraint can only add answer sets. If a program has no answer
 * set even without its constraints, rules are left out too. Since leaving out a rule can also remove answer sets, each
 * set of statements is then tested separately.
 */
async function whyQuestionOf(
  about: WhyQuestion["about"],
  { program, items, outcome }: Explaining,
  ask: AskShortly,
  ground: GroundShortly,
): Promise<Omit<WhyQuestion, "about"> | string> {
  const mode = about === "optimum" ? betterThan(outcome, program) : "ignore";
  if (mode === undefined) return "why: the best costs are not integers, so nothing is explained.";
  const constraints = program.statements.filter(isConstraint);
  const without = textWith(
    program,
    constraints.map((statement) => ({ statement })),
    [],
  );
  const is_enough = about === "optimum" || (await ask(without, mode)) === "sat";
  const suspects = is_enough
    ? constraints
    : program.statements.filter((statement) => isConstraint(statement) || isRule(statement));
  const all = await partsOf(suspects, program, ground);
  const parts = all.map((part) => ({ place: placeOf(part.statement, [part], items) }));
  return {
    parts,
    monotone: is_enough,
    known: about === "unsat" ? knownAmong(parts, outcome.verdict) : undefined,
    async ask(subset) {
      const kept = subset.flatMap((index) => all[index] ?? []);
      return { verdict: (await ask(textWith(program, all, kept), mode)) ?? "open" };
    },
  };
}

/**
 * Returns the clingo mode that accepts only answer sets with better costs. Its bound is the optimal costs, highest
 * level first, with the last cost reduced by one.
 */
function betterThan({ verdict }: Outcome, { turn }: AspProgram): string | undefined {
  const best: unknown = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const costs = turn([best].flat().map(Number));
  if (!costs.every(Number.isSafeInteger)) return undefined;
  return `enum,${costs.map((cost, level) => cost - (level === costs.length - 1 ? 1 : 0)).join(",")}`;
}
