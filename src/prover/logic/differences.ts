/** Expresses as terms whether two values differ. */
import { hasKey, keyAt, sameKey, valueAt } from "./mappings.ts";
import { INT, type Term } from "./term.ts";
import type { Terms } from "./terms.ts";
import {
  classOf,
  type Mapping,
  type Plain,
  partsOf,
  rawItem,
  type Sequence,
  typeText,
  UNBOUND,
  type Value,
} from "./values.ts";

/**
 * Returns the position at which two lists can differ. No fact mentions this symbol, so a proof about it holds for every
 * position.
 */
export function anyPlace(t: Terms): Term {
  return t.symbol("#at", INT);
}

/**
 * Returns the condition that two values differ in type or in value. Floats are compared by their bits. A symbol
 * represents the index at which two lists differ, so the condition can be refuted but must not be assumed.
 */
export function differs(t: Terms, a: Value, b: Value): Term {
  const pairs = a.flatMap((x) => b.map((y) => t.and(x.when, y.when, plainDiffers(t, x.plain, y.plain, anyPlace(t)))));
  return t.or(...pairs);
}

function plainDiffers(t: Terms, a: Plain, b: Plain, at: Term): Term {
  // When the results of calls are compared, records represent objects.
  if (classOf(a) !== classOf(b) || a.kind === "object" || a.kind === "class") return t.yes;
  if ((a.kind === "tuple" && b.kind === "tuple") || (a.kind === "record" && b.kind === "record")) {
    if (a.items.length !== b.items.length) return t.yes;
    return t.or(...a.items.map((item, i) => plainDiffers(t, item, b.items[i] ?? UNBOUND, at)));
  }
  if (a.kind === "mapping" && b.kind === "mapping") return mappingsDiffer(t, a.mapping, b.mapping, at);
  if (a.kind === "sequence" && b.kind === "sequence") return sequencesDiffer(t, a.sequence, b.sequence, at);
  if (a.kind !== b.kind) return t.yes;
  // Nothing is known about a complex number, not even that it equals itself.
  if (a.kind === "complex") return t.yes;
  const [x, y] = [partsOf(a), partsOf(b)];
  return t.or(...x.map((part, i) => t.not(t.eq(part, y[i] ?? part))));
}

function sequencesDiffer(t: Terms, a: Sequence, b: Sequence, at: Term): Term {
  const lengths = t.not(t.eq(a.length, b.length));
  if (a.type.kind !== b.type.kind) return t.yes;
  if (!a.type.item || !b.type.item) return lengths;
  if (typeText(a.type.item) !== typeText(b.type.item)) return t.or(lengths, t.lt(t.zero, a.length));
  if (a.start === b.start && a.type.view === b.type.view && a.arrays.every((array, i) => array === b.arrays[i]))
    return lengths;
  const within = t.and(t.le(t.zero, at), t.lt(at, a.length));
  const items = plainDiffers(t, rawItem(t, a, at), rawItem(t, b, at), t.fresh("at", INT));
  return t.or(lengths, t.and(within, items));
}

/**
 * Returns the condition that two mappings differ. Dicts whose keys are in a different order differ; sets have no order.
 */
function mappingsDiffer(t: Terms, a: Mapping, b: Mapping, at: Term): Term {
  const counts = t.not(t.eq(a.count, b.count));
  if (a.type.kind !== b.type.kind) return t.yes;
  if (!a.type.key || !b.type.key) return counts;
  if (typeText({ ...a.type, ordered: true }) !== typeText({ ...b.type, ordered: true }))
    return t.or(counts, t.lt(t.zero, a.count));
  const within = t.and(t.le(t.zero, at), t.lt(at, a.count));
  const key = keyAt(t, a, at);
  if (a.type.kind === "set") return t.or(counts, t.and(within, t.not(hasKey(t, b, key))));
  if (!a.type.ordered || !b.type.ordered) return t.yes;
  const values = plainDiffers(t, valueAt(t, a, key), valueAt(t, b, key), t.fresh("at", INT));
  return t.or(counts, t.and(within, t.or(t.not(sameKey(t, key, keyAt(t, b, at))), values)));
}

/** Whether a symbol represents an index at which two lists, or lists nested in them, can differ. */
export function isPlace(t: Terms, symbol: Term): boolean {
  return symbol === anyPlace(t) || (symbol.name?.startsWith("at!") ?? false);
}
