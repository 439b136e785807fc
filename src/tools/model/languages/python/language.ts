import * as z from "zod/v4";
import type { ProgramReply, Python } from "../../../../engines/python/index.ts";
import type { JobEnd, ProgramError } from "../../../../engines/python/talk.ts";
import { after_a_kill, Fault, type Position } from "../../../../kernel/fault.ts";
import { type Limit, limitReached } from "../../../../kernel/verdict.ts";
import { type Language, notBegun, type Outcome, type SolveContext, type SolveOptions } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { type Claim, readClaim } from "./claim.ts";
import { type Hint, hintsFor } from "./hints.ts";
import { type Rechecked, rechecked } from "./recheck.ts";

export interface PythonLanguage extends Pick<Language, "id" | "also" | "slips"> {
  readonly title: string;
  readonly guide: string;
  /** Steps for the exceptions of its programs, besides those of Python itself. */
  readonly hints: readonly Hint[];
  /** The options of `solve_model` that its runner takes; none where it is left out. */
  readonly takes?: Language["takes"];
}

/** A modelling language whose items are Python, run in the sandbox. */
export function pythonLanguage(
  python: Python,
  { title, guide, hints, takes = [], ...names }: PythonLanguage,
): Language {
  const { id } = names;
  return {
    ...names,
    takes,
    guide: { name: id, title, text: guide },
    async check(items, _changed, deadline) {
      const { fault, warnings } = await python.check(id, items, deadline);
      if (fault) throw refusal(fault, fault);
      // A client that builds a model will solve it: its process is started in advance.
      python.prepare(id);
      return warnings;
    },
    async solve(items, { deadline, progress, news, options }: SolveContext) {
      progress(`the ${id} model is being solved`);
      return python
        .turn(
          deadline,
          progress,
          async (run) => {
            const program = takes.length > 0 ? { items, request: requestOf(options) } : { items };
            const reply = await run(id, program, deadline, (found) => tellIncumbent(found, news));
            return reply === "expired"
              ? reply
              : outcomeOf(id, hints, reply, (claim) => rechecked(run, id, claim, deadline));
          },
          id,
        )
        .then((outcome) => (outcome === "expired" ? notBegun(`${id} (python)`, never_begun) : outcome));
    },
  };
}

/** The options as the runner reads them: how many solutions, and by which solver. */
function requestOf({ solver, all_solutions, max_solutions }: SolveOptions): Record<string, unknown> {
  const solutions = max_solutions ?? (all_solutions ? model_limits.solutions_max : undefined);
  return { ...(solver !== undefined && { solver }), ...(solutions !== undefined && { solutions }) };
}

const Incumbent = z.object({ incumbent: z.number(), seconds: z.number() });

/** Passes on a better solution that was found on the way. */
function tellIncumbent(found: unknown, news: (message: string) => void): void {
  const read = Incumbent.safeParse(found);
  if (read.success) news(`objective ${read.data.incumbent} after ${read.data.seconds} s`);
}

const never_begun = "No process became free within the time limit; solving was not started.";

async function outcomeOf(
  id: string,
  hints: readonly Hint[],
  reply: ProgramReply,
  recheck: (claim: Claim) => Promise<Rechecked>,
): Promise<Outcome> {
  const version = reply.versions[id];
  const common = {
    output: outputOf(reply),
    engine: `${id}${version === undefined ? "" : ` ${version}`} (python)`,
  };
  const { end } = reply;
  if (end.kind === "error" && end.error.kind !== "memory") throw programFault(end.error, hints);
  if (end.kind === "died") throw died(end);
  if (end.kind !== "result") return { verdict: limitReached(limitOf(end)), statistics: {}, warnings: [], ...common };
  const claim = readClaim(end.result);
  const engine = claim.engine === undefined ? common.engine : `${claim.engine} by ${common.engine}`;
  return { statistics: claim.statistics, ...(await recheck(claim)), ...common, engine };
}

function limitOf({ kind }: Exclude<JobEnd, { kind: "result" | "died" }>): Limit {
  if (kind === "deadline") return "time";
  return kind === "output" ? "output" : "memory";
}

function outputOf({ printed, unprinted }: ProgramReply): string[] {
  const lines = printed === "" ? [] : printed.replace(/\n$/, "").split("\n");
  return unprinted > 0 ? [...lines, `… ${unprinted} further characters were not kept`] : lines;
}

/** The error of a program, its position, and how to correct it. */
function programFault(error: ProgramError, hints: readonly Hint[]): Fault {
  if (error.log) console.error(error.log);
  if (error.kind === "internal" || error.kind === "unprintable") {
    return new Fault(
      "engine_failed",
      `The engine failed on this model (${error.type ?? error.kind}: ${error.message}).`,
      ["simplify the item that was added last", "export only numbers, strings, and lists and dictionaries of these"],
    );
  }
  if (error.kind === "refused") return refusal({ ...error, code: error.code ?? "input_rejected" }, positionOf(error));
  const code = error.type === "PermissionError" ? "forbidden" : "input_rejected";
  const steps = hintsFor(error, hints);
  return refusal({ code, message: `${error.type}: ${error.message || "no message"}`, steps }, positionOf(error));
}

interface Refusal {
  readonly code: "syntax_error" | "forbidden" | "input_rejected";
  readonly message: string;
  readonly steps: readonly string[];
}

function refusal({ code, message, steps }: Refusal, position: Position | undefined): Fault {
  const where = position?.item === undefined ? "" : `Item ${position.item}, line ${position.line}: `;
  const place =
    position && position.item !== undefined
      ? { item: position.item, line: position.line, column: position.column }
      : undefined;
  return new Fault(code, `${where}${message}`, steps, place);
}

function positionOf({ item, line }: ProgramError): Position | undefined {
  return item === undefined ? undefined : { item, line: line ?? 1, column: 1 };
}

function died({ how, from_outside }: Extract<JobEnd, { kind: "died" }>): Fault {
  const of_a_crash = [
    "make the model smaller, or its numbers",
    "state the same constraints in another way, or try another solver",
    "send the call again: the cause may be temporary",
  ];
  return new Fault(
    "engine_failed",
    `The process that ran the model ended without an answer: ${how}. Nothing was decided.`,
    from_outside === "suspended"
      ? ["send the call again: the model is not the cause"]
      : from_outside === "killed"
        ? after_a_kill
        : of_a_crash,
  );
}
