/** Executes the builtins `dict` and `set`. */

import { always, type Mapping, typeOf, typeText, type Value } from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Call } from "../../python/tree.ts";
import { accumulate, over, overValue } from "../iteration.ts";
import type { Machine } from "../machine.ts";
import { empty } from "../mapping_displays.ts";
import { sequenceOf } from "../operators/lists.ts";
import { EMPTY_SET, setOf, withEntry } from "../operators/mappings.ts";
import type { State } from "../parts.ts";

export function toMapping(m: Machine, state: State, { args, keywords, line }: Call, of: "dict" | "set"): Value {
  const [items, ...more] = args;
  if (!m.program.mappings) throw new Unsupported(`calls of ${of}`, line);
  if (more.length > 0 || keywords.length > 0 || items?.is === "GeneratorExp")
    throw new Unsupported(`${of} with arguments other than one list, dict or set`, line);
  if (!items) return empty(m, of);
  return m.each(state, m.evaluate(state, items), (plain, own) => {
    if (plain.kind === "mapping" && (of === "set" || plain.mapping.type.kind === "dict"))
      return always(m.t, { kind: "mapping", mapping: of === "dict" ? plain.mapping : keysOf(plain.mapping) });
    const list = sequenceOf(plain);
    if (!list || of === "dict") throw new Unsupported(`${of} of ${typeText(typeOf(plain))}`, line);
    if (m.plan.by_invariants && list.type.kind === "list")
      return always(m.t, { kind: "mapping", mapping: setOf(m, list, line) });
    const each = overValue(m, own, always(m.t, plain), line);
    return accumulate(m, own, "set", empty(m, "set"), (made) =>
      over(m, own, each, line, [made], (inner, item) => {
        const [known, ...others] = inner.variables.get(made) ?? [];
        if (known?.plain.kind !== "mapping" || others.length > 0) throw new Error("a set stays one");
        const mapping = withEntry(m, known.plain.mapping, item, undefined, line);
        inner.variables.set(made, always(m.t, { kind: "mapping", mapping }));
      }),
    );
  });
}

/** Returns the set of a dict's or set's keys. */
function keysOf({ type, count, places, keys }: Mapping): Mapping {
  return { type: { ...EMPTY_SET, key: type.key }, count, places, keys, values: [] };
}
