import * as z from "zod/v4";
import type { RunProgram } from "../../../../engines/python/index.ts";
import type { Deadline } from "../../../../kernel/deadline.ts";
import { undecided } from "../../../../kernel/verdict.ts";
import type { Outcome, SolveVerdict } from "../../language.ts";
import type { Claim } from "./claim.ts";

/** The result of checking a problem: `confirm/recheck.py` of each language. */
const confirmed = z.object({ verdict: z.literal("confirmed"), by: z.array(z.string()).default([]) });
const refuted = z.object({ verdict: z.literal("refuted"), reason: z.string().default("") });
const open = z.object({ verdict: z.literal("open"), reason: z.string().default("no reason") });
const Finding = z.discriminatedUnion("verdict", [confirmed, refuted, open]);
type Finding = z.output<typeof Finding>;

const Recheck = z.discriminatedUnion("verdict", [confirmed.extend({ optimum: Finding.optional() }), refuted, open]);
type Recheck = z.output<typeof Recheck>;

/** A claim as far as it was confirmed. */
export type Rechecked = Pick<
  Outcome,
  "verdict" | "warnings" | "confirmed" | "unchecked" | "confirmed_by" | "unconfirmed"
>;

/**
 * Lets a process that never ran the program decide its problem again. A verdict that is not confirmed in time stays,
 * with a warning; a refuted one becomes `unknown`.
 */
export async function rechecked(
  run: RunProgram,
  language: string,
  { verdict, warnings, unchecked, unconfirmed, distrusted, engine, evidence }: Claim,
  deadline: Deadline,
): Promise<Rechecked> {
  if (verdict.kind === "undecided") return { verdict, warnings };
  const found = await recheck(run, language, { status: verdict.kind, evidence }, deadline);
  if (found.verdict === "refuted") {
    const said = `the program's process reported ${verdict.kind}, but in the second check of its problem ${found.reason}`;
    return { verdict: undecided("unconfirmed", said), warnings, confirmed: false };
  }
  const optimum = optimumOf(verdict, found);
  const teller = engine ?? "the program";
  const about = note("This verdict", found, teller) ?? (optimum && note("That this is optimal", optimum, teller));
  const notes = [about, unconfirmed].filter((each) => each !== undefined);
  if (distrusted !== undefined && about !== undefined && verdict.kind === "unsat") {
    return { verdict: undecided("unconfirmed", distrusted), warnings: [...warnings, ...notes], confirmed: false };
  }
  const is_best =
    optimum?.verdict !== "refuted" && unconfirmed === undefined && (distrusted === undefined || about === undefined);
  const doubts = is_best || distrusted === undefined ? notes : [...notes, `${distrusted}.`];
  // Where the solvers of a language are not trusted by themselves, each proof says who else made it.
  const second = engine === undefined ? {} : crossCheck(verdict, found, optimum, doubts);
  return {
    verdict: optimum && !is_best ? withoutOptimum(verdict) : verdict,
    warnings: [...warnings, ...("unconfirmed" in second ? [] : doubts)],
    unchecked,
    confirmed: notes.length === 0,
    ...second,
  };
}

/** Who else proved an optimum or an unsat, or why nobody did; nothing for a solution, which is checked exactly. */
function crossCheck(
  verdict: SolveVerdict,
  found: Recheck,
  optimum: Finding | undefined,
  doubts: readonly string[],
): Pick<Outcome, "confirmed_by" | "unconfirmed"> {
  const proof = verdict.kind === "unsat" ? found : optimum;
  if (doubts.length > 0) return { unconfirmed: doubts.join(" ") };
  return proof?.verdict === "confirmed" && proof.by.length > 0 ? { confirmed_by: proof.by } : {};
}

/** The result for the optimum; undefined if none was claimed. */
function optimumOf(verdict: SolveVerdict, found: Recheck): Finding | undefined {
  const handed_over = found.verdict === "confirmed" ? found.optimum : undefined;
  if (verdict.kind !== "sat" || verdict.best?.proved !== true) return undefined;
  return handed_over ?? undecidedFor("the program's process did not return its optimum");
}

function withoutOptimum(verdict: SolveVerdict): SolveVerdict {
  if (verdict.kind !== "sat" || !verdict.best) return verdict;
  return { ...verdict, best: { ...verdict.best, proved: false } };
}

async function recheck(
  run: RunProgram,
  language: string,
  request: Record<string, unknown>,
  deadline: Deadline,
): Promise<Recheck> {
  const reply = await run(language, { items: [], request }, deadline);
  if (reply === "expired" || reply.end.kind === "deadline") return undecidedFor("the time ran out");
  const found = reply.end.kind === "result" ? Recheck.safeParse(reply.end.result) : undefined;
  if (reply.end.kind === "error" && reply.end.error.log) console.error(reply.end.error.log);
  return found?.success ? found.data : undecidedFor("the second check failed");
}

function undecidedFor(reason: string): z.output<typeof open> {
  return { verdict: "open", reason };
}

function note(what: string, finding: Finding, teller: string): string | undefined {
  switch (finding.verdict) {
    case "confirmed":
      return undefined;
    case "refuted":
      return `${what} was reported by ${teller} and is wrong: ${finding.reason}.`;
    case "open":
      return `${what} was reported by ${teller === "the program" ? "the program's process" : teller} and is not confirmed: ${finding.reason}.`;
    default:
      return finding satisfies never;
  }
}
