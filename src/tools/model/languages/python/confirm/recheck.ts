import * as z from "zod/v4";
import { enginesDisagree } from "../../../../../engines/disagreement.ts";
import type { RunProgram } from "../../../../../engines/python/index.ts";
import type { AskOther } from "../../../../../engines/smt/second.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { named_values } from "../../../../../kernel/named.ts";
import { undecided } from "../../../../../kernel/verdict.ts";
import type { Certificate, Impossible, Open, Outcome, SolveVerdict } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import type { Claim } from "../claim.ts";
import { Proof } from "./certificate.ts";
import { lostBy } from "./lost.ts";

/** The result of checking a problem: `confirm/recheck.py` of each language. */
const confirmed = z.object({
  verdict: z.literal("confirmed"),
  /** The second engines that came to the same; without one, the first engine did once more, and the reason says why no other. */
  by: z.array(z.string()).default([]),
  reason: z.string().optional(),
  /** How long a second engine worked on it. */
  seconds: z.number().optional(),
});
/** Values by name that satisfy all constraints; the objective is null where there is none. */
const Solution = z.object({ values: named_values, objective: z.unknown() });
type Solution = z.output<typeof Solution>;
const refuted = z.object({
  verdict: z.literal("refuted"),
  reason: z.string().default(""),
  /** The second engines that contradict the first one. */
  by: z.array(z.string()).default([]),
  /** What contradicts it. */
  solution: Solution.optional(),
});
const open = z.object({
  verdict: z.literal("open"),
  reason: z.string().default("no reason"),
  /** SMT-LIB that has no solution if the claim is right, for an engine outside of Python. */
  asked: z.string().optional(),
  seconds: z.number().optional(),
});
const Finding = z.discriminatedUnion("verdict", [confirmed, refuted, open]);
type Finding = z.output<typeof Finding>;

const Recheck = z.discriminatedUnion("verdict", [
  confirmed.extend({ optimum: Finding.optional(), proof: Proof.optional() }),
  refuted,
  open,
]);
type Recheck = z.output<typeof Recheck>;

/** A claim as far as it was confirmed. */
export type Rechecked = Pick<
  Outcome,
  "verdict" | "statistics" | "warnings" | "confirmed" | "unchecked" | "confirmed_by" | "unconfirmed" | "certificate"
>;

/** What a call wants in addition to the second process, and what its language has for it. */
export interface Second {
  /** Whether each unsat and optimum is to be confirmed by an engine other than the first one. */
  readonly check?: boolean;
  readonly ask?: AskOther;
  readonly certify?: (evidence: unknown, proof: Proof, deadline: Deadline) => Promise<Certificate>;
}

/**
 * Lets a process that never ran the program decide its problem again. An unsat or an optimum that is not confirmed is no
 * verdict, only a claim; a solution stays, with a warning; what is refuted becomes `unknown`. Where the call asks for it,
 * another engine, too, confirms an unsat or an optimum. Raises `engines_disagree` if that engine contradicts the first.
 */
export async function rechecked(
  run: RunProgram,
  language: string,
  claim: Claim,
  deadline: Deadline,
  second: Second = {},
): Promise<Rechecked> {
  const { verdict, evidence, end } = claim;
  if (verdict.kind === "undecided") return { verdict, statistics: claim.statistics, warnings: claim.warnings };
  const solved = { status: verdict.kind, evidence };
  const has_ended = verdict.kind === "sat" && verdict.found !== undefined && end !== null;
  // That no other solution is there, or no better one: what the whole answer rests on, or the end of the program's search.
  const last = has_ended ? { status: "unsat", evidence: end } : solved;
  const look = (at: object, more: object) => recheck(run, language, { ...at, ...more }, deadline);
  const first_check = await look(solved, { check: second.check === true });
  const second_check =
    has_ended && first_check.verdict === "confirmed"
      ? { ...first_check, optimum: await look(last, { check: second.check === true }) }
      : first_check;
  if (second.check) refuseContradiction(claim, language, second_check);
  const believed = believedOf(claim, second_check);
  const certified = await withCertificate(believed, evidence, second_check, deadline, second);
  if (!second.check || !second.ask || !isClaim(certified.verdict)) return certified;
  if (certified.certificate?.checked) {
    return { ...certified, confirmed_by: [`${certified.certificate.by ?? "a solver"} with a checked DRAT proof`] };
  }
  return {
    ...certified,
    ...(await secondOpinion(claim, language, await look(last, { other: true }), deadline, second.ask)),
  };
}

/** The part of a claim that stands after the second process looked at it. */
function believedOf(claim: Claim, second_check: Recheck): Rechecked {
  const { verdict, statistics, warnings, unchecked, unconfirmed, distrusted, engine } = claim;
  if (second_check.verdict === "refuted") {
    const solution = solutionAgainst(claim, second_check);
    if (solution) return solution;
    const reason = `the program's process reported ${verdict.kind}, but in the second check of its problem ${second_check.reason}`;
    return { verdict: undecided("unconfirmed", reason), statistics, warnings, confirmed: false };
  }
  const optimum = optimumOf(verdict, second_check);
  const { seconds } = { ...second_check, ...(optimum?.verdict !== "refuted" && optimum) };
  const source = engine ?? "the program";
  const better = optimum?.verdict === "refuted" ? optimum.solution : undefined;
  const about =
    note("This verdict", second_check, source) ?? (optimum && note(completeness(verdict, better), optimum, source));
  const doubts = [about, unconfirmed, about && distrusted && `${distrusted}.`].filter((each) => each !== undefined);
  const rest = { statistics: { ...statistics, ...(seconds !== undefined && { second_engine_s: seconds }) }, warnings };
  if (doubts.length === 0) {
    return { ...rest, verdict, unchecked, confirmed: true, ...(engine && secondWord(verdict, second_check, optimum)) };
  }
  if (verdict.kind === "unsat")
    return { ...rest, verdict: claimOnly(verdict, doubts.join(" ")), unchecked, confirmed: false };
  return {
    ...rest,
    verdict: withoutOptimum(verdict, optimum),
    unchecked: better ? [] : unchecked,
    confirmed: false,
    // Where the solvers of a language are not trusted by themselves, each proof says who else made it.
    ...(engine === undefined ? { warnings: [...warnings, ...doubts] } : { unconfirmed: doubts.join(" ") }),
  };
}

/** Who else proved an optimum or an unsat, or why nobody did; nothing for a solution, which is checked exactly. */
function secondWord(
  verdict: SolveVerdict,
  second_check: Recheck,
  optimum: Finding | undefined,
): Pick<Outcome, "confirmed_by" | "unconfirmed"> {
  const proof = verdict.kind === "unsat" ? second_check : optimum;
  if (proof?.verdict !== "confirmed") return {};
  if (proof.by.length > 0) return { confirmed_by: proof.by };
  return proof.reason === undefined
    ? {}
    : { unconfirmed: `only the first engine proved it, in two processes: ${proof.reason}` };
}

/** Whether a verdict is about all values: a solution can be checked by itself. */
function isClaim(verdict: SolveVerdict): boolean {
  return (
    verdict.kind === "unsat" ||
    (verdict.kind === "sat" && (verdict.best?.proved === true || verdict.found !== undefined))
  );
}

/** The proof of an unsat, where the second process wrote one, as our own checker sees it. */
async function withCertificate(
  believed: Rechecked,
  evidence: unknown,
  second_check: Recheck,
  deadline: Deadline,
  { check, certify }: Second,
): Promise<Rechecked> {
  if (!certify || believed.verdict.kind !== "unsat" || second_check.verdict === "refuted") return believed;
  const proof = (second_check.verdict === "confirmed" ? second_check.proof : undefined) ?? {
    open: "the second check gave no proof",
  };
  const bounded = check ? deadline : deadline.atMost(model_limits.certificate_ms_max);
  const certificate = await certify(evidence, proof, bounded);
  if (!certificate.is_refused) return { ...believed, certificate };
  const doubt = `The proof of ${certificate.by ?? "the solver"} is wrong: ${certificate.reason ?? "it was refused"}.`;
  return { ...believed, certificate, verdict: claimOnly(believed.verdict, doubt), confirmed: false };
}

/** Raises `engines_disagree` where a second engine gave values that a claim rules out. */
function refuseContradiction({ verdict, engine }: Claim, language: string, second_check: Recheck): void {
  const optimum = second_check.verdict === "confirmed" ? second_check.optimum : undefined;
  const against = [second_check, optimum].find((each) => each?.verdict === "refuted");
  if (against?.verdict !== "refuted" || against.by.length === 0) return;
  throw enginesDisagree([
    { engine: engine ?? language, answer: wordsOf(verdict) },
    { engine: against.by.join(", "), answer: `no: ${against.reason}` },
  ]);
}

/** What another engine says of a claim that the second process confirmed. */
async function secondOpinion(
  claim: Claim,
  language: string,
  recheck: Recheck,
  deadline: Deadline,
  ask: AskOther,
): Promise<Pick<Outcome, "confirmed_by" | "unconfirmed">> {
  refuseContradiction(claim, language, recheck);
  if (recheck.verdict === "confirmed")
    return recheck.by.length > 0 ? { confirmed_by: recheck.by } : { unconfirmed: "no other engine was asked" };
  if (recheck.verdict === "refuted") return { unconfirmed: recheck.reason };
  if (recheck.asked === undefined) return { unconfirmed: recheck.reason };
  const opinion = await ask([recheck.asked], deadline);
  if (opinion.kind === "undecided") return { unconfirmed: opinion.why };
  if (opinion.kind === "unsat") return { confirmed_by: [opinion.engine] };
  throw enginesDisagree([
    { engine: claim.engine ?? language, answer: wordsOf(claim.verdict) },
    {
      engine: opinion.engine,
      answer: claim.verdict.kind === "unsat" ? "sat" : "there is a better value",
    },
  ]);
}

function wordsOf(verdict: SolveVerdict): string {
  if (verdict.kind !== "sat") return verdict.kind;
  if (verdict.best) return `${JSON.stringify(verdict.best.value)} is optimal`;
  const count = verdict.solutions?.length ?? verdict.found;
  return count === undefined ? "sat" : `these ${count} are all solutions`;
}

/** The result for the optimum, or for a list of all solutions; undefined if neither was claimed. */
function optimumOf(verdict: SolveVerdict, second_check: Recheck): Finding | undefined {
  const handed_over = second_check.verdict === "confirmed" ? second_check.optimum : undefined;
  if (verdict.kind !== "sat") return undefined;
  if (verdict.best?.proved === true)
    return handed_over ?? undecidedFor("the program's process did not return its optimum");
  return verdict.solutions || verdict.found !== undefined ? handed_over : undefined;
}

/** What such a result is about; the value of a claim by name where the answer shows a better one. */
function completeness(verdict: SolveVerdict, better: Solution | undefined): string {
  if (verdict.kind !== "sat" || !verdict.best) return "That these are all solutions";
  return `That ${better ? JSON.stringify(verdict.best.value) : "this"} is optimal`;
}

/** An unsat that nobody confirmed; values that the program states with it stay beside it. */
function claimOnly({ stated, ...claimed }: Impossible, doubt: string): Open {
  return { ...undecided("unconfirmed", doubt), claimed, ...(stated && { stated }) };
}

/** The same values, not called the best ones; the better ones where a second engine found some. */
function withoutOptimum(verdict: SolveVerdict, optimum: Finding | undefined): SolveVerdict {
  if (verdict.kind !== "sat" || !verdict.best?.proved) return verdict;
  const better = optimum?.verdict === "refuted" ? optimum.solution : undefined;
  if (better)
    return { kind: "sat", witness: { values: better.values }, best: { value: better.objective, proved: false } };
  return { ...verdict, best: { ...verdict.best, proved: false, is_claimed: optimum?.verdict !== "refuted" } };
}

/** The values of a second engine where the first one said that there are none. */
function solutionAgainst(
  { verdict, statistics, warnings, engine }: Claim,
  { solution, by }: z.output<typeof refuted>,
): Rechecked | undefined {
  if (!solution || verdict.kind !== "unsat") return undefined;
  const { values, objective } = solution;
  const source = by.length > 0 && engine ? engine : "The program's process";
  const found = `${source} reported unsat, which is wrong: these values${by.length > 0 ? `, found by ${by.join(", ")},` : ""} satisfy all constraints.`;
  return {
    verdict: {
      kind: "sat",
      witness: { values },
      ...(objective !== null && { best: { value: objective, proved: false } }),
    },
    statistics,
    warnings: [...warnings, found],
    confirmed: true,
  };
}

async function recheck(
  run: RunProgram,
  language: string,
  request: Record<string, unknown>,
  deadline: Deadline,
): Promise<Recheck> {
  const reply = await run(language, { items: [], request }, deadline);
  if (reply === "expired" || reply.end.kind === "deadline") return undecidedFor("the time ran out");
  const parsed = reply.end.kind === "result" ? Recheck.safeParse(reply.end.result) : undefined;
  if (reply.end.kind === "error" && reply.end.error.log) console.error(reply.end.error.log);
  return parsed?.success ? parsed.data : undecidedFor(`the second check failed${lostBy(reply.end)}`);
}

function undecidedFor(reason: string): z.output<typeof open> {
  return { verdict: "open", reason };
}

function note(what: string, finding: Finding, source: string): string | undefined {
  switch (finding.verdict) {
    case "confirmed":
      return undefined;
    case "refuted":
      return `${what} was reported by ${source} and is wrong: ${finding.reason}.`;
    case "open":
      return `${what} was reported by ${source === "the program" ? "the program's process" : source} and is not confirmed: ${finding.reason}.`;
    default:
      return finding satisfies never;
  }
}
