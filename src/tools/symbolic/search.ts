import type { Job } from "../../kernel/child.ts";
import { limits } from "../../kernel/limits.ts";
import { within } from "../../kernel/within.ts";
import type { Input, Side } from "./replies.ts";

/** An input that may show what is looked for; candidates of one key show the same. */
export interface Candidate {
  readonly input: Input;
  readonly key: string;
  readonly sides: readonly Side[];
}

/** How it is known that there is no witness. */
export interface Proof {
  readonly method: string;
  readonly engine: string;
  readonly assumptions: readonly string[];
  /** A hash of the questions that Z3 answered, where they are kept. */
  readonly sha256?: string;
}

/** Looks for candidates, or for a proof that there are none. */
export interface Source {
  readonly name: string;
  /** No claim stands before these have looked: they are cheap, and see what engines overlook. */
  readonly comes_first: boolean;
  /**
   * Gives the proof, when it found one, once it has looked everywhere or its time ran out. Calls
   * `begun` when it is at work: its process may take a while to start.
   */
  look(job: Job, offer: (candidate: Candidate) => void, begun: () => void): Promise<Proof | undefined>;
}

export interface Aim<Witness> {
  /** Runs the candidate in a clean interpreter; undefined when it does not show what was claimed. */
  confirm(candidate: Candidate, job: Job): Promise<Witness | "not confirmed" | "expired">;
  /** What makes witnesses the same to a reader. */
  keyOf(witness: Witness): string;
  /** Whether a witness contradicts a proof; else both stand side by side. */
  contradicts(witness: Witness): boolean;
  /** Whether these answer the question: not yet, as soon as no others follow quickly, or at once. */
  enough(witnesses: readonly Witness[]): "no" | "soon" | "yes";
}

export interface Searched<Witness> {
  readonly witnesses: readonly Witness[];
  /** The names of the sources that offered them. */
  readonly found_by: ReadonlySet<string>;
  /** Candidates that did not replay. */
  readonly dropped: number;
  /** Candidates that nobody had time to replay. */
  readonly unreplayed: number;
  readonly proof: Proof | undefined;
  readonly expired: boolean;
}

/**
 * Runs all sources side by side within one deadline; the first decision stops them all. A witness
 * counts once it was replayed, and outweighs any proof. Raises what a source raises, and `cancelled`.
 */
export function search<Witness>(sources: readonly Source[], aim: Aim<Witness>, job: Job): Promise<Searched<Witness>> {
  return new Search(sources, aim, job).run();
}

/** A candidate with the name of the source that it comes from. */
interface Offered {
  readonly candidate: Candidate;
  readonly by: string;
}

class Search<Witness> {
  readonly #sources: readonly Source[];
  readonly #aim: Aim<Witness>;
  readonly #job: Job;
  readonly #start = performance.now();
  /** Stops the sources, and nobody else. */
  readonly #stop = new AbortController();
  readonly #looking = new Set<Source>();
  readonly #starting = new Set<Source>();
  readonly #waiting: Offered[] = [];
  readonly #witnesses = new Map<string, Witness>();
  readonly #found_by = new Set<string>();
  /** Keys of candidates that were confirmed: others of the same key show nothing new. */
  readonly #shown = new Set<string>();
  #replaying = false;
  #dropped = 0;
  #unreplayed = 0;
  #proof: Proof | undefined;
  #expired = false;
  #settle: NodeJS.Timeout | undefined;
  #finish: () => void = () => {};
  #fail: (thrown: unknown) => void = () => {};

  constructor(sources: readonly Source[], aim: Aim<Witness>, job: Job) {
    this.#sources = sources;
    this.#aim = aim;
    this.#job = job;
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
      // Sources keep their deadlines themselves; one that does not holds nobody up.
      this.#expired = (await within(this.#job, over)) === "expired";
    } finally {
      clearTimeout(this.#settle);
      this.#stop.abort();
    }
    return {
      witnesses: [...this.#witnesses.values()],
      found_by: this.#found_by,
      dropped: this.#dropped,
      unreplayed: this.#unreplayed + this.#waiting.length,
      proof: [...this.#witnesses.values()].some(this.#aim.contradicts) ? undefined : this.#proof,
      expired: this.#expired,
    };
  }

  #left(): number {
    return Math.max(0, this.#job.left_ms - (performance.now() - this.#start));
  }

  async #look(source: Source): Promise<void> {
    const signal = AbortSignal.any([this.#job.signal, this.#stop.signal]);
    // What is found last has to be replayed yet.
    const reserve_ms = Math.min(limits.symbolic_replay_reserve_ms, this.#left() / 4);
    const begun = () => {
      if (this.#starting.delete(source)) this.#decide();
    };
    try {
      const job = { left_ms: this.#left() - reserve_ms, signal };
      const proof = await source.look(job, (candidate) => this.#offer({ candidate, by: source.name }), begun);
      this.#proof ??= proof;
    } catch (thrown) {
      // Stopped sources say that they were cancelled; then nobody waits for them any more.
      this.#fail(thrown);
    }
    this.#looking.delete(source);
    this.#starting.delete(source);
    this.#decide();
  }

  #offer(offered: Offered): void {
    if (this.#stop.signal.aborted || this.#shown.has(offered.candidate.key)) return;
    if (this.#waiting.length >= limits.symbolic_candidates_max) this.#unreplayed++;
    else this.#waiting.push(offered);
    if (!this.#replaying) void this.#replayAll();
  }

  async #replayAll(): Promise<void> {
    this.#replaying = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        if (this.#shown.has(next.candidate.key)) continue;
        await this.#replay(next);
        if (this.#stop.signal.aborted) return;
      }
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      this.#replaying = false;
    }
    this.#decide();
  }

  async #replay({ candidate, by }: Offered): Promise<void> {
    const outcome = await this.#aim.confirm(candidate, { left_ms: this.#left(), signal: this.#job.signal });
    if (outcome === "expired") this.#unreplayed++;
    else if (outcome === "not confirmed") this.#dropped++;
    else {
      this.#shown.add(candidate.key);
      const key = this.#aim.keyOf(outcome);
      if (!this.#witnesses.has(key)) {
        this.#witnesses.set(key, outcome);
        this.#found_by.add(by);
      }
      this.#decide();
    }
  }

  /** Ends the search when the question is answered, or when nothing can answer it any more. */
  #decide(): void {
    const idle = !this.#replaying && this.#waiting.length === 0;
    const first_ones = [...this.#looking].some((source) => source.comes_first);
    const enough = this.#aim.enough([...this.#witnesses.values()]);
    const proved = this.#proof !== undefined && idle && !first_ones;
    const nothing_left = (this.#looking.size === 0 && idle) || this.#left() <= 0;
    if (enough === "yes" || proved || nothing_left) this.#finish();
    else if (enough === "soon") this.#settleSoon();
  }

  /** Others like the first one may follow: once all are at work, they get as long again as it took. */
  #settleSoon(): void {
    if (this.#starting.size > 0) return;
    const took = performance.now() - this.#start;
    this.#settle ??= setTimeout(() => this.#finish(), Math.max(limits.symbolic_settle_ms_min, took));
  }
}
