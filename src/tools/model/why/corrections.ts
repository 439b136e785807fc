import { type Core, shrink } from "./core.ts";
import type { WholeSearch } from "./probe.ts";

/** Parts whose removal makes a solution possible, as the answer to a question showed. */
export interface Correction {
  readonly parts: readonly number[];
  /**
   * `smallest`: fewer parts do not suffice. `minimal`: none of these parts can be kept. `enough`: neither is proved.
   * The first two are claimed only if the answers to questions prove them.
   */
  readonly proved: "smallest" | "minimal" | "enough";
}

export interface Corrections {
  /** The correction sets, smallest first. */
  readonly sets: readonly Correction[];
  /** Whether no other minimal set exists. */
  readonly complete: boolean;
  /** Whether any question stayed open. */
  readonly has_open: boolean;
}

/** The limits for one enumeration of correction sets. */
export interface CorrectionLimits {
  readonly sets_max: number;
  /** The maximum number of sets to examine per size. */
  readonly visits_max: number;
}

/**
 * Finds the smallest sets of parts to leave out, ordered by size. A set that helps contains a part of each core, so the
 * candidates are the hitting sets of the known cores. They form a tree whose branches are the parts of a core that the
 * candidate does not hit yet; the tree is searched one level deeper each time (Reiter, "A theory of diagnosis from
 * first principles", 1987). A candidate that does not help yields another core. MARCO uses the same duality between
 * cores and corrections (Liffiton, Previti, Malik, Marques-Silva, "Fast, flexible MUS enumeration", 2016).
 */
export async function corrections(first: Core, search: WholeSearch, limits: CorrectionLimits): Promise<Corrections> {
  return new Enumeration(first, search, limits).run();
}

class Enumeration {
  readonly #search: WholeSearch;
  readonly #limits: CorrectionLimits;
  readonly #all: readonly number[];
  readonly #cores: (readonly number[])[];
  readonly #sets: (readonly number[])[] = [];
  readonly #open: (readonly number[])[] = [];
  readonly #known = new Map<string, "sat" | "unsat" | "open">();
  #visited = new Set<string>();
  #is_cut = false;

  constructor(first: Core, search: WholeSearch, limits: CorrectionLimits) {
    this.#search = search;
    this.#limits = limits;
    this.#all = [...Array(search.count).keys()];
    this.#cores = search.monotone ? [first.parts] : [];
    this.#known.set("", "unsat");
  }

  async run(): Promise<Corrections> {
    let complete = false;
    for (let size = 1; size <= this.#search.count && !complete && !this.#isOver(); size++) {
      this.#visited = new Set();
      this.#is_cut = false;
      await this.#visit([], size);
      complete = !this.#is_cut && !this.#isOver();
    }
    return {
      sets: this.#sets.map((parts) => ({ parts, proved: this.#proved(parts) })),
      complete: complete && this.#open.length === 0,
      has_open: this.#open.length > 0,
    };
  }

  /** Examines the sets of up to this size that contain these parts. */
  async #visit(left_out: readonly number[], size: number): Promise<void> {
    const key = left_out.join();
    if (this.#visited.has(key) || this.#sets.some((set) => set.every((part) => left_out.includes(part)))) return;
    this.#visited.add(key);
    if (this.#isOver()) return;
    const branches = await this.#branches(left_out, key);
    if (left_out.length === size) {
      this.#is_cut ||= branches.length > 0;
      return;
    }
    for (const part of branches)
      await this.#visit(
        [...left_out, part].toSorted((a, b) => a - b),
        size,
      );
  }

  /** Returns parts, at least one of which must also be left out; empty if the set already helps. */
  async #branches(left_out: readonly number[], key: string): Promise<readonly number[]> {
    const missed = this.#missed(left_out);
    if (missed) return missed;
    const remaining = this.#all.filter((part) => !left_out.includes(part));
    const known = this.#known.get(key);
    if (known !== undefined) return known === "sat" ? [] : remaining;
    const { verdict, core } = await this.#search.probe(remaining);
    this.#known.set(key, verdict);
    if (verdict === "sat") this.#sets.push(left_out);
    if (verdict === "open") this.#open.push(left_out);
    if (verdict === "sat") return [];
    if (verdict === "open" || !this.#search.monotone) return remaining;
    const { parts } = await shrink(core ?? remaining, this.#search);
    this.#cores.push(parts);
    return parts;
  }

  /** Finds a known core of which this set leaves out no part. */
  #missed(left_out: readonly number[]): readonly number[] | undefined {
    return this.#cores.find((core) => !core.some((part) => left_out.includes(part)));
  }

  #isOver(): boolean {
    const { sets_max, visits_max } = this.#limits;
    return this.#sets.length >= sets_max || this.#visited.size > visits_max || !this.#search.hasTime();
  }

  #proved(parts: readonly number[]): Correction["proved"] {
    const are_smaller_decided = this.#open.every((set) => set.length >= parts.length);
    if (are_smaller_decided) return parts.length === this.#sets[0]?.length ? "smallest" : "minimal";
    const isNeeded = (part: number) => this.#missed(parts.filter((other) => other !== part)) !== undefined;
    return parts.every(isNeeded) ? "minimal" : "enough";
  }
}
