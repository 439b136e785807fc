/** An attempt of the exact semantics, which leaves no trace where they do not support an operation. */

import type { Value } from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";

/** The result of an operation, or why it is not supported: then nothing has happened. */
export function attempt(m: Machine, state: State, work: () => Value): Value | Unsupported {
  const { live } = state;
  const variables = new Map(state.variables);
  const mark = m.mark();
  const scopes = m.frame.scopes.length;
  const lists = [...Object.values(m.exits), m.context.loops, m.unfinished, m.frames];
  const lengths = lists.map(({ length }) => length);
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    lists.forEach((list, i) => {
      list.length = lengths[i] ?? 0;
    });
    m.frame.scopes.length = scopes;
    m.rollBack(mark);
    state.live = live;
    state.variables = variables;
    return error;
  }
}
