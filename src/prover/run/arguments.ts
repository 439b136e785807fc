/** Matches the arguments of a call to the function's parameters. */

import type { Value } from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Call, FunctionDef } from "../python/tree.ts";
import type { Machine } from "./machine.ts";
import type { State } from "./parts.ts";

/** Returns the values of a call's arguments, in the order of the parameters. */
export function argumentValues(m: Machine, state: State, definition: FunctionDef, node: Call, self?: Value): Value[] {
  const { parameters, named, more } = definition.args;
  if (more !== null)
    throw new Unsupported(`starred and keyword-only parameters (${more} of ${definition.name})`, definition.line);
  const argument_values = new Map<string, Value>();
  const [first] = parameters;
  if (self && first) argument_values.set(first.name, self);
  for (const [i, arg] of node.args.entries()) {
    const parameter = parameters[self ? i + 1 : i];
    if (!parameter) return refuse(m, state, node);
    argument_values.set(parameter.name, m.evaluate(state, arg));
  }
  for (const { arg, value } of node.keywords) {
    if (arg === null || !named.includes(arg) || argument_values.has(arg))
      throw new Unsupported(
        `a call of ${definition.name} with keyword arguments that do not match its parameters`,
        node.line,
      );
    argument_values.set(arg, m.evaluate(state, value));
  }
  return parameters.map(({ name, default: value }) => {
    const known = argument_values.get(name) ?? (value ? m.defaultValue(state, value) : undefined);
    if (!known) throw new Unsupported(`a call of ${definition.name} without its argument ${name}`, node.line);
    return known;
  });
}

function refuse(m: Machine, state: State, node: Call): Value[] {
  if (node.args.length > 0) throw new Unsupported("calls with too many arguments", node.line);
  m.raise(state, m.t.yes, "TypeError", node.line);
  return [];
}
