/** Runs one proof: tries the methods in order until one reaches a verdict or the time is over. */
import { createHash } from "node:crypto";
import { limitReached, undecided } from "../kernel/verdict.ts";
import type { Queries } from "./ask/queries.ts";
import { inTime } from "./ask/time_budget.ts";
import { type Claim, claimOf, meanings, ofOtherType } from "./claims.ts";
import type { Attempt } from "./counterexamples.ts";
import { holdsSomewhere, sample, smallCounterexample } from "./counterexamples.ts";
import { GivenInvariants } from "./given_invariants.ts";
import type { Candidate, Evidence, Goal, NoProof, Obligations, Verdict } from "./goal.ts";
import { alignments } from "./induction/alignment.ts";
import { isMeasure } from "./induction/candidates.ts";
import { Invariants } from "./induction/invariants.ts";
import { isRecursive, recursionEnds, StandIn, Unknown, Unwound } from "./induction/recursion.ts";
import { ending } from "./induction/termination.ts";
import { type Group, separate } from "./induction/traces.ts";
import type { PythonValue } from "./inputs.ts";
import { leftOpen } from "./left_open.ts";
import { inOrder, symbolsIn, type Term } from "./logic/term.ts";
import { Terms } from "./logic/terms.ts";
import { holdsObjects, partsOf, typeText } from "./logic/values.ts";
import type { Program } from "./python/program.ts";
import { Unsupported } from "./python/refusal.ts";
import type { FunctionDef } from "./python/tree.ts";
import { callsItself } from "./python/walk.ts";
import type { Plan } from "./run/parts.ts";
import { type Argument, argumentsOf, type Summary, summarise } from "./summary.ts";

const way_share = 0.6;
/**
 * The time shares of a proof by given invariants. It has a second part, which examines the open obligations, and takes
 * longer if asserts were given.
 */
const invariant_shares = { all: 0.85, proof: 0.7, left_without_asserts: 0.3 } as const;
/** Bounds for unrolling: a small one for finding inputs, and a larger one for loops that are known to be short. */
const unrolled = { few: 3, many: 16 } as const;

type Shape = Omit<Plan, "side" | "budget">;
type Recursive = Unknown | StandIn | Unwound;

export class Proof {
  readonly #program: Program;
  readonly #queries: Queries;
  /** Whether the claim was refuted for some meaning of the operations that are not modelled. */
  #refuted = false;

  constructor(program: Program, queries: Queries) {
    this.#program = program;
    this.#queries = queries;
  }

  /** Tries to prove a goal. Raises Unsupported. */
  async of(goal: Goal): Promise<Verdict> {
    const claim = claimOf(this.#program, goal);
    const two = claim.definitions.length > 1;
    const is_plain = !two && claim.definitions.every((each) => callsItself(each).length === 0);
    const by_invariants = claim.by_invariants && is_plain ? () => this.#byInvariants(claim) : undefined;
    const is_first = by_invariants !== undefined && this.#program.congruent;
    const ways: (() => Promise<Verdict>)[] = [
      ...(is_first ? [by_invariants] : []),
      ...(two ? [() => this.#inStep(claim)] : []),
      ...(claim.definitions.some(isRecursive) ? [() => this.#unwound(claim)] : []),
      () => this.#unrolled(claim, unrolled.few),
      ...(by_invariants && !is_first ? [by_invariants] : []),
      () => this.#inductive(claim, [{}, {}]),
      () => this.#inductive(claim, [{ first: 1 }, {}]),
      ...(two ? [() => this.#inductive(claim, [{}, { first: 1 }])] : []),
      () => this.#unrolled(claim, unrolled.many),
    ];
    let last: Verdict = noProof("no proof method applied");
    const refused: Unsupported[] = [];
    for (const [i, way] of ways.entries()) {
      this.#queries.unsat = [];
      // A method that fails must leave time for the others.
      const share = i === ways.length - 1 ? 1 : way === by_invariants ? invariant_shares.all : way_share;
      const verdict = await this.#queries.budget.inShare(share, () => ended(() => ifSupported(way, refused)));
      if (isEnd(verdict) || (this.#refuted && !("obligations" in last))) return verdict;
      if (this.#refuted) return last;
      // What a proof by the given invariants left open is the most informative result.
      if (last.kind !== "undecided" || !("obligations" in last)) last = verdict;
      if (this.#queries.over) return "obligations" in last ? last : no_time;
    }
    // Methods read some constructs differently, so the code is rejected only if all methods refuse it.
    const [first] = refused;
    if (first && refused.length === ways.length) throw first;
    return last;
  }

  #arguments(t: Terms, { definitions }: Claim): Argument[] {
    const [args = [], other] = definitions.map((definition) => argumentsOf(t, this.#program, definition));
    if (other && typesText(args) !== typesText(other))
      throw new Unsupported("comparing functions whose parameters or annotations differ", definitions[1]?.line ?? 1);
    return args;
  }

  async #attempt(claim: Claim, plans: readonly Shape[]): Promise<Attempt> {
    const t = new Terms();
    const args = this.#arguments(t, claim);
    let attempt = await this.#run(t, claim, args, plans, this.#recursions(claim.definitions, []));
    for (const { thrown, line } of attempt.summaries.flatMap(({ raises }) => raises))
      if (thrown && claim.definitions.some(isRecursive))
        throw new Unsupported("recursion with exceptions of an unknown class", line);
    // Recursive calls can raise the exceptions that the bodies were found to raise.
    for (let known: string[] = []; claim.definitions.some(isRecursive); ) {
      const raised = [...new Set(attempt.summaries.flatMap(({ raises }) => raises.map(({ exception }) => exception)))];
      const allowed = raised.filter((each) => !claim.neverRaises(each));
      if (allowed.every((each) => known.includes(each))) break;
      known = allowed;
      attempt = await this.#run(t, claim, args, plans, this.#recursions(claim.definitions, known));
    }
    return attempt;
  }

  async #run(
    t: Terms,
    claim: Claim,
    args: readonly Argument[],
    plans: readonly Shape[],
    recursions: readonly (Recursive | undefined)[],
  ): Promise<Attempt> {
    const none: Shape = { peeled: new Map(), unrolled: undefined };
    const { budget } = this.#queries;
    const summaries: Summary[] = [];
    for (const [i, definition] of claim.definitions.entries()) {
      budget.check();
      const plan = { ...(plans[i] ?? none), side: i === 0 ? "a" : "b", budget };
      summaries.push(summarise(t, this.#program, definition, args, plan, recursions[i], claim.finals?.[i]));
    }
    budget.check();
    const facts = [...new Set(summaries.flatMap((each) => each.facts))];
    const excluded = claim.excluded(t, summaries);
    const calls = [...new Set(recursions)].flatMap((each) => each?.calls ?? []);
    const mistyped =
      calls.length > 0
        ? claim.definitions.map((definition, i) => ofOtherType(t, this.#program, definition, summaries[i]))
        : [];
    const refutations = [...claim.refuted(t, summaries), { when: t.or(...mistyped), place: undefined }];
    return { t, args, summaries, facts, refutations, excluded, calls, assumes: claim.assumes };
  }

  #recursions(definitions: readonly FunctionDef[], raises: readonly string[]): (Recursive | undefined)[] {
    const [a, b] = definitions;
    const recursive = definitions.filter(isRecursive);
    if (recursive.length === definitions.length) {
      const unknown = new Unknown(this.#program, definitions, raises);
      return definitions.map(() => unknown);
    }
    return definitions.map((definition) => {
      const other = definition === a ? b : a;
      return other && recursive.includes(definition) ? new StandIn(this.#program, definition, other) : undefined;
    });
  }

  /**
   * Unrolls all loops up to a bound. This finds inputs that may refute the claim, and proves the claim if no loop can
   * run longer.
   */
  async #unrolled(claim: Claim, bound: number): Promise<Verdict> {
    const plan = { peeled: new Map<number, number>(), unrolled: bound };
    const attempt = await this.#attempt(claim, [plan, plan]);
    const { t, facts, excluded, refutations, summaries } = attempt;
    const unfinished = t.or(...summaries.flatMap((each) => each.unfinished));
    const known = [...facts, t.not(excluded)];
    const refuted = t.or(...refutations.map(({ when }) => when));
    const { runs, refuted_by } = await sample(attempt, [], this.#queries.budget);
    if (refuted_by) return this.#hint(refuted_by);
    if (refuted !== t.no) {
      // If everything is unrolled, no other method can do better, so this one may use all the remaining time.
      const ms = unfinished === t.no ? this.#queries.left_ms : this.#queries.question_ms;
      const { kind } = await this.#queries.check([...known, refuted], ms);
      // If calls are assumed to satisfy the claim, a state that refutes the claim is not evidence.
      if (kind === "sat" && attempt.calls.length > 0) return noProof("the induction step does not hold");
      if (kind === "sat") return this.#candidate(attempt, [...known, refuted]);
      if (kind === "undecided") return noProof("Z3 answered unknown");
    }
    if (unfinished !== t.no && (await this.#queries.check([...known, unfinished])).kind !== "unsat")
      return noProof("a loop can run for more iterations than were unwound");
    if (!holdsSomewhere(t, runs, known) && !(await this.#satisfiable(attempt, known)))
      return noProof("no input satisfies the preconditions");
    if (!(await this.#recursionEnds(claim, attempt))) return noProof("termination of the recursion was not proved");
    return this.#proven(attempt, unfinished === t.no ? "direct" : "unwinding", []);
  }

  /** Unrolls loops and recursive calls up to a bound. This only finds inputs that may refute the claim. */
  async #unwound(claim: Claim): Promise<Verdict> {
    const t = new Terms();
    const plan = { peeled: new Map<number, number>(), unrolled: unrolled.few };
    const unwound = claim.definitions.map(() => new Unwound(claim.definitions));
    const attempt = await this.#run(t, claim, this.#arguments(t, claim), [plan, plan], unwound);
    const { refuted_by } = await sample(attempt, [], this.#queries.budget);
    if (refuted_by) return this.#hint(refuted_by);
    const asserted = [...attempt.facts, t.not(attempt.excluded), t.or(...attempt.refutations.map(({ when }) => when))];
    const { kind } = await this.#queries.check(asserted);
    return kind === "sat"
      ? this.#candidate(attempt, asserted)
      : noProof("no counterexample with few recursive calls was found");
  }

  async #inductive(claim: Claim, peels: readonly { first?: number }[]): Promise<Verdict> {
    const plans = peels.map(({ first }) => ({
      peeled: new Map(first === undefined ? [] : [[0, first]]),
      unrolled: undefined,
    }));
    const attempt = await this.#attempt(claim, plans);
    const [a = [], b = []] = attempt.summaries.map(({ loops }) => loops);
    if (a.length + b.length === 0) return noProof("there is no loop left for induction");
    let last: Verdict = noProof("no sufficient loop invariants were found");
    for (const groups of alignments(attempt.t, a, b)) {
      const verdict = await this.#withGroups(claim, attempt, groups);
      if (isEnd(verdict) || this.#queries.over) return verdict;
      last = verdict;
    }
    return last;
  }

  /** Runs the loops of two functions side by side, if they have the same form. */
  async #inStep(claim: Claim): Promise<Verdict> {
    const none = { peeled: new Map<number, number>(), unrolled: undefined };
    const attempt = await this.#attempt(claim, [none, none]);
    const [a = [], b = []] = attempt.summaries.map(({ loops }) => loops);
    const [groups] = alignments(attempt.t, a, b);
    if (!groups || a.length === 0 || a.length !== b.length) return noProof("the loops do not have the same form");
    return (await this.#byForm(claim, attempt, groups)) ?? noProof("the loops do not have the same form");
  }

  /** Compares two functions whose loops have the same form. Nothing has to be guessed from runs. */
  async #byForm(claim: Claim, attempt: Attempt, groups: readonly Group[]): Promise<Verdict | undefined> {
    const { t, facts, excluded, refutations } = attempt;
    const invariants = new Invariants(t, this.#queries, facts, groups, true);
    invariants.pair();
    if (!(await invariants.settle())) return undefined;
    const end = [...invariants.after(), t.not(excluded)];
    const goals = refutations.map(({ when }) => t.not(when));
    if (!(await this.#queries.following(t, end, goals)).every(Boolean)) return undefined;
    const ends = await ending(t, invariants, groups, [], new Map());
    if (typeof ends === "object" || !(await this.#recursionEnds(claim, attempt))) return undefined;
    if (!(await this.#satisfiable(attempt, end))) return undefined;
    return this.#proven(attempt, "induction", ends === "together" ? [both_or_neither] : []);
  }

  async #withGroups(claim: Claim, attempt: Attempt, groups: readonly Group[]): Promise<Verdict> {
    const same = claim.ends === "together" ? await this.#byForm(claim, attempt, groups) : undefined;
    if (same) return same;
    const { t, args, facts, excluded, refutations } = attempt;
    const { traces, runs, refuted_by } = await sample(attempt, groups, this.#queries.budget);
    if (refuted_by) return this.#hint(refuted_by);
    const parts = args.flatMap(({ plains }) => plains.flatMap(partsOf));
    // While a precondition's loops run, the precondition is not yet known to hold.
    const inputs = new Set([...parts, ...args.flatMap(({ tag }) => tag ?? [])]);
    const scalars = [...parts, ...measuresOf([excluded, ...refutations.map(({ when }) => when)], inputs)];
    const owed = (excluded.op === "or" ? excluded.args : [excluded]).map((each) => t.not(each));
    const known = [...facts, ...owed.filter((each) => [...symbolsIn([each])].every((symbol) => inputs.has(symbol)))];
    const invariants = new Invariants(t, this.#queries, known, groups);
    await invariants.guess(scalars, traces);
    if (!(await invariants.settle())) return noProof("the search for loop invariants timed out");
    const end = [...invariants.after(), ...owed];
    for (const { when, place } of refutations) {
      const facts_there = place ? invariants.at(place) : end;
      const [follows] = await this.#queries.following(t, facts_there, [t.not(when)]);
      if (!follows) return noProof("no sufficient loop invariants were found");
    }
    const ends = claim.ends === "no" ? "all" : await ending(t, invariants, groups, scalars, traces);
    if (typeof ends === "object" || (ends === "together" && claim.ends === "all"))
      return noProof("termination of a loop was not proved");
    if (!(await this.#recursionEnds(claim, attempt))) return noProof("termination of the recursion was not proved");
    const wanted = refutations.some(({ place }) => place) ? known : end;
    if (!holdsSomewhere(t, runs, wanted) && !(await this.#satisfiable(attempt, wanted)))
      return noProof("no input was found that satisfies the preconditions");
    return this.#proven(attempt, "induction", ends === "together" ? [both_or_neither] : []);
  }

  /** Uses asserts as invariants, and treats each exception as a separate obligation. */
  async #byInvariants(claim: Claim): Promise<Verdict> {
    const { by_invariants } = claim;
    const attempt = await this.#attempt(claim, [{ peeled: new Map(), unrolled: undefined, by_invariants }]);
    const { t, args, facts, excluded, refutations, summaries } = attempt;
    const groups = separate(
      t,
      summaries.flatMap(({ loops }) => loops),
      t.yes,
    );
    const { traces, runs, refuted_by } = await sample(attempt, groups, this.#queries.budget);
    if (refuted_by && !this.#program.congruent) return candidateOf(refuted_by);
    const scalars = args.flatMap(({ plains }) => plains.flatMap(partsOf));
    const inputs = new Set([...scalars, ...args.flatMap(({ tag }) => tag ?? [])]);
    const owed = (excluded.op === "or" ? excluded.args : [excluded]).map((each) => t.not(each));
    const known = [...facts, ...owed.filter((each) => [...symbolsIn([each])].every((symbol) => inputs.has(symbol)))];
    const { text, congruent } = this.#program;
    const scene = { t, queries: this.#queries, args, groups, text, is_modelled: !congruent };
    const steps = new GivenInvariants(
      scene,
      known,
      summaries.flatMap(({ obligations }) => obligations),
      groups,
    );
    const ends = () => ending(t, steps, groups, scalars, traces);
    const proved = async (): Promise<Verdict> => {
      if (!steps.settled) return noProof("the given invariants were not proved in time");
      if ((await steps.unproved()).length > 0) return noProof("some obligations were not proved");
      for (const { when } of refutations)
        if (!(await steps.follows(t.implies(t.and(...owed), t.not(when))))) return noProof("the result was not proved");
      if ((await ends()) !== "all") return noProof("termination of a loop was not proved");
      if (!holdsSomewhere(t, runs, [...facts, ...owed]) && !(await this.#satisfiable(attempt, [...facts, ...owed])))
        return noProof("no input was found that satisfies the preconditions");
      return this.#proven(attempt, "invariants", []);
    };
    const verdict = await this.#queries.budget.inShare(invariant_shares.proof, () =>
      ended(async () => {
        await steps.settle(scalars, traces);
        return proved();
      }),
    );
    if (verdict.kind === "proven") return verdict;
    const left = () => leftOpen(scene, steps, ends);
    return this.#secondLook(verdict, steps, { left, proved });
  }

  /** Examines what a failed proof by given invariants left open. This can also complete the proof. */
  async #secondLook(
    verdict: Verdict & { readonly reason: string },
    steps: GivenInvariants,
    { left, proved }: { readonly left: () => ReturnType<typeof leftOpen>; readonly proved: () => Promise<Verdict> },
  ): Promise<Verdict> {
    // States say nothing about operations that are not modelled.
    if (this.#program.congruent && !steps.has_asserts) return verdict;
    const left_share = steps.has_asserts ? 1 : invariant_shares.left_without_asserts;
    const { obligations, inputs: broken_by } = await this.#queries.budget.inShare(left_share, left);
    // The second look may have found other forms of the asserts from which everything follows.
    const again = steps.settled ? await ended(proved) : verdict;
    if (again.kind === "proven") return again;
    if (broken_by) return { ...candidateOf(broken_by), obligations };
    return { ...noProof(openWords(obligations) ?? verdict.reason), obligations };
  }

  /**
   * Proves that the recursion terminates. The precondition itself may contain calls, so it is not known to hold during
   * them.
   */
  async #recursionEnds(claim: Claim, { t, args, facts, calls }: Attempt): Promise<boolean> {
    if (claim.ends === "no" || calls.length === 0) return true;
    const parameters = args.flatMap(({ plains }) => plains.flatMap(partsOf));
    return recursionEnds(t, this.#queries, facts, parameters, calls);
  }

  async #satisfiable({ t }: Attempt, terms: readonly Term[]): Promise<boolean> {
    return t.and(...terms) === t.yes || (await this.#queries.check(terms)).kind === "sat";
  }

  async #candidate(attempt: Attempt, asserted: readonly Term[]): Promise<Verdict> {
    if (this.#program.congruent) return this.#hint([]);
    const inputs = await smallCounterexample(this.#queries, attempt, asserted);
    return inputs ? candidateOf(inputs) : noProof("no small counterexample was found");
  }

  /**
   * Reports an input that may refute the claim. If some operations are not modelled, it refutes the claim only for some
   * meaning of them.
   */
  #hint(inputs: readonly PythonValue[]): Verdict {
    if (!this.#program.congruent) return candidateOf(inputs);
    this.#refuted = true;
    return noProof("the claim depends on operations that are not modelled");
  }

  #proven({ args, calls, assumes, summaries }: Attempt, how: Evidence["method"], more: readonly string[]): Verdict {
    const { unsat, engine } = this.#queries;
    const method = calls.length > 0 ? "recursion" : how;
    const smt = [...unsat];
    const sha256 = createHash("sha256").update(smt.join("\n\n")).digest("hex");
    const version = `Python ${this.#program.python.join(".")}`;
    const same = this.#program.congruent ? [summaries.length > 1 ? same_operations : fixed_operations] : [];
    const objects = args.some(({ types }) => types.some(holdsObjects)) ? [any_objects] : [];
    const assumptions = [version, ...assumed, ...objects, ...assumes, ...same, ...more];
    return { kind: "proven", proof: { method, engine, assumptions, smt, sha256 } };
  }
}

/** Returns the proof that consists in the comparison of the code (`symbolic/code/same/`). */
export function sameCode(python: readonly number[]): Evidence {
  const assumptions = [`Python ${python.join(".")}`, ...assumed, own_types, ...meanings.equivalent];
  return {
    method: "same_code",
    engine: "",
    assumptions,
    smt: [],
    sha256: createHash("sha256").update("").digest("hex"),
  };
}

const own_types = "arguments are values of Python's own types";
const assumed = [
  "every argument is of exactly its annotated type: no bool for an int, no int for a float",
  "memory and recursion depth are sufficient",
];
const any_objects =
  "an object can have any field values of the types given by annotations or constants, unless its constructor rejects them";
const same_operations = "an operation without a model has the same result in both functions for the same operands";
const fixed_operations = "an operation without a model has the same result each time for the same operands";
const both_or_neither = "a loop was not proved to end, but both functions end on the same inputs";

/** Tries a method. If it does not support the code, records the refusal, so that other methods can be tried. */
async function ifSupported(way: () => Promise<Verdict>, refused: Unsupported[]): Promise<Verdict> {
  try {
    return await way();
  } catch (error) {
    if (error instanceof Unsupported) {
      refused.push(error);
      return noProof(error.message);
    }
    throw error;
  }
}

/** Returns the result of a method, even if the time ran out during it. */
async function ended(way: () => Promise<Verdict>): Promise<Verdict> {
  return (await inTime(way)) ?? no_time;
}

/** Summarises what was not proved. */
function openWords({ open }: Obligations): string | undefined {
  if (open.length === 0) return undefined;
  const words = open.map(({ kind, line, exception }) => `${exception ?? kind} (line ${line})`);
  return `not proved: ${[...new Set(words)].join(", ")}`;
}

function noProof(reason: string): NoProof {
  return undecided("incomplete", reason);
}

const no_time = limitReached("time");

function candidateOf(inputs: readonly PythonValue[]): Candidate {
  return { ...undecided("unconfirmed", "an input was found that might refute the claim"), inputs };
}

/** Whether no other method needs to be tried. */
function isEnd(verdict: Verdict): boolean {
  return verdict.kind === "proven" || verdict.cause === "unconfirmed";
}

function typesText(args: readonly Argument[]): string {
  return args.map(({ types }) => types.map(typeText).join(" | ")).join(", ");
}

const measures_max = 4;

/** Returns the measures of the arguments' items that these terms mention. */
function measuresOf(terms: readonly Term[], inputs: ReadonlySet<Term>): Term[] {
  const measures = inOrder(terms).filter(isMeasure);
  const own = measures.filter((each) => [...symbolsIn([each])].every((symbol) => inputs.has(symbol)));
  return own.slice(0, measures_max);
}
