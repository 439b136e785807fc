import { FLOAT, INT, type Term } from "../../logic/term.ts";
import { always, bool, float, int, typeOf, typeText, type Value } from "../../logic/values.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Call } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import { asFloat, asInt } from "../operators/conversions.ts";
import type { State } from "../parts.ts";
import { positionalArguments, wholeOf } from "./builtins.ts";

/** Executes a function of `math`, given by its full name. */
export function mathFunction(m: Machine, state: State, name: string, node: Call): Value | undefined {
  const { t } = m;
  const line = node.line;
  const on = (work: (x: Term, own: State) => Value): Value => {
    const [value] = positionalArguments(m, state, node, 1);
    return m.each(state, value ?? [], (plain, own) => {
      const x = asFloat(m, own, plain, line);
      if (!x) throw new Unsupported(`${name} of ${typeText(typeOf(plain))}`, line);
      return work(x, own);
    });
  };
  switch (name) {
    case "math.sqrt":
      return on((x, own) => {
        m.raise(own, t.floatOp("fp.lt", x, t.float(0)), "ValueError", line);
        return always(t, float(t.floatOp("fp.sqrt", x)));
      });
    case "math.fabs":
      return on((x) => always(t, float(t.floatOp("fp.abs", x))));
    case "math.isnan":
      return on((x) => always(t, bool(t.floatOp("fp.isNaN", x))));
    case "math.isinf":
      return on((x) => always(t, bool(t.floatOp("fp.isInfinite", x))));
    case "math.isfinite":
      return on((x) => always(t, bool(t.not(t.or(t.floatOp("fp.isNaN", x), t.floatOp("fp.isInfinite", x))))));
    case "math.floor":
    case "math.ceil":
    case "math.trunc": {
      const [value] = positionalArguments(m, state, node, 1);
      return m.each(state, value ?? [], (plain, own) => {
        const number = asInt(t, plain);
        return number ? always(t, int(number)) : wholeOf(m, own, name, plain, line);
      });
    }
    case "math.log":
      return on((x, own) => {
        if (node.args[0] && x.op === "apply" && x.name === "float of int")
          throw new Unsupported("math.log of a whole number", line);
        m.raise(own, t.floatOp("fp.leq", x, t.float(0)), "ValueError", line);
        return always(t, float(t.apply(name, [x], FLOAT)));
      });
    case "math.isqrt":
      return isqrt(m, state, node);
    default:
      return undefined;
  }
}

/**
 * Returns the integer square root by its definition: its square is at most the number, and the next integer's square is
 * greater.
 */
function isqrt(m: Machine, state: State, node: Call): Value {
  const { t } = m;
  const [value] = positionalArguments(m, state, node, 1);
  return m.each(state, value ?? [], (plain, own) => {
    const n = asInt(t, plain);
    if (!n) throw new Unsupported(`math.isqrt of ${typeText(typeOf(plain))}`, node.line);
    m.raise(own, t.lt(n, t.zero), "ValueError", node.line);
    const root = t.apply("isqrt", [n], INT);
    const next = t.add(root, t.one);
    const right = t.and(t.le(t.zero, root), t.le(t.mul(root, root), n), t.lt(n, t.mul(next, next)));
    m.facts.push(t.implies(t.le(t.zero, n), right));
    return always(t, int(root));
  });
}
