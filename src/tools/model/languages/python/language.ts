import * as z from "zod/v4";
import type { ProgramReply, Python } from "../../../../engines/python/index.ts";
import type { JobEnd, ProgramError } from "../../../../engines/python/talk.ts";
import { Fault, type Position } from "../../../../kernel/fault.ts";
import { OPEN_REASONS } from "../../../../kernel/verdict.ts";
import type { Language, Outcome, SolveContext } from "../../language.ts";
import { hintsFor } from "./hints.ts";
import { rechecked } from "./recheck.ts";

/** What a language module of the runner answers; see `language.py` in the folder of each language. */
const Result = z.object({
  status: z.enum(["sat", "unsat", "unknown", "timeout"]),
  reason: z.string().optional(),
  model: z.record(z.string(), z.unknown()).nullable(),
  objective_value: z.unknown(),
  optimal: z.boolean().nullable(),
  /** Why the values, or what else is told beside the verdict, may be those of another problem: a sentence. */
  unconfirmed: z.string().optional(),
  /** Values that the program computed itself. */
  unchecked: z.array(z.string()).default([]),
  statistics: z.record(z.string(), z.unknown()),
  /** What an unsat holds under, besides the model itself. */
  under: z.string().optional(),
  unsat_core: z.array(z.string()).optional(),
  unsat_items: z.array(z.object({ item: z.number(), line: z.number(), text: z.string() })).optional(),
  warnings: z.array(z.string()),
  /** The problem, for a process that never ran the program. */
  evidence: z.unknown(),
});

export interface PythonLanguage extends Pick<Language, "id" | "also" | "slips"> {
  readonly title: string;
  readonly guide: string;
}

/** A modelling language whose items are Python, run in the sandbox. */
export function pythonLanguage(python: Python, { title, guide, ...names }: PythonLanguage): Language {
  const { id } = names;
  return {
    ...names,
    takes: [],
    guide: { name: id, title, text: guide },
    async check(items, _changed, deadline) {
      const { fault, warnings } = await python.check(id, items, deadline);
      if (fault) throw refusal(fault, fault);
      // Whoever builds a model will solve it: what that needs is made ready meanwhile.
      python.prepare(id);
      return warnings;
    },
    async solve(items, { deadline, progress }: SolveContext) {
      progress(`the ${id} model is being solved`);
      return python
        .turn(deadline, progress, async (run) => {
          const reply = await run(id, { items }, deadline);
          return reply === "expired"
            ? reply
            : outcomeOf(id, reply, (answer, evidence) => rechecked(run, id, answer, evidence, deadline));
        })
        .then((outcome) => (outcome === "expired" ? notBegun(id) : outcome));
    },
  };
}

type Answer = Omit<z.output<typeof Result>, "evidence">;

async function outcomeOf(
  id: string,
  reply: ProgramReply,
  recheck: (answer: Answer, evidence: unknown) => Promise<Answer & { readonly confirmed?: boolean }>,
): Promise<Outcome> {
  const version = reply.versions[id];
  const common = {
    output: outputOf(reply),
    engine: `${id}${version === undefined ? "" : ` ${version}`} (python)`,
  };
  const { end } = reply;
  if (end.kind === "error" && end.error.kind !== "memory") throw programFault(end.error);
  if (end.kind === "died") throw died(end);
  if (end.kind !== "result") return { ...undecided(end), ...common };
  const { evidence, ...claimed } = Result.parse(end.result);
  const { reason, under, unsat_core, unsat_items, unconfirmed: _told, ...result } = await recheck(claimed, evidence);
  return {
    ...result,
    ...(reason !== undefined && { reason }),
    ...(under !== undefined && { under }),
    ...(unsat_core && { unsat_core }),
    ...(unsat_items && { unsat_items }),
    ...common,
  };
}

/** A limit was reached: nothing is decided. */
function undecided(end: Exclude<JobEnd, { kind: "result" | "died" }>): Omit<Outcome, "output" | "engine"> {
  const no_claims = { model: null, objective_value: null, optimal: null, statistics: {}, warnings: [] };
  if (end.kind === "deadline") return { ...no_claims, status: "timeout", reason: OPEN_REASONS.timeout };
  const reason = end.kind === "output" ? OPEN_REASONS.output : OPEN_REASONS.memory;
  return { ...no_claims, status: "unknown", reason };
}

/** The time ran out before a process was free and ready. */
function notBegun(id: string): Outcome {
  return {
    ...undecided({ kind: "deadline" }),
    output: [],
    engine: `${id} (python)`,
    warnings: ["No process was free and ready within the whole time; the model was not begun."],
  };
}

function outputOf({ printed, unprinted }: ProgramReply): string[] {
  const lines = printed === "" ? [] : printed.replace(/\n$/, "").split("\n");
  return unprinted > 0 ? [...lines, `… ${unprinted} further characters were not kept`] : lines;
}

/** What a program did wrong, where, and how to mend it. */
function programFault(error: ProgramError): Fault {
  if (error.log) console.error(error.log);
  if (error.kind === "internal" || error.kind === "unprintable") {
    return new Fault(
      "engine_failed",
      `The engine failed on this model (${error.type ?? error.kind}: ${error.message}).`,
      ["simplify the item that was added last", "export only numbers, texts, lists and dictionaries of them"],
    );
  }
  if (error.kind === "refused") return refusal({ ...error, code: error.code ?? "input_rejected" }, positionOf(error));
  const code = error.type === "PermissionError" ? "forbidden" : "input_rejected";
  const steps = hintsFor(error);
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
  const steps = [
    "make the model smaller, or its numbers",
    "state the same constraints in another way, or try another solver",
    "send the call again if it seems to be chance",
  ];
  return new Fault(
    "engine_failed",
    `The process that ran the model ended without an answer: ${how}. Nothing was decided.`,
    from_outside ? ["send the call again: the model is not the cause"] : steps,
  );
}
