/** Rewrites `map` and `filter` as generator expressions if something consumes them immediately. */

import type { Call, Expression, Place } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import { isReadingFunction } from "./signatures.ts";

const consumers: ReadonlySet<string> = new Set("list tuple set frozenset sorted sum min max any all dict".split(" "));

/** Replaces a `map` or `filter` call by a generator expression in a call that consumes it. */
export function withGenerators(m: Machine, node: Call): Call {
  const { func, args } = node;
  const consumes =
    func.is === "Attribute"
      ? func.attr === "join"
      : func.is === "Name" && m.isBuiltin(func.id) && consumers.has(func.id);
  const [first, ...rest] = args;
  const generator = consumes && first?.is === "Call" ? generatorOf(m, first) : undefined;
  return generator ? { ...node, args: [generator, ...rest] } : node;
}

function generatorOf(m: Machine, { func, args, keywords, ...place }: Call): Expression | undefined {
  const [applied, iter, ...more] = args;
  const name = func.is === "Name" && m.isBuiltin(func.id) ? func.id : "";
  if (!applied || !iter || more.length > 0 || keywords.length > 0 || (name !== "map" && name !== "filter"))
    return undefined;
  const { target, result } = application(m, applied, place) ?? {};
  if (!target || !result) return undefined;
  const generator = { target, iter, ifs: name === "filter" ? [result] : [], is_async: 0 };
  return { ...place, is: "GeneratorExp", elt: name === "filter" ? target : result, generators: [generator] };
}

/** Returns a variable, and the result of a function for it. */
function application(
  m: Machine,
  applied: Expression,
  place: Place,
): { target: Expression; result: Expression } | undefined {
  if (applied.is === "Lambda") {
    const [parameter, ...others] = applied.args.parameters;
    if (!parameter || others.length > 0 || parameter.default || applied.args.more !== null) return undefined;
    return { target: { ...place, is: "Name", id: parameter.name }, result: applied.body };
  }
  const target: Expression = { ...place, is: "Name", id: "an item" };
  if (applied.is === "Constant" && applied.type === "none") return { target, result: target };
  const is_function =
    applied.is === "Name" &&
    m.variableOf(applied.id) === undefined &&
    (m.program.functions.has(applied.id) || (m.isBuiltin(applied.id) && isReadingFunction(applied.id)));
  return is_function
    ? { target, result: { ...place, is: "Call", func: applied, args: [target], keywords: [] } }
    : undefined;
}
