import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { ItemLine, Why } from "../language.ts";
import { model_limits } from "../limits.ts";
import { type Core, shrink } from "./core.ts";
import { type Correction, type CorrectionLimits, type Corrections, corrections } from "./corrections.ts";
import type { Probed, WholeSearch } from "./probe.ts";

/** A removable part of a model: the constraints at one place. */
export interface Part {
  readonly place: ItemLine;
}

/** The question to explain: why a model has no solution, or none better than the optimum. */
export interface WhyQuestion {
  readonly about: Why["about"];
  readonly parts: readonly Part[];
  /**
   * Decides within this time whether there is a solution (for an optimum: a better one) if only these parts are kept.
   * An engine's fault counts as open.
   */
  readonly ask: (subset: readonly number[], deadline: Deadline) => Promise<Probed>;
  /** Whether leaving out more parts can only add solutions. */
  readonly monotone: boolean;
  /** Parts that are reported to conflict; if they do, the search starts with them. */
  readonly known?: readonly number[] | undefined;
  /**
   * Finds the amounts by which a set's parts must be relaxed; undefined if that is meaningless, or if none were found
   * in time.
   */
  readonly relax?: (set: readonly number[], deadline: Deadline) => Promise<Relaxed | undefined>;
}

/** The amounts, with the smallest sum, by which comparisons must be relaxed to make a solution possible. */
export interface Relaxed {
  /** The amounts, with indices into the given set; parts of one statement are relaxed together. */
  readonly least: readonly { readonly parts: readonly number[]; readonly by: number }[];
  /** Whether the sum is proved minimal. */
  readonly proved: boolean;
}

/** An explanation, or "refuted" if the search found a solution although none was claimed to exist. */
export type Explanation = Why | "refuted";

/**
 * Explains within the available time: by the cases of lines, or by whole lines if sets of cases take too long. Raises
 * `cancelled`.
 */
export async function explain(why_question: WhyQuestion, deadline: Deadline): Promise<Explanation> {
  const { about, parts, monotone } = why_question;
  const time = deadline.earlierBy(model_limits.why_last_word_ms);
  const search = searchOf(why_question, time);
  const whole = await firstCore(why_question, search, [...parts.keys()]);
  if (whole === "refuted") return whole;
  if (whole === undefined) return nothing(about, [undecidedWhole(about)]);
  const alone = await search.probe([]);
  const is_alone = alone.verdict === "unsat";
  if (is_alone && monotone) return { ...nothing(about, []), core: [], core_minimal: true, drop_complete: true };
  const core = is_alone ? { parts: [], minimal: true } : await shrink(whole, search);
  const lines = linesOf(parts);
  const has_cases = lines.length < parts.length;
  const end_ms = has_cases ? time.left_ms * (1 - model_limits.why_cases_share) : 0;
  const hasTime = () => time.left_ms > end_ms;
  const found = await corrections(core, { ...search, hasTime }, limits);
  const is_open = has_cases && found.sets.length === 0 && !found.complete;
  const sets = is_open ? await lineCorrections(lines, core, search) : found;
  return withAmounts(why_question, whyOf(why_question, core, sets, search.hasTime()), sets, time);
}

/** Adds to the explanation the amounts by which each set must be relaxed, as far as time allows. */
async function withAmounts(
  { parts, relax }: WhyQuestion,
  why: Why,
  { sets }: Corrections,
  time: Deadline,
): Promise<Why> {
  if (!relax) return why;
  const drop: Why["drop"][number][] = [];
  for (const [i, each] of why.drop.entries()) {
    const set = sets[i]?.parts ?? [];
    const share = time.atMost(time.left_ms / (why.drop.length - i));
    const found = time.is_over ? undefined : await relax(set, share);
    const relaxed = found?.least.flatMap(({ parts: own, by }) => {
      const places = own.flatMap((index) => parts[set[index] ?? -1]?.place ?? []);
      const [first] = places;
      const cases = places.flatMap((place) => place.cases ?? []);
      return first ? [{ ...first, ...(cases.length > 0 && { cases }), by }] : [];
    });
    drop.push(found && relaxed ? { ...each, relaxed, relaxed_proved: found.proved } : each);
  }
  return { ...why, drop };
}

/** Groups the parts by line. */
function linesOf(parts: readonly Part[]): number[][] {
  const lines = new Map<string, number[]>();
  for (const [index, { place }] of parts.entries()) {
    const line = `${place.item}:${place.line}`;
    lines.set(line, [...(lines.get(line) ?? []), index]);
  }
  return [...lines.values()];
}

const limits: CorrectionLimits = {
  sets_max: model_limits.why_sets_max,
  visits_max: model_limits.why_visits_max,
};

/** Finds the smallest sets of lines to leave out, without those of their cases that can be kept. */
async function lineCorrections(
  lines: readonly (readonly number[])[],
  core: Core,
  search: WholeSearch,
): Promise<Corrections> {
  const partsOf = (indices: readonly number[]) => indices.flatMap((index) => lines[index] ?? []);
  const in_core = new Set(core.parts);
  const first = [...lines.keys()].filter((index) => lines[index]?.some((part) => in_core.has(part)));
  const { sets, has_open } = await corrections(
    { parts: first, minimal: false },
    {
      count: lines.length,
      monotone: search.monotone,
      hasTime: search.hasTime,
      probe: async (subset) => ({ verdict: (await search.probe(partsOf(subset))).verdict }),
    },
    limits,
  );
  const smaller: Correction[] = [];
  for (const set of sets) smaller.push(await withoutNeedless(partsOf(set.parts), search));
  return { sets: smaller.sort((a, b) => a.parts.length - b.parts.length), complete: false, has_open };
}

/**
 * Removes the parts of a correction that can be kept. It uses the search for a core with the roles of solution and
 * conflict exchanged.
 */
async function withoutNeedless(correction: readonly number[], search: WholeSearch): Promise<Correction> {
  const { parts, minimal } = await shrink(correction, {
    ...search,
    async probe(left_out) {
      const set = new Set(left_out);
      const { verdict } = await search.probe([...Array(search.count).keys()].filter((part) => !set.has(part)));
      return { verdict: verdict === "sat" ? "unsat" : verdict === "unsat" ? "sat" : "open" };
    },
  });
  return { parts, proved: parts.length === 1 ? "smallest" : minimal ? "minimal" : "enough" };
}

/** Asks a first question, and returns the parts that it found to conflict; undefined if the question stays open. */
async function firstCore(
  { known }: WhyQuestion,
  search: WholeSearch,
  all: readonly number[],
): Promise<readonly number[] | "refuted" | undefined> {
  const hinted = known && known.length < all.length ? await search.probe(known) : undefined;
  if (hinted?.verdict === "unsat") return hinted.core ?? known;
  const { verdict, core } = await search.probe(all);
  if (verdict === "sat") return "refuted";
  return verdict === "unsat" ? (core ?? all) : undefined;
}

/**
 * Adds time limits to the search. A question may take a share of the remaining time, or twice as long as the first
 * question, so that a single hard question can't use up all the time.
 */
function searchOf({ ask, parts, monotone }: WhyQuestion, deadline: Deadline): WholeSearch {
  const { why_probe_ms, why_first_share, why_probe_share } = model_limits;
  let usual_ms: number | undefined;
  const bounded = () => {
    const share = usual_ms === undefined ? why_first_share : why_probe_share;
    return deadline.atMost(Math.max(why_probe_ms, deadline.left_ms * share, 2 * (usual_ms ?? 0)));
  };
  return {
    count: parts.length,
    monotone,
    hasTime: () => deadline.left_ms > 0,
    async probe(subset) {
      if (deadline.is_over) return { verdict: "open" };
      const begin = performance.now();
      try {
        return await ask(subset, bounded());
      } catch (thrown) {
        if (thrown instanceof Fault && thrown.code !== "cancelled") return { verdict: "open" };
        throw thrown;
      } finally {
        usual_ms ??= performance.now() - begin;
      }
    },
  };
}

function whyOf({ about, parts }: WhyQuestion, core: Core, corrections_found: Corrections, has_time: boolean): Why {
  const placesOf = (indices: readonly number[]) =>
    indices.flatMap((index) => parts[index]?.place ?? []).toSorted((a, b) => a.item - b.item || a.line - b.line);
  return {
    about,
    core: placesOf(core.parts),
    core_minimal: core.minimal,
    drop: corrections_found.sets.map((set) => ({ items: placesOf(set.parts), proved: set.proved })),
    drop_complete: corrections_found.complete,
    undecided: [
      ...(has_time ? [] : ["The time limit stopped this search: raise timeout_ms for more."]),
      ...(corrections_found.has_open ? ["Some sets could not be decided within their share of the time."] : []),
    ],
  };
}

function nothing(about: Why["about"], undecided: readonly string[]): Why {
  return { about, drop: [], drop_complete: false, undecided };
}

function undecidedWhole(about: Why["about"]): string {
  const what = about === "unsat" ? "That the model has no solution" : "That no solution is better";
  return `${what} could not be rechecked in the remaining time, so nothing is explained: raise timeout_ms.`;
}
