import type { Question as Search } from "../../../../engines/clingo/host.ts";
import type { Clingo, Solved } from "../../../../engines/clingo/index.ts";
import type { ClingoAnswer, Witness } from "../../../../engines/clingo/read.ts";
import { checkNumbers, overflowOfWritten } from "../../../../evidence/asp/overflow.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { endedFromOutside, Fault, readTooLong, stoppedFromOutside } from "../../../../kernel/fault.ts";
import { again } from "../../../../kernel/step.ts";
import { undecided } from "../../../../kernel/verdict.ts";
import {
  type Impossible,
  type Language,
  notBegun,
  type Outcome,
  type SolveContext,
  type SolveOptions,
} from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { byStatement, type Narrowed } from "../../why/parts.ts";
import { notCompared, planAnswer } from "../questions/answer.ts";
import { few_changes } from "../questions/ask.ts";
import { question_kinds } from "../questions/kinds.ts";
import { expectObjective, type Question, questionOf } from "../questions/question.ts";
import { accountOf } from "./account/index.ts";
import { unused } from "./account/unused.ts";
import { answeredBy } from "./all.ts";
import { answerSet } from "./answer_sets.ts";
import { expectUsed, withFacts } from "./data.ts";
import type { Part } from "./explain/cases.ts";
import { conflictOf, placeOf } from "./explain/conflict.ts";
import { explainedBy } from "./explain/why.ts";
import { AspMessages } from "./faults.ts";
import guide from "./guide.md";
import { withBoundsApart } from "./head_bounds.ts";
import { objectiveNote } from "./objective.ts";
import { plainForm } from "./plain.ts";
import { keepRules, type PlanRules, planRules, startRules } from "./plan.ts";
import { type AspProgram, readProgram, withRules, withZeroCost } from "./program.ts";
import { type Asked, argsOf, askedFor, solutionOf, withZeroCosts } from "./question.ts";

const id = "asp";

const asp_slips = [
  { sign: /&&|\band\b/, cure: "a comma joins the conditions of a body: `a :- p, q.`" },
  { sign: /\|\|(?![\w\s]*\|)|\bor\b/, cure: "write two rules for `or` in a body: `a :- p. a :- q.`" },
  {
    sign: /(?:^|[^<])->|(?:^|[^<])=>/,
    cure: "an implication is a rule with its condition after `:-`: `q :- p.`, or `:- p, not q.` to require it",
  },
  {
    sign: /^\s*\?-/,
    cure: "there are no queries: the answer contains all atoms, and `#show p/2.` keeps only those of p",
  },
  { sign: /\b[A-Z]\w*\s+is\s/, cure: "write `Y = X + 1` for `Y is X + 1`" },
  { sign: /\d\.\d/, cure: 'there are no decimals: use smaller units (250 cents for 2.5), or a string: "2.5"' },
  { sign: /<->|<=>/, cure: "write two rules: `q :- p. p :- q.`" },
  { sign: /(?:^|[\s(,{])!\s*[a-z]/, cure: "write `not p` for: p can't be derived" },
  {
    sign: /(?:^|[\s(,{;.])[A-Z]\w*\(/,
    cure: "predicates begin with a lower-case letter, only variables with a capital: `color(red)` for `Color(red)`",
  },
];

/** The language of answer-set programs, which clingo solves. */
export function asp(clingo: Clingo): Language {
  return {
    id,
    also: ["clingo", "gringo"],
    slips: asp_slips,
    takes: ["data", "data_files", "max_models", "all_solutions", "reasoning", "check", "why", ...question_kinds],
    guide: { name: id, title: "How to model in answer-set programming", text: guide },
    valuesOfAtoms: answerSet,
    async check(items, _changed, deadline, data) {
      const program = readProgram(withFacts(items, data));
      const messages = await clingo.check(program.text, deadline);
      if (messages === "stalled") throw stoppedFromOutside("clingo");
      if (messages === "expired" && deadline.is_over) throw readTooLong("clingo", program.text.length, smaller);
      if (messages === "expired" || messages === undefined) throw uncheckable();
      const fault = new AspMessages(program).fault(messages);
      if (fault) throw fault;
      const overflow = overflowOfWritten(program);
      return overflow === undefined ? [] : [`${overflow} If the rules produce such results, the verdict is unknown.`];
    },
    findings: (items, data) => unused(readProgram(withFacts(items, data)), items),
    plain: (filed) => plainForm(clingo, filed),
    async solve(items, context) {
      const { deadline, options, progress } = context;
      const question = questionOf(options);
      const asked = askedFor(options);
      const stated = readProgram(withFacts(items, options.data));
      expectUsed(options.case_data ?? [], stated, items);
      const planned = question?.plan && rulesOfPlan(question, stated);
      if (planned?.reason !== undefined) return notCompared("clingo", planned.reason);
      const written = withBoundsApart(planned ? withRules(stated, planned.rules) : stated);
      const keeps = question?.keep !== undefined;
      const has_objective = hasObjective(written);
      if (question) expectObjective(question, has_objective);
      progress("solving the asp model");
      const whole_reply = await clingo.run(
        deadline,
        startingFrom(options, { program: written.text, args: argsOf(asked) }),
        keeps ? undefined : betterCosts(context, written),
      );
      if (whole_reply === "expired") return notBegun("clingo", never_begun);
      const { reply, changes } = keeps ? withoutChanges(whole_reply) : { reply: whole_reply, changes: undefined };
      const costless = has_objective && asked.reasoning === "models" ? withZeroCosts(reply.answer) : undefined;
      const [solved, program] = costless ? [{ ...reply, answer: costless }, withZeroCost(written)] : [reply, written];
      const outcome = await withOverflow(outcomeOf(solved, asked, program), program, clingo, deadline);
      const explain = (unexplained: Outcome) => explainedBy(clingo, { program, items, outcome: unexplained, context });
      if (planned && outcome.verdict.kind !== "unsat")
        return {
          ...(changes ? amongFew(outcome) : outcome),
          all_answer: planAnswer(outcome, planned.over, planned.left_out ?? [], {
            ...(changes && { changes: { ...changes, atoms: planned.changesTo?.(changes.atoms) ?? [] } }),
          }),
        };
      if (outcome.verdict.kind !== "unsat") {
        const answered = await answeredBy(clingo, program, await explain(outcome), context);
        const { answer } = solved;
        const is_found = outcome.verdict.kind === "sat" && answer.kind === "sat" && asked.reasoning === "models";
        const account = is_found && (await accountOf(clingo, { program, items, witness: answer.witness }, deadline));
        return unconfirmed({ ...answered, ...account }, options);
      }
      progress("finding out which constraints conflict");
      const { asp_conflict_ms, asp_conflict_share } = model_limits;
      const conflict_ms = Math.max(asp_conflict_ms, deadline.left_ms * asp_conflict_share);
      const conflict = await conflictIn(program, clingo, deadline.atMost(conflict_ms));
      const warnings = [...outcome.warnings, ...doubts(conflict)];
      const explained_outcome = await explain({
        ...outcome,
        verdict: { kind: "unsat", ...coreOf(conflict, items) },
        warnings,
      });
      if (planned) return { ...explained_outcome, all_answer: planAnswer(explained_outcome, planned.over, []) };
      return unconfirmed(await answeredBy(clingo, program, explained_outcome, context), options);
    },
  };
}

/** Adds preferences for the atoms of the model's last solution to a search. */
function startingFrom({ hint = {} }: SolveOptions, search: Search): Search {
  const rules = startRules(hint);
  return rules === ""
    ? search
    : { program: `${search.program}\n${rules}`, args: [...search.args, "--heuristic=Domain"] };
}

/** Builds the rules for a plan, and for the costs of changes to the plan given as `keep`. */
function rulesOfPlan({ plan = {}, keep }: Question, program: AspProgram): PlanRules {
  const own = planRules(plan, program);
  if (!keep || own.reason !== undefined) return own;
  const kept = keepRules(keep, program);
  return { ...kept, rules: `${own.rules}\n${kept.rules}`, over: [...new Set([...own.over, ...kept.over])] };
}

/**
 * Separates the first cost, the cost of changes, from clingo's report; returns the report without it, and the cost with
 * its proved lower bound.
 */
function withoutChanges(solved: Solved) {
  const { answer } = solved;
  if (answer.kind !== "sat") return { reply: solved, changes: undefined };
  const [cost = 0] = answer.witness.costs;
  const without = (witness: Witness): Witness => ({ ...witness, costs: witness.costs.slice(1) });
  const reply = { ...answer, witness: without(answer.witness), witnesses: answer.witnesses.map(without) };
  const { atoms } = answer.witness;
  return { reply: { ...solved, answer: reply }, changes: { cost, bound: answer.optimum ? cost : 0, atoms } };
}

function amongFew(outcome: Outcome): Outcome {
  const { verdict } = outcome;
  if (verdict.kind !== "sat" || !verdict.best) return outcome;
  return { ...outcome, verdict: { ...verdict, best: { ...verdict.best, among: few_changes } } };
}

function hasObjective({ statements }: AspProgram): boolean {
  return statements.some(({ tokens }) => /^(:~|#minimi[sz]e|#maximi[sz]e)$/.test(tokens[0]?.text ?? ""));
}

/** Adds the note that `check` confirms nothing, since no other kind of engine reads answer-set programs. */
function unconfirmed(outcome: Outcome, { check = false }: SolveOptions): Outcome {
  const { verdict } = outcome;
  const is_proof = verdict.kind === "unsat" || (verdict.kind === "sat" && verdict.best?.proved === true);
  return check && is_proof ? { ...outcome, unconfirmed: no_second } : outcome;
}

const no_second =
  "clingo is the only engine here that reads answer-set programs; state the model in the language minizinc to have it confirmed";

const never_begun = "No process became free within the time limit; solving was not started.";

/** Reports the objective value of each answer set that improves on the earlier ones. */
function betterCosts({ news }: SolveContext, { turn }: AspProgram): (costs: readonly number[]) => void {
  let last = "";
  return (costs) => {
    const objective = [...turn(costs)];
    const now = objective.join(", ");
    const [first = 0, ...others] = objective;
    if (now !== last)
      news(`found an answer set with the objective ${now}`, { objective: others.length === 0 ? first : objective });
    last = now;
  };
}

function outcomeOf({ answer, engine, doubt }: Solved, asked: Asked, program: AspProgram): Outcome {
  const messages = new AspMessages(program);
  const warnings = [
    ...(doubt ? [doubt] : []),
    ...messages.warnings(answer.messages),
    ...projectNote(program, asked),
    ...objectiveNote(program.statements),
  ];
  const common = { engine, output: [], statistics: answer.statistics, warnings };
  switch (answer.kind) {
    case "error":
      throw messages.fault(answer.messages) ?? broken(answer);
    case "unsat":
      return { ...common, verdict: { kind: "unsat" } };
    case "undecided": {
      const { kind, cause, reason } = answer;
      return { ...common, verdict: { kind, cause, reason } };
    }
    case "sat": {
      const solution = solutionOf(answer, asked, program.turn);
      return { ...common, ...solution, warnings: [...warnings, ...solution.warnings] };
    }
    default:
      return answer satisfies never;
  }
}

/** Rejects a verdict if a number may have exceeded 32 bits. Only warns if there is no verdict anyway. */
async function withOverflow(
  outcome: Outcome,
  program: AspProgram,
  clingo: Clingo,
  deadline: Deadline,
): Promise<Outcome> {
  const { doubt, warning } =
    outcome.verdict.kind === "undecided"
      ? { doubt: undefined, warning: overflowOfWritten(program) }
      : await checkNumbers(clingo, program, deadline.atMost(model_limits.asp_ground_ms_max));
  if (doubt !== undefined) return { ...outcome, verdict: undecided("doubted", doubt) };
  return warning === undefined ? outcome : { ...outcome, warnings: [warning, ...outcome.warnings] };
}

/** Returns the note that answer sets are distinguished by their shown atoms, if the program uses `#project`. */
function projectNote({ statements }: AspProgram, { models, reasoning }: Asked): string[] {
  const projects = statements.some(({ tokens }) => tokens[0]?.text === "#project");
  if (!projects || (models === 1 && reasoning === "models")) return [];
  return [
    "#project has no effect here: answer sets differ if their shown atoms differ, and #show selects the shown atoms.",
  ];
}

/** Finds the conflicting statements, as far as possible; a failure to find them does not affect the verdict. */
async function conflictIn(program: AspProgram, clingo: Clingo, deadline: Deadline): Promise<Narrowed<Part>> {
  try {
    return await clingo.askMany(deadline, (ask, ground) =>
      conflictOf(program, { ask, ground, hasTime: () => !deadline.is_over }),
    );
  } catch (error) {
    if (error instanceof Fault && error.code === "busy") return { all: [], parts: [], smallest: false };
    throw error;
  }
}

function coreOf({ parts }: Narrowed<Part>, items: readonly string[]): Pick<Impossible, "core"> {
  if (parts.length === 0) return {};
  return { core: { items: [...byStatement(parts)].map(([statement, own]) => placeOf(statement, own, items)) } };
}

function doubts({ smallest }: Narrowed<Part>): string[] {
  return smallest
    ? []
    : ["The search for the conflict timed out: a smaller set of these statements may already conflict."];
}

const smaller = "make the item smaller: pools (a; b) in many arguments multiply; use facts and ranges (1..n) instead";

function uncheckable(): Fault {
  return new Fault("input_rejected", "The program could not be read: clingo timed out or ran out of memory on it.", [
    smaller,
    again("send it again if the cause may be temporary"),
  ]);
}

function broken({ how }: Extract<ClingoAnswer, { kind: "error" }>): Fault {
  const outside = endedFromOutside("clingo", how);
  if (outside) return outside;
  return new Fault("engine_failed", `clingo exited without an answer: ${how}. Nothing was decided.`, [
    "make the program or its numbers smaller",
    again("send the call again: the cause may be temporary"),
  ]);
}
