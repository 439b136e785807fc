import type { Deadline } from "../../kernel/deadline.ts";
import { symbolic_limits } from "./limits.ts";
import type { Input, Side } from "./replies.ts";

/** An input that may show what the search is looking for. */
export interface Candidate {
  readonly input: Input;
  /**
   * Everything that the candidate may show; a candidate that shares only some of these keys with another is replayed
   * for the rest.
   */
  readonly keys: readonly string[];
  readonly sides: readonly Side[];
}

/** The proof that there is no witness. */
export interface Proof {
  readonly method: string;
  readonly engine: string;
  readonly assumptions: readonly string[];
  /** The types of the parameters for which the proof holds, if the code does not state them. */
  readonly assumed_types?: Readonly<Record<string, string>>;
  /** The questions (SMT-LIB) that Z3 answered unsat, and a hash of these questions. */
  readonly questions?: readonly string[];
  readonly sha256?: string;
  /** Other engines that answered these questions in the same way, or why none did. */
  readonly confirmed_by?: readonly string[];
  readonly unconfirmed?: string;
}

/** Something that looks for candidates, or for a proof that there are none. */
export interface Source {
  readonly name: string;
  /**
   * Whether no claim is reported before this source has finished; such sources are cheap, and find what engines
   * overlook.
   */
  readonly comes_first: boolean;
  /**
   * Returns the proof, if there is one, after looking everywhere or timing out. Calls `begun` once it is at work, since
   * its process may take a while to start.
   */
  look(deadline: Deadline, offer: (candidate: Candidate) => void, begun: () => void): Promise<Proof | undefined>;
}

export interface Aim<Witness> {
  /** Runs the candidate in a clean interpreter; returns "not replayed" if it could not be run to its end. */
  confirm(candidate: Candidate, deadline: Deadline): Promise<Witness | "not confirmed" | "not replayed">;
  /** Returns a key that is equal for witnesses which are the same to a reader. */
  keyOf(witness: Witness): string;
  /** Returns the keys that a candidate's run has shown. */
  shows(witness: Witness, candidate: Candidate): readonly string[];
  /** Whether a witness contradicts a proof; if not, both are reported. */
  contradicts(witness: Witness): boolean;
  /** Whether a candidate would contradict a proof if it showed what it was offered for. */
  questions(candidate: Candidate): boolean;
  /**
   * Whether these witnesses answer the question: not yet, as soon as no others follow quickly, or at once. `open` lists
   * the candidates that have not been replayed yet.
   */
  enough(witnesses: readonly Witness[], open: readonly Candidate[]): "no" | "soon" | "yes";
}

export interface Searched<Witness> {
  readonly witnesses: readonly Witness[];
  /** The names of the sources that offered the witnesses. */
  readonly found_by: ReadonlySet<string>;
  /** The number of candidates that did not show what they were offered for. */
  readonly dropped: number;
  /** The candidates that were not replayed; nothing is claimed that they might contradict. */
  readonly unreplayed: readonly Candidate[];
  /**
   * How many of the unreplayed candidates were skipped because the question was answered before their replay could end.
   */
  readonly needless: number;
  readonly proof: Proof | undefined;
  readonly expired: boolean;
}

/**
 * Runs all sources in parallel within one deadline; the first decision stops them all. A witness counts once it has
 * been replayed, and outweighs any proof. A proof waits a moment for objections, and is not reported while any source's
 * candidate has not been replayed. Raises the faults of the sources, and `cancelled`.
 */
export function search<Witness>(
  sources: readonly Source[],
  aim: Aim<Witness>,
  deadline: Deadline,
): Promise<Searched<Witness>> {
  return new Search(sources, aim, deadline).run();
}

/** A candidate, with the name of the source that offered it. */
interface Offered {
  readonly candidate: Candidate;
  readonly by: string;
}

/** Returns how much of the time is reserved for replaying the last candidates. */
export function reserveOf(left_ms: number): number {
  return Math.min(symbolic_limits.replay_reserve_ms, left_ms / 4);
}

class Search<Witness> {
  readonly #sources: readonly Source[];
  readonly #aim: Aim<Witness>;
  readonly #deadline: Deadline;
  readonly #start = performance.now();
  /** Stops the sources, but nothing else. */
  readonly #stop = new AbortController();
  readonly #looking = new Set<Source>();
  readonly #starting = new Set<Source>();
  readonly #waiting: Offered[] = [];
  /** Candidates that could not be replayed. */
  readonly #unreplayed: Candidate[] = [];
  readonly #witnesses = new Map<string, Witness>();
  readonly #found_by = new Set<string>();
  /** The keys that were confirmed; a candidate that has only such keys shows nothing new. */
  readonly #shown = new Set<string>();
  #replaying: Candidate | undefined;
  #dropped = 0;
  /** How many replays have ended. */
  #replays = 0;
  #proof: Proof | undefined;
  /** The timer during which other sources may still object to the proof. */
  #objections: NodeJS.Timeout | undefined;
  #unopposed = false;
  #expired = false;
  #settle: NodeJS.Timeout | undefined;
  #finish: () => void = () => {};
  #fail: (thrown: unknown) => void = () => {};

  constructor(sources: readonly Source[], aim: Aim<Witness>, deadline: Deadline) {
    this.#sources = sources;
    this.#aim = aim;
    this.#deadline = deadline;
  }

  async run(): Promise<Searched<Witness>> {
    const over = new Promise<void>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    for (const source of this.#sources) {
      this.#looking.add(source);
      this.#starting.add(source);
    }
    for (const source of this.#sources) void this.#look(source);
    try {
      // Sources observe their deadlines themselves; a source that does not must not delay the others.
      this.#expired = (await this.#deadline.within(over)) === "expired";
    } finally {
      clearInterval(this.#settle);
      clearTimeout(this.#objections);
      this.#stop.abort();
    }
    const unreplayed = this.#unsettled();
    const failed = new Set(this.#unreplayed);
    return {
      witnesses: [...this.#witnesses.values()],
      found_by: this.#found_by,
      dropped: this.#dropped,
      unreplayed,
      needless: this.#expired || this.#deadline.is_over ? 0 : unreplayed.filter((each) => !failed.has(each)).length,
      proof: this.#isAccepted() ? this.#proof : undefined,
      expired: this.#expired,
    };
  }

  /** Returns the candidates for which it is not yet known whether they show anything. */
  #unsettled(): readonly Candidate[] {
    const waiting = this.#waiting.map(({ candidate }) => candidate);
    const open = [...this.#unreplayed, ...(this.#replaying ? [this.#replaying] : []), ...waiting];
    return open.filter((each) => !this.#isShown(each));
  }

  #isShown({ keys }: Candidate): boolean {
    return keys.every((key) => this.#shown.has(key));
  }

  /** Whether a proof is accepted: nothing that was found, or that may still be found, contradicts it. */
  #isAccepted(): boolean {
    const contradicted = [...this.#witnesses.values()].some((each) => this.#aim.contradicts(each));
    const questioned = this.#unsettled().some((each) => this.#aim.questions(each));
    const first_ones = [...this.#looking].some((source) => source.comes_first);
    return !contradicted && !questioned && !first_ones;
  }

  async #look(source: Source): Promise<void> {
    const signal = AbortSignal.any([this.#deadline.signal, this.#stop.signal]);
    // Sources end earlier, so that the last candidates can still be replayed.
    const deadline = this.#deadline.earlierBy(reserveOf(this.#deadline.left_ms)).withSignal(signal);
    const begun = () => {
      if (this.#starting.delete(source)) this.#decide();
    };
    try {
      const proof = await source.look(deadline, (candidate) => this.#offer({ candidate, by: source.name }), begun);
      this.#proof ??= proof;
    } catch (thrown) {
      // Stopped sources report that they were cancelled, but by then nothing waits for them any more.
      this.#fail(thrown);
    }
    this.#looking.delete(source);
    this.#starting.delete(source);
    this.#decide();
  }

  #offer(offered: Offered): void {
    if (this.#stop.signal.aborted || this.#isShown(offered.candidate)) return;
    if (this.#waiting.length < symbolic_limits.candidates_max) this.#waiting.push(offered);
    else if (this.#unreplayed.length < symbolic_limits.candidates_max) this.#unreplayed.push(offered.candidate);
    if (!this.#replaying) void this.#replayAll();
  }

  async #replayAll(): Promise<void> {
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        if (this.#isShown(next.candidate)) continue;
        this.#replaying = next.candidate;
        await this.#replay(next);
        if (this.#stop.signal.aborted) return;
        this.#replaying = undefined;
      }
    } catch (thrown) {
      this.#fail(thrown);
      return;
    }
    this.#decide();
  }

  async #replay({ candidate, by }: Offered): Promise<void> {
    const outcome = await this.#aim.confirm(candidate, this.#deadline);
    this.#replays++;
    if (outcome === "not replayed") this.#unreplayed.push(candidate);
    else if (outcome === "not confirmed") this.#dropped++;
    else {
      for (const key of this.#aim.shows(outcome, candidate)) this.#shown.add(key);
      const key = this.#aim.keyOf(outcome);
      if (!this.#witnesses.has(key)) {
        this.#witnesses.set(key, outcome);
        this.#found_by.add(by);
      }
      this.#decide();
    }
  }

  /** Ends the search if the question is answered, or if nothing can answer it any more. */
  #decide(): void {
    const idle = !this.#replaying && this.#waiting.length === 0;
    const enough = this.#aim.enough([...this.#witnesses.values()], this.#unsettled());
    const nothing_left = (this.#looking.size === 0 && idle) || this.#deadline.is_over;
    const proved = this.#proof !== undefined && idle && this.#isAccepted();
    if (enough === "yes" || nothing_left || (proved && this.#unopposed)) this.#finish();
    else if (enough === "soon") this.#settleSoon();
    else if (proved) this.#awaitObjections();
  }

  /**
   * Waits for further witnesses. Once all sources are at work, they get as much time again as the first witness took.
   * Candidates offered by then are also replayed, as long as a replay ends within each such interval, since a busy
   * machine needs longer for each one.
   */
  #settleSoon(): void {
    if (this.#starting.size > 0 || this.#settle) return;
    const took = performance.now() - this.#start;
    let replays = this.#replays;
    this.#settle = setInterval(
      () => {
        const goes_on = this.#replaying !== undefined && this.#replays > replays;
        replays = this.#replays;
        if (!goes_on) this.#finish();
      },
      Math.max(symbolic_limits.settle_ms_min, took),
    );
  }

  /**
   * Waits for objections to a proof. A source that is still looking may be about to refute what another source proved,
   * so it gets half as much time again as the proof took.
   */
  #awaitObjections(): void {
    const took = performance.now() - this.#start;
    const bounded = Math.min(Math.max(took / 2, symbolic_limits.objections_ms_min), symbolic_limits.objections_ms_max);
    this.#objections ??= setTimeout(() => {
      this.#unopposed = true;
      this.#decide();
    }, bounded);
  }
}
