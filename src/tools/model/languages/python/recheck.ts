import * as z from "zod/v4";
import type { RunProgram } from "../../../../engines/python/index.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";

/** What the check of a problem says: `confirm/recheck.py` of z3 and `recheck.py` of pysat. */
const Finding = z.object({ verdict: z.enum(["confirmed", "refuted", "open"]), reason: z.string().optional() });
const Recheck = Finding.extend({ optimum: Finding.optional() });
type Recheck = z.output<typeof Recheck>;

/** The part of an answer that is checked, and what for. */
interface Claimed {
  readonly status: "sat" | "unsat" | "unknown" | "timeout";
  readonly reason?: string | undefined;
  readonly model: Readonly<Record<string, unknown>> | null;
  readonly objective_value?: unknown;
  readonly optimal: boolean | null;
  readonly unconfirmed?: string | undefined;
  readonly unchecked?: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Has a verdict of a program's process decided again, from the problem that it handed over, in a process that never
 * ran the program. What is not confirmed in the time stays and says so; what is refuted is no verdict.
 */
export async function rechecked<Answer extends Claimed>(
  run: RunProgram,
  language: string,
  answer: Answer,
  evidence: unknown,
  deadline: Deadline,
): Promise<Answer & { readonly confirmed?: boolean }> {
  const { status } = answer;
  if (status !== "sat" && status !== "unsat") return answer;
  const rechecked = await recheck(run, language, { status, evidence }, deadline);
  if (rechecked.verdict === "refuted") return { ...answer, ...refuted(status, rechecked.reason) };
  const optimum =
    answer.optimal === true ? (rechecked.optimum ?? undecided("its optimum was not handed over")) : undefined;
  const [verdict_note, optimum_note] = [
    note("This verdict", rechecked),
    optimum && note("That this is optimal", optimum),
  ];
  const notes = [verdict_note ?? optimum_note, answer.unconfirmed].filter((note) => note !== undefined);
  const is_refuted = optimum?.verdict === "refuted" || (optimum && answer.unconfirmed !== undefined);
  return {
    ...answer,
    ...(is_refuted && { optimal: false }),
    warnings: [...answer.warnings, ...notes],
    confirmed: notes.length === 0,
  };
}

async function recheck(
  run: RunProgram,
  language: string,
  request: Record<string, unknown>,
  deadline: Deadline,
): Promise<Recheck> {
  const reply = await run(language, { items: [], request }, deadline);
  if (reply === "expired" || reply.end.kind === "deadline") return undecided("the time ran out");
  const found = reply.end.kind === "result" ? Recheck.safeParse(reply.end.result) : undefined;
  if (reply.end.kind === "error" && reply.end.error.log) console.error(reply.end.error.log);
  return found?.success ? found.data : undecided("the check of it failed");
}

function undecided(reason: string): Recheck {
  return { verdict: "open", reason };
}

function refuted(status: string, reason = "") {
  const said = `the program's process reported ${status}, but of the problem that it handed over ${reason}`;
  return {
    status: "unknown" as const,
    reason: said,
    model: null,
    objective_value: null,
    optimal: null,
    unchecked: [],
    confirmed: false,
  };
}

function note(what: string, { verdict, reason = "no reason" }: z.output<typeof Finding>): string | undefined {
  if (verdict === "confirmed") return undefined;
  if (verdict === "refuted") return `${what} was reported by the program, and is not so: ${reason}.`;
  return `${what} is reported by the program's process, and not confirmed: ${reason}.`;
}
