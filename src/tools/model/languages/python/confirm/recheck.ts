import { enginesDisagree } from "../../../../../engines/disagreement.ts";
import type { Drat } from "../../../../../engines/drat/index.ts";
import type { RunProgram } from "../../../../../engines/python/index.ts";
import type { JobEnd } from "../../../../../engines/python/talk.ts";
import type { AskOther } from "../../../../../engines/smt/second.ts";
import type { SmtSolver } from "../../../../../engines/smt/solver.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { Finding, type Found, open, type Proof } from "../../../../../kernel/evidence.ts";
import { undecided } from "../../../../../kernel/verdict.ts";
import type { Certificate, Impossible, Open, Outcome, SolveVerdict } from "../../../language.ts";
import { model_limits } from "../../../limits.ts";
import type { Claim } from "../claim.ts";

/** The part of a claim that was confirmed. */
export type Rechecked = Pick<
  Outcome,
  | "verdict"
  | "statistics"
  | "warnings"
  | "confirmed"
  | "unchecked"
  | "confirmed_by"
  | "unconfirmed"
  | "certificate"
  | "objective_terms"
  | "shadow_prices"
  | "findings"
>;

/** The engines outside Python that confirm results found in Python. */
export interface Others {
  readonly z3: SmtSolver;
  readonly cvc5: SmtSolver;
  readonly drat: Drat;
}

/** What a call requests beyond a check by the second process, and how the language provides it. */
export interface Second {
  /** Whether another engine must confirm every unsat and optimum. */
  readonly check?: boolean;
  readonly ask?: AskOther;
  readonly certify?: (evidence: unknown, proof: Proof, deadline: Deadline) => Promise<Certificate>;
}

/**
 * Has a process that never ran the program recheck its problem. An unconfirmed unsat or optimum is only a claim, not a
 * verdict. An unconfirmed solution is kept, with a warning, and a refuted result becomes `unknown`. If the call asks
 * for it, another engine must also confirm an unsat or an optimum. Raises `engines_disagree` if that engine contradicts
 * the first one.
 */
export async function rechecked(
  run: RunProgram,
  language: string,
  claim: Claim,
  deadline: Deadline,
  second: Second = {},
): Promise<Rechecked> {
  const { verdict, evidence, end, statistics, warnings, account } = claim;
  if (verdict.kind === "undecided") return { verdict, statistics, warnings };
  const solved = { status: verdict.kind, evidence };
  const has_ended = verdict.kind === "sat" && verdict.found !== undefined && end !== null;
  // The claim to recheck last: that there is no other solution, or no better one. The whole answer, or the end of the
  // program's search, depends on it.
  const last = has_ended ? { status: "unsat", evidence: end } : solved;
  const check = second.check === true;
  const look = (at: object) => recheck(run, language, at, deadline);
  const first = await look({ ...solved, check, ...(verdict.kind === "sat" && { account }) });
  const ended = has_ended && first.verdict === "confirmed";
  const finding = ended ? { ...first, optimum: await look({ ...last, check }) } : first;
  if (check) refuseContradiction(claim, language, finding);
  const accepted = { ...accept(claim, finding), ...accountOf(finding) };
  const certified = await withCertificate(accepted, evidence, finding, deadline, second);
  if (!check || !second.ask || !isAboutAllValues(certified.verdict)) return certified;
  if (certified.certificate?.checked)
    return { ...certified, confirmed_by: [`${certified.certificate.by ?? "a solver"} with a checked DRAT proof`] };
  const opinion = await secondOpinion(claim, language, await look({ ...last, other: true }), deadline, second.ask);
  return { ...certified, ...opinion };
}

/** Asks the second process for its findings about an answer. */
async function recheck(run: RunProgram, language: string, request: object, deadline: Deadline): Promise<Finding> {
  const reply = await run(language, { items: [], request: { ...request } }, deadline);
  if (reply === "expired" || reply.end.kind === "deadline") return open("the time ran out");
  const { end } = reply;
  if (end.kind === "error" && end.error.log) console.error(end.error.log);
  const finding = end.kind === "result" ? Finding.safeParse(end.result) : undefined;
  return finding?.success ? finding.data : open(`the second check failed${lostBy(end)}`);
}

/**
 * Describes how a process ended if an external signal killed it, which says nothing about the model. Returns an empty
 * text for any other end.
 */
export function lostBy(end: JobEnd): string {
  return end.kind === "died" && end.from_outside ? ` (${end.how}; send the call again)` : "";
}

/** Returns the part of a claim to report after the second process has checked it. */
function accept(claim: Claim, finding: Finding): Rechecked {
  const { verdict, statistics, warnings, unchecked, unconfirmed, distrusted, engine } = claim;
  if (finding.verdict === "refuted") return refuted(claim, finding);
  const optimum = optimumOf(verdict, finding);
  const seconds = (optimum?.verdict !== "refuted" ? optimum?.seconds : undefined) ?? finding.seconds;
  const better = optimum?.verdict === "refuted" ? optimum.solution : undefined;
  const about =
    doubt("This verdict", finding, engine) ?? (optimum && doubt(optimumWords(verdict, better), optimum, engine));
  const doubts = [about, unconfirmed, about && distrusted && `${distrusted}.`].filter((each) => each !== undefined);
  const rest = { statistics: { ...statistics, ...(seconds !== undefined && { second_engine_s: seconds }) }, warnings };
  if (doubts.length === 0)
    return { ...rest, verdict, unchecked, confirmed: true, ...(engine && secondWord(verdict, finding, optimum)) };
  const text = doubts.join(" ");
  if (verdict.kind === "unsat") return { ...rest, verdict: claimOnly(verdict, text), unchecked, confirmed: false };
  return {
    ...rest,
    verdict: withoutOptimum(verdict, optimum),
    unchecked: better ? [] : unchecked,
    confirmed: false,
    // If a language's solvers are not trusted on their own, each proof names the engine that confirmed it.
    ...(engine === undefined ? { warnings: [...warnings, ...doubts] } : { unconfirmed: text }),
  };
}

/** Returns the objective terms, shadow prices and findings; the terms must belong to the values shown in the answer. */
function accountOf({ account, optimum }: Finding): Pick<Outcome, "objective_terms" | "shadow_prices" | "findings"> {
  if (!account) return {};
  if (account.log) console.error(account.log);
  const { terms, findings, prices } = account;
  const is_best = optimum?.verdict === "confirmed";
  return {
    ...(!optimum?.solution && { objective_terms: terms }),
    ...(prices && is_best && { shadow_prices: prices }),
    findings,
  };
}

/**
 * Returns the verdict for a wrong claim: `unknown`, or a second engine's values if the first engine claimed that there
 * are none.
 */
function refuted({ verdict, statistics, warnings, engine }: Claim, { solution, by, reason }: Finding): Rechecked {
  if (!solution || verdict.kind !== "unsat") {
    const why = `the program's process reported ${verdict.kind}, but in the second check of its problem ${reason ?? "it was refuted"}`;
    return { verdict: undecided("unconfirmed", why), statistics, warnings, confirmed: false };
  }
  const source = by.length > 0 && engine ? engine : "The program's process";
  const found = by.length > 0 ? `, found by ${by.join(", ")},` : "";
  const warning = `${source} reported unsat, which is wrong: these values${found} satisfy all constraints.`;
  const { values, objective } = solution;
  const best = objective === null ? {} : { best: { value: objective, proved: false } };
  return {
    verdict: { kind: "sat", witness: { values }, ...best },
    statistics,
    warnings: [...warnings, warning],
    confirmed: true,
  };
}

const no_reason = "no reason";

/**
 * Explains why a finding leaves a claim undecided, or what is wrong with the claim; undefined if the claim is
 * confirmed.
 */
function doubt(what: string, { verdict, reason }: Found, engine: string | undefined): string | undefined {
  if (verdict === "confirmed") return undefined;
  if (verdict === "refuted")
    return `${what} was reported by ${engine ?? "the program"} and is wrong: ${reason ?? no_reason}.`;
  return `${what} was reported by ${engine ?? "the program's process"} and is not confirmed: ${reason ?? no_reason}.`;
}

/**
 * Returns which other engines proved an optimum or an unsat, or why none did; empty for a solution, which is checked
 * exactly.
 */
function secondWord(
  verdict: SolveVerdict,
  finding: Finding,
  optimum: Found | undefined,
): Pick<Outcome, "confirmed_by" | "unconfirmed"> {
  const proof = verdict.kind === "unsat" ? finding : optimum;
  if (proof === undefined) return {};
  if (proof.by.length > 0) return { confirmed_by: proof.by };
  return proof.reason === undefined
    ? {}
    : { unconfirmed: `only the first engine proved it, in two processes: ${proof.reason}` };
}

/** Whether a verdict is about all possible values; a single solution, in contrast, can be checked directly. */
function isAboutAllValues(verdict: SolveVerdict): boolean {
  if (verdict.kind !== "sat") return verdict.kind === "unsat";
  return verdict.best?.proved === true || verdict.found !== undefined;
}

/** Adds the proof of an unsat, if the second process wrote one, with our own checker's result. */
async function withCertificate(
  accepted: Rechecked,
  evidence: unknown,
  { verdict, proof = { open: "the second check returned no proof" } }: Finding,
  deadline: Deadline,
  { check, certify }: Second,
): Promise<Rechecked> {
  if (!certify || accepted.verdict.kind !== "unsat" || verdict === "refuted") return accepted;
  const bounded = check ? deadline : deadline.atMost(model_limits.certificate_ms_max);
  const certificate = await certify(evidence, proof, bounded);
  if (!certificate.is_refused) return { ...accepted, certificate };
  const wrong = `The proof of ${certificate.by ?? "the solver"} is wrong: ${certificate.reason ?? "it was rejected"}.`;
  return { ...accepted, certificate, verdict: claimOnly(accepted.verdict, wrong), confirmed: false };
}

/** Raises `engines_disagree` if a second engine found values that a claim excludes. */
function refuseContradiction({ verdict, engine }: Claim, language: string, finding: Finding): void {
  const against = [finding, finding.optimum].find((each) => each?.verdict === "refuted");
  if (against === undefined || against.by.length === 0) return;
  throw enginesDisagree([
    { engine: engine ?? language, answer: wordsOf(verdict) },
    { engine: against.by.join(", "), answer: `no: ${against.reason ?? no_reason}` },
  ]);
}

/** Asks another engine's opinion on a claim that the second process confirmed. */
async function secondOpinion(
  claim: Claim,
  language: string,
  finding: Finding,
  deadline: Deadline,
  ask: AskOther,
): Promise<Pick<Outcome, "confirmed_by" | "unconfirmed">> {
  refuseContradiction(claim, language, finding);
  const { verdict, by, reason, asked } = finding;
  if (verdict === "confirmed")
    return by.length > 0 ? { confirmed_by: by } : { unconfirmed: "no other engine was asked" };
  if (asked === undefined) return { unconfirmed: reason ?? no_reason };
  const opinion = await ask([asked], deadline);
  if (opinion.kind === "undecided") return { unconfirmed: opinion.why };
  if (opinion.kind === "unsat") return { confirmed_by: [opinion.engine] };
  throw enginesDisagree([
    { engine: claim.engine ?? language, answer: wordsOf(claim.verdict) },
    { engine: opinion.engine, answer: claim.verdict.kind === "unsat" ? "sat" : "there is a better value" },
  ]);
}

function wordsOf(verdict: SolveVerdict): string {
  if (verdict.kind !== "sat") return verdict.kind;
  if (verdict.best) return `${JSON.stringify(verdict.best.value)} is optimal`;
  const count = verdict.solutions?.length ?? verdict.found;
  return count === undefined ? "sat" : `these ${count} are all solutions`;
}

/** Returns the finding about the optimum, or about the list of all solutions; undefined if neither was claimed. */
function optimumOf(verdict: SolveVerdict, { verdict: found, optimum }: Finding): Found | undefined {
  if (verdict.kind !== "sat") return undefined;
  const handed_over = found === "confirmed" ? optimum : undefined;
  if (verdict.best?.proved === true) return handed_over ?? open("the program's process did not return its optimum");
  return verdict.solutions || verdict.found !== undefined ? handed_over : undefined;
}

/** Describes what a finding about an optimum is about, including the claimed value if the answer shows a better one. */
function optimumWords(verdict: SolveVerdict, better: Found["solution"]): string {
  if (verdict.kind !== "sat" || !verdict.best) return "That these are all solutions";
  if (verdict.best.proved === false) return "That none is beyond objective_bound";
  return `That ${better ? JSON.stringify(verdict.best.value) : "this"} is optimal`;
}

/**
 * Turns an unsat that no process confirmed into a mere claim; values that the program stated along with it are kept.
 */
function claimOnly({ stated, ...claimed }: Impossible, why: string): Open {
  return { ...undecided("unconfirmed", why), claimed, ...(stated && { stated }) };
}

/** Returns the verdict's values without the claim of optimality, or better values if a second engine found some. */
function withoutOptimum(verdict: SolveVerdict, optimum: Found | undefined): SolveVerdict {
  if (verdict.kind !== "sat" || !verdict.best?.proved) return verdict;
  const better = optimum?.verdict === "refuted" ? optimum.solution : undefined;
  if (better)
    return { kind: "sat", witness: { values: better.values }, best: { value: better.objective, proved: false } };
  return { ...verdict, best: { ...verdict.best, proved: false, is_claimed: optimum?.verdict !== "refuted" } };
}
