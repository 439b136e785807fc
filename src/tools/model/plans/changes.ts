import * as z from "zod/v4";
import { isObject } from "../../../kernel/arguments.ts";
import { cut } from "../../../kernel/text/cut.ts";
import { fitValue } from "../../../kernel/text/fit.ts";
import { isSame } from "../compare/side.ts";
import type { Outcome, Values } from "../language.ts";
import type { Keep } from "../languages/questions/question.ts";
import { model_limits } from "../limits.ts";
import { nested } from "./paths.ts";

/** The `keep` field in an answer: the changes to the plan that should be kept. */
export const kept_output = z.object({
  number: z.int(),
  changes: z.array(z.object({ at: z.string(), old: z.unknown(), new: z.unknown() })),
  least: z.boolean().describe("Whether no solution has fewer changes, or a smaller cost of them."),
  cost: z.int().optional().describe("The sum of the weights of the changes."),
  bound: z.int().optional().describe("No solution has a smaller cost."),
  not_kept: z.array(z.string()).optional().describe("What the model no longer has, or no solver chooses."),
});
export type KeptAnswer = z.output<typeof kept_output>;

type Names = Readonly<Record<string, readonly (readonly string[])[]>>;
type Change = KeptAnswer["changes"][number];

/** Returns the changes to a plan in an outcome; undefined if the outcome has no values. */
export function changesIn({ all_answer: answer }: Outcome, { values: plan, weights }: Keep): KeptAnswer | undefined {
  if (answer?.kind !== "plan" || !answer.possible || !answer.changes) return undefined;
  const { cost, bound, atoms } = answer.changes;
  const not_kept = answer.left_out;
  const isKept = ({ at }: Change) => !not_kept.includes(at) && !not_kept.includes(at.split(/[[(.]/, 1)[0] ?? "");
  const changes = atoms
    ? atoms.map(({ at, holds }) => ({ at, old: !holds, new: holds }))
    : changesOf(plan, answer.values ?? {}, answer.index_names).filter(isKept);
  const has_weights = Object.keys(weights).length > 0;
  // Without weights, each change costs 1. If the number of changes then differs from the cost, the solver counted
  // something else.
  const least = bound === cost && (has_weights || changes.length === cost);
  return {
    number: changes.length,
    changes,
    least,
    ...(has_weights && { cost }),
    ...(!least && { bound }),
    ...(not_kept.length > 0 && { not_kept }),
  };
}

/** Finds every place at which the values differ from a plan's values; places that the plan leaves open do not count. */
export function changesOf(plan: Values, values: Values, names?: Names): Change[] {
  return Object.entries(plan).flatMap(([written, value]) => {
    const path = Object.hasOwn(values, written) ? undefined : nested(written, value);
    const { name, value: old } = path ?? { name: written, value };
    if (!Object.hasOwn(values, name)) return [];
    return differing(old, values[name], name, names && (names[name] ?? []));
  });
}

/**
 * Finds the differences within one value. If index names are given, nested lists are arrays down to the last named
 * dimension; a deeper list is a single value.
 */
function differing(old: unknown, value: unknown, at: string, names: Names[string] | undefined): Change[] {
  if (old === null || old === undefined) return [];
  const [keys, ...rest] = names ?? [];
  const is_nested = isObject(value) || Array.isArray(value);
  if (
    is_nested &&
    (names === undefined || keys !== undefined) &&
    (isObject(old) || Array.isArray(old)) &&
    !isElement(old)
  ) {
    return Object.entries(old).flatMap(([key, each]) => {
      const named = Array.isArray(old) ? (keys?.[Number(key)] ?? key) : key;
      const place = Array.isArray(value) && keys ? String(keys.indexOf(named)) : key;
      if (!Object.hasOwn(value, place)) return [];
      return differing(
        each,
        Object.entries(value).find(([name]) => name === place)?.[1],
        joined(at, named),
        names && rest,
      );
    });
  }
  return isSame(plain(old), plain(value)) ? [] : [{ at, old: plain(old), new: plain(value) }];
}

/** Appends a key to a path: `shift[Anna]` and `Fri` become `shift[Anna,Fri]`. */
function joined(at: string, key: string): string {
  return at.endsWith("]") ? `${at.slice(0, -1)},${key}]` : `${at}[${key}]`;
}

function isElement(value: unknown): value is { readonly e: unknown } {
  return isObject(value) && "e" in value && Object.keys(value).length === 1;
}

function plain(value: unknown): unknown {
  return isElement(value) ? value.e : value;
}

/** Returns as many changes as fit into an answer. */
export function shownChanges(kept: KeptAnswer, chars_max: number): KeptAnswer {
  const changes = kept.changes.slice(0, model_limits.changes_shown_max).map(({ at, old, new: value }) => ({
    at,
    old: fitValue(old, chars_max).value,
    new: fitValue(value, chars_max).value,
  }));
  return { ...kept, changes };
}

/** States in a sentence how many changes there are, and what is proved about that number. */
export function changesSentence(kept: KeptAnswer | undefined): string {
  if (!kept) return "";
  const { number, least, cost, bound } = kept;
  const count = `${number} ${number === 1 ? "value" : "values"} of the plan changed`;
  const sum = cost === undefined ? "" : `, at a cost of ${cost}`;
  const proof = least
    ? "no solution changes less"
    : `not proved minimal: every solution changes at least ${bound ?? 0}`;
  return ` ${count}${sum}; ${proof}.`;
}

/** Formats the changes, one per line. */
export function changeLines(kept: KeptAnswer | undefined): string[] {
  if (!kept) return [];
  const more = kept.number - kept.changes.length;
  return [
    ...kept.changes.map(changeShown),
    ...(more > 0 ? [`and ${more} more changes`] : []),
    ...(kept.not_kept ? [cut(`not kept: ${kept.not_kept.join(", ")}`, model_limits.unsat_item_chars_max)] : []),
  ];
}

/** Formats a change as `shift[Anna,Fri]: 1 -> 0`. */
export function changeShown({ at, old, new: value }: Change): string {
  return `${at}: ${JSON.stringify(old)} -> ${JSON.stringify(value)}`;
}
