/** Summarises a function on all inputs of its annotated types: every way in which it can end, as terms. */

import { INT, type Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import { fromParts, type Plain, sortsOf, type Type, type Value } from "./logic/values.ts";
import { unmet } from "./python/exceptions.ts";
import { isNegative, type Program } from "./python/program.ts";
import { Unsupported } from "./python/refusal.ts";
import type { Expression, FunctionDef } from "./python/tree.ts";
import { typesOf, typesOfClass } from "./run/annotations.ts";
import { callDefinition, runBody } from "./run/calls.ts";
import { evaluate, test } from "./run/expressions.ts";
import { Machine, type Recursion } from "./run/machine.ts";
import { asRecords } from "./run/objects.ts";
import { assume } from "./run/operators/lists.ts";
import {
  keptName,
  type Loop,
  type Obligation,
  type Plan,
  type Raised,
  type Reachable,
  type Returned,
  type Variables,
} from "./run/parts.ts";
import { assign, runAll } from "./run/statements.ts";

/** An argument: its possible types, and its terms. */
export interface Argument {
  readonly name: string;
  readonly types: readonly Type[];
  /** A term that says which of several types the argument has. */
  readonly tag: Term | undefined;
  readonly plains: readonly Plain[];
}

export interface Summary {
  readonly returns: readonly (Returned & Ended)[];
  readonly raises: readonly (Raised & Ended)[];
  readonly loops: readonly Loop[];
  readonly reachable: readonly Reachable[];
  /** Facts that hold in every reachable state. */
  readonly facts: readonly Term[];
  /** The conditions under which a loop was cut off, if loops are unrolled up to a bound. */
  readonly unfinished: readonly Term[];
  /** What must be proved impossible, in a run with given invariants. */
  readonly obligations: readonly Obligation[];
}

/** The values, at the end of a call, of the arguments that can be changed. */
export interface Ended {
  readonly after: readonly Value[];
}

/** Returns a function's arguments, each an unknown value of its annotated type. */
export function argumentsOf(t: Terms, program: Program, definition: FunctionDef): Argument[] {
  const { parameters, more } = definition.args;
  if (more !== null) throw new Unsupported(`starred and keyword-only parameters (${more})`, definition.line);
  return parameters.map(({ name, annotation, default: value, line }, place) => {
    const self = place === 0 ? selfOf(program, definition) : undefined;
    if (!annotation && !self) throw new Unsupported(`parameters without an annotation (${name})`, line);
    const types = self ?? (annotation ? typesOf(program, annotation) : []);
    // A caller that omits the argument passes this value.
    const given = value?.is === "Name" ? program.tables.get(value.id) : value;
    if (value && !types.some((type) => given && isOfType(given, type)))
      throw new Unsupported(`a default value of the parameter ${name} that is not of its annotated type`, line);
    const plains = types.map((type, i) => unknown(t, type, `argument ${place}${types.length > 1 ? `.${i}` : ""}`));
    return { name, types, tag: types.length > 1 ? t.symbol(`argument ${place} type`, INT) : undefined, plains };
  });
}

/** Whether a literal, or a display of literals, is of a type. */
function isOfType(value: Expression, type: Type): boolean {
  if (value.is === "Constant") return value.type === type.kind;
  if (isNegative(value)) return isOfType(value.operand, type);
  const { key, value: held } = type.kind === "dict" ? type : {};
  if (value.is !== "Dict" || !key || !held) return false;
  return value.keys.every((each) => isOfType(each, key)) && value.values.every((each) => isOfType(each, held));
}

/** Returns the types of a method's object. */
function selfOf(program: Program, { name, line }: FunctionDef): Type[] | undefined {
  const [owner = "", own] = name.split(".");
  const of = own === undefined ? undefined : program.classes.get(owner);
  const kind = of?.methods.get(own ?? "")?.kind;
  if (!of || kind === "static") return undefined;
  if (kind === "class" || own?.startsWith("__")) throw new Unsupported(`claims about ${name}`, line);
  return typesOfClass(program, of, []);
}

function unknown(t: Terms, type: Type, name: string): Plain {
  const parts = sortsOf(type).map((sort, i) => t.symbol(i > 0 ? `${name} ${i}` : name, sort));
  return fromParts(t, type, parts);
}

export function valueOfArgument(t: Terms, { tag, plains }: Argument): Value {
  return plains.map((plain, i) => ({ when: tag ? t.eq(tag, t.int(BigInt(i))) : t.yes, plain }));
}

/** Where the contents of a list, dict or set that was passed as an argument are at the end. */
export interface Final {
  /** The place of the parameter. */
  readonly place: number;
  /** The variable that changes the object; undefined if the function does not change it. */
  readonly variable: string | undefined;
}

/** Returns the contents of an argument at the end: the original ones, if the variable did not get the object. */
function contentsOf(t: Terms, args: readonly Argument[], { place, variable }: Final, variables: Variables): Value {
  const argument = args[place];
  const original = argument ? valueOfArgument(t, argument) : [];
  const value = variable === undefined ? undefined : variables.get(keptName(variable));
  if (!value) return original;
  return value.flatMap((choice) =>
    choice.plain.kind === "unbound"
      ? original.map((each) => ({ ...each, when: t.and(choice.when, each.when) }))
      : [choice],
  );
}

/** Runs a function on these arguments. Raises Unsupported. */
export function summarise(
  t: Terms,
  program: Program,
  definition: FunctionDef,
  args: readonly Argument[],
  plan: Plan,
  recursion: Recursion | undefined,
  finals: readonly Final[] = [],
): Summary {
  const m = new Machine(t, program, plan, recursion, { evaluate, test, assign, runAll, call: callDefinition });
  for (const { tag, plains } of args) {
    if (tag) m.facts.push(t.and(t.le(t.zero, tag), t.lt(tag, t.int(BigInt(plains.length)))));
    for (const plain of plains) assume(m, plain);
  }
  m.kept = finals.find(({ variable }) => variable !== undefined)?.variable;
  const state = { live: t.yes, variables: new Map() };
  runBody(
    m,
    state,
    definition,
    args.map((each) => valueOfArgument(t, each)),
    definition.line,
  );
  const { returns, raises } = m.exits;
  const after = (variables: Variables) => [
    ...m.given.map((value) => asRecords(m, { live: t.yes, variables }, value, definition.line)),
    ...finals.map((final) => contentsOf(t, args, final, variables)),
  ];
  return {
    returns: returns.filter(({ when }) => when !== t.no).map((each) => ({ ...each, after: after(each.fields) })),
    // The preconditions exclude these arguments, whose objects may be incomplete.
    raises: raises
      .filter(({ when }) => when !== t.no)
      .map((each) => ({ ...each, after: each.exception === unmet ? [] : after(each.variables) })),
    loops: m.context.loops,
    reachable: m.reachable,
    facts: m.facts,
    unfinished: m.unfinished,
    obligations: m.obligations,
  };
}
