import type { AskShortly, Clingo } from "../../../../engines/clingo/index.ts";
import { Fault } from "../../../../kernel/fault.ts";
import type { Outcome, SolveContext } from "../../language.ts";
import type { WhyQuestion } from "../../why/explain.ts";
import { explained, knownAmong } from "../../why/outcome.ts";
import { isConstraint, isRule, placeOf, textWithout } from "./conflict.ts";
import type { AspProgram, Statement } from "./program.ts";

/** What was solved, and what was found. */
interface Explaining {
  readonly program: AspProgram;
  readonly items: readonly string[];
  readonly outcome: Outcome;
  readonly context: SolveContext;
}

/** The outcome with its explanation, where the call asks for one. Raises `cancelled`. */
export async function explainedBy(clingo: Clingo, asked: Explaining): Promise<Outcome> {
  const { outcome, context } = asked;
  if (context.options.why !== true) return outcome;
  try {
    return await clingo.askMany(context.deadline, (ask) =>
      explained(outcome, context, (about) => whyQuestionOf(about, asked, ask)),
    );
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "busy") throw thrown;
    return { ...outcome, warnings: [...outcome.warnings, `why: ${thrown.message}`] };
  }
}

/**
 * Leaving out an integrity constraint can only add answer sets. Where a program has none without any of them, its rules
 * are left out, too: that can also take answer sets away, so each set of statements is a question of its own.
 */
async function whyQuestionOf(
  about: WhyQuestion["about"],
  { program, items, outcome }: Explaining,
  ask: AskShortly,
): Promise<Omit<WhyQuestion, "about"> | string> {
  const mode = about === "optimum" ? betterThan(outcome) : "ignore";
  if (mode === undefined) return "why: the best costs are not whole numbers, so nothing is explained.";
  const constraints = program.statements.filter(isConstraint);
  const is_enough = about === "optimum" || (await ask(textWithout(program, constraints), mode)) === "sat";
  const suspects = is_enough
    ? constraints
    : program.statements.filter((statement) => isConstraint(statement) || isRule(statement));
  const parts = suspects.map((statement) => ({ place: placeOf(statement, items) }));
  const without = (subset: readonly number[]): Statement[] => {
    const set = new Set(subset);
    return suspects.filter((_, index) => !set.has(index));
  };
  return {
    parts,
    monotone: is_enough,
    known: about === "unsat" ? knownAmong(parts, outcome.verdict) : undefined,
    ask: async (subset) => ({ verdict: (await ask(textWithout(program, without(subset)), mode)) ?? "open" }),
  };
}

/** The mode in which clingo accepts only answer sets with better costs, the first level first: the last cost less one. */
function betterThan({ verdict }: Outcome): string | undefined {
  const best: unknown = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const costs: unknown[] = Array.isArray(best) ? best : [best];
  if (!costs.every((cost) => Number.isSafeInteger(cost))) return undefined;
  return `enum,${costs.map((cost, level) => Number(cost) - (level === costs.length - 1 ? 1 : 0)).join(",")}`;
}
