/**
 * Reads functions that are passed to other functions, and identifies them by their text: two functions with the same
 * text that read the same values are the same function. Such functions may only read. Their contents are checked here,
 * because their execution is not modelled.
 */

import type { Value } from "../../logic/values.ts";
import { partsOfExpression } from "../../python/children.ts";
import { termOf } from "../../python/construct_names.ts";
import { Unsupported } from "../../python/refusal.ts";
import type { Expression } from "../../python/tree.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";
import { isReading, isReadingFunction } from "./signatures.ts";

/** A function as a text in which numbers represent the values that the function reads. */
export interface Closure {
  readonly text: string;
  readonly reads: readonly Value[];
}

/** Returns the function that an expression denotes: a lambda expression, a builtin or a string method. */
export function closureOf(m: Machine, state: State, node: Expression): Closure | undefined {
  if (node.is === "Name" && m.isBuiltin(node.id) && isReadingFunction(node.id)) return { text: node.id, reads: [] };
  if (node.is === "Attribute" && node.value.is === "Name" && node.value.id === "str" && m.isBuiltin("str"))
    return isReading(node.attr) ? { text: `str.${node.attr}`, reads: [] } : undefined;
  if (node.is !== "Lambda") return undefined;
  if (node.args.more !== null || node.args.parameters.some((each) => each.default))
    throw new Unsupported("lambda expressions with defaults or starred parameters", node.line);
  const reader = new Reader(m, state);
  const text = reader.text(node.body, new Map(node.args.parameters.map(({ name }, i) => [name, `#${i}`])));
  return { text: `lambda ${node.args.parameters.length}: ${text}`, reads: reader.reads };
}

class Reader {
  readonly #m: Machine;
  readonly #state: State;
  readonly reads: Value[] = [];
  readonly #names = new Map<string, string>();

  constructor(m: Machine, state: State) {
    this.#m = m;
    this.#state = state;
  }

  text(node: Expression, bound: ReadonlyMap<string, string>): string {
    const inside = () => partsOfExpression(node).map((each) => this.text(each, bound));
    switch (node.is) {
      case "Constant":
        if (node.type === "other" || node.type === "float")
          throw new Unsupported("literals of this type in a lambda expression", node);
        return `${node.type} ${JSON.stringify(node.value)}`;
      case "Name":
        return bound.get(node.id) ?? this.#read(node);
      case "BinOp":
        // Quotients and powers can be floats, and a NaN is compared by identity.
        if (node.op === "Div" || node.op === "Pow")
          throw new Unsupported("quotients and powers in a lambda expression", node);
        return `(${node.op} ${inside()})`;
      case "UnaryOp":
      case "BoolOp":
        return `(${node.op} ${inside()})`;
      case "Compare":
        return `(${node.ops} ${inside()})`;
      case "IfExp":
      case "Tuple":
      case "Subscript":
        return `(${node.is} ${inside()})`;
      case "Slice":
        return `(slice ${[node.lower, node.upper, node.step].map((each) => (each ? this.text(each, bound) : ""))})`;
      case "Call":
        return this.#call(node, bound);
      default:
        throw new Unsupported(`${termOf(node)} in a lambda expression`, node);
    }
  }

  #call(
    { func, args, keywords, line }: Extract<Expression, { is: "Call" }>,
    bound: ReadonlyMap<string, string>,
  ): string {
    const given = () => args.map((each) => this.text(each, bound));
    if (keywords.length > 0) throw new Unsupported("keyword arguments in a lambda expression", line);
    if (func.is === "Attribute" && isReading(func.attr) && func.attr !== "format")
      return `(.${func.attr} ${this.text(func.value, bound)} ${given()})`;
    const is_known =
      func.is === "Name" && !bound.has(func.id) && this.#m.isBuiltin(func.id) && isReadingFunction(func.id);
    if (!is_known) throw new Unsupported("calls of this function in a lambda expression", line);
    return `(${func.id} ${given()})`;
  }

  /** Reads a variable of the enclosing function at its current value, because the closure is used immediately. */
  #read(node: Extract<Expression, { is: "Name" }>): string {
    const known = this.#names.get(node.id);
    if (known !== undefined) return known;
    // If the variable had no value, the lambda expression would raise an exception only when called.
    const own = this.#m.variableOf(node.id);
    const value = own === undefined ? undefined : this.#state.variables.get(own);
    if (value?.some(({ plain }) => plain.kind === "unbound"))
      throw new Unsupported(`a lambda expression that reads ${node.id}`, node);
    const text = `$${this.reads.length}`;
    this.reads.push(this.#m.evaluate(this.#state, node));
    this.#names.set(node.id, text);
    return text;
  }
}
