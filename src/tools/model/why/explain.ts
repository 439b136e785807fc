import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { ItemLine, Why } from "../language.ts";
import { model_limits } from "../limits.ts";
import { type Core, shrink } from "./core.ts";
import { type Corrections, corrections } from "./corrections.ts";
import type { Probed, Search } from "./probe.ts";

/** A part of a model that can be left out: the constraints of one place. */
export interface Part {
  readonly place: ItemLine;
}

/** What is to be explained: that a model has no solution, or none that is better than the best one. */
export interface WhyQuestion {
  readonly about: Why["about"];
  readonly parts: readonly Part[];
  /**
   * Whether there is a solution (for an optimum: a better one) with only these parts kept, within this time. A fault of
   * the engine counts as open.
   */
  readonly ask: (subset: readonly number[], deadline: Deadline) => Promise<Probed>;
  /** Whether leaving out more parts can only add solutions. */
  readonly monotone: boolean;
  /** Parts that are known to conflict: the search begins with them if they do. */
  readonly known?: readonly number[] | undefined;
}

/** An explanation, or that the search found the solution that was claimed not to exist. */
export type Explanation = Why | "refuted";

/** Explains within the time. Raises `cancelled`. */
export async function explain(why_question: WhyQuestion, deadline: Deadline): Promise<Explanation> {
  const { about, parts } = why_question;
  const search = searchOf(why_question, deadline.earlierBy(model_limits.why_last_word_ms));
  const all = parts.map((_, index) => index);
  const whole = await firstCore(why_question, search, all);
  if (whole === "refuted") return whole;
  if (whole === undefined) return nothing(about, [undecidedWhole(about)]);
  const alone = await search.probe([]);
  const is_alone = alone.verdict === "unsat";
  if (is_alone && why_question.monotone)
    return { ...nothing(about, []), core: [], core_minimal: true, drop_complete: true };
  const core = is_alone ? { parts: [], minimal: true } : await shrink(whole, search);
  const corrections_found = await corrections(core, search, {
    sets_max: model_limits.why_sets_max,
    visits_max: model_limits.why_visits_max,
  });
  return whyOf(why_question, core, corrections_found, search.hasTime());
}

/** Parts that conflict by a first question; undefined where that stays open. */
async function firstCore(
  { known }: WhyQuestion,
  search: Search,
  all: readonly number[],
): Promise<readonly number[] | "refuted" | undefined> {
  const hinted = known && known.length < all.length ? await search.probe(known) : undefined;
  if (hinted?.verdict === "unsat") return hinted.core ?? known;
  const { verdict, core } = await search.probe(all);
  if (verdict === "sat") return "refuted";
  return verdict === "unsat" ? (core ?? all) : undefined;
}

/**
 * One question may take a share of the time that is left, or twice as long as the first one took: one that is hard is
 * not to use it up.
 */
function searchOf({ ask, parts, monotone }: WhyQuestion, deadline: Deadline): Search {
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
      ...(has_time ? [] : ["The time limit ended this search: raise timeout_ms for more."]),
      ...(corrections_found.has_open ? ["Some sets could not be decided in their share of the time."] : []),
    ],
  };
}

function nothing(about: Why["about"], undecided: readonly string[]): Why {
  return { about, drop: [], drop_complete: false, undecided };
}

function undecidedWhole(about: Why["about"]): string {
  const what = about === "unsat" ? "That the model has no solution" : "That no solution is better";
  return `${what} could not be decided again in the time that was left, so nothing is explained: raise timeout_ms.`;
}
