/** Tries the exact semantics. An attempt leaves no trace if the semantics do not support an operation. */

import type { Value } from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";

/**
 * Returns the result of an operation, or the reason why it is not supported. In the latter case, the state is
 * unchanged.
 */
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
