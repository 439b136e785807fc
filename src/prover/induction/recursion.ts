/**
 * Handles recursion by induction over the calls: recursive calls of the function under proof are assumed to satisfy the
 * claim. If two functions are recursive, one unknown function describes both. If only one is recursive, its calls are
 * replaced by calls of the other one.
 */

import type { Queries } from "../ask/queries.ts";
import { INT, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import {
  always,
  fromParts,
  isExactly,
  type Plain,
  partsOf,
  sortsOf,
  typeOf,
  typeText,
  type Value,
  widen,
} from "../logic/values.ts";
import type { Program } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { FunctionDef } from "../python/tree.ts";
import { callsItself } from "../python/walk.ts";
import { typesOf } from "../run/annotations.ts";
import { inline } from "../run/calls.ts";
import type { Machine, Recursion } from "../run/machine.ts";
import { assume } from "../run/operators/lists.ts";
import type { FunctionCall, State } from "../run/parts.ts";
import { whole } from "../run/sequences.ts";
import { hasTailCallsOnly } from "../run/tail_calls.ts";

/** Whether a function calls itself other than by tail calls, which are read as a loop. */
export function isRecursive(definition: FunctionDef): boolean {
  return callsItself(definition).length > 0 && !hasTailCallsOnly(definition);
}

/** The arguments of a recursive call as terms, and the condition under which the call is made. */
export interface RecursiveCall {
  readonly when: Term;
  readonly parts: readonly Term[];
}

/** Models calls of these functions as one unknown function that raises only the given exception classes. */
export class Unknown implements Recursion {
  readonly calls: RecursiveCall[] = [];
  readonly #program: Program;
  readonly #definitions: readonly FunctionDef[];
  readonly #raises: readonly string[];

  constructor(program: Program, definitions: readonly FunctionDef[], raises: readonly string[]) {
    this.#program = program;
    this.#definitions = definitions;
    this.#raises = raises;
  }

  isFor(definition: FunctionDef): boolean {
    return this.#definitions.includes(definition);
  }

  call(m: Machine, state: State, { args, line }: FunctionCall): Value {
    const { t } = m;
    const definition = m.frames.find((frame) => this.isFor(frame.definition))?.definition;
    const [type, ...more] = definition?.returns ? typesOf(this.#program, definition.returns) : [];
    if (!definition || !type || more.length > 0)
      throw new Unsupported("recursion of a function without a return annotation of exactly one type", line);
    const parts = argumentParts(m, this.#program, definition, args, line);
    this.calls.push({ when: state.live, parts });
    for (const exception of this.#raises)
      m.raise(state, m.unknown(`recursion raises ${exception}`, parts), exception, line);
    const result = fromParts(
      t,
      type,
      sortsOf(type).map((sort, i) => t.apply(`recursion ${i}`, parts, sort)),
    );
    assume(m, result);
    return always(t, result);
  }
}

/** Replaces the calls of one function by calls of another function. */
export class StandIn implements Recursion {
  readonly calls: RecursiveCall[] = [];
  readonly #program: Program;
  readonly #definition: FunctionDef;
  readonly #other: FunctionDef;

  constructor(program: Program, definition: FunctionDef, other: FunctionDef) {
    this.#program = program;
    this.#definition = definition;
    this.#other = other;
  }

  isFor(definition: FunctionDef): boolean {
    return definition === this.#definition;
  }

  call(m: Machine, state: State, { args, line }: FunctionCall): Value {
    this.calls.push({ when: state.live, parts: argumentParts(m, this.#program, this.#definition, args, line) });
    return inline(m, state, this.#other, args, line);
  }
}

const unwound_deep_max = 4;

/** Executes calls up to a depth limit. Deeper calls are reported in the run's `unfinished`. */
export class Unwound implements Recursion {
  readonly calls: RecursiveCall[] = [];
  readonly #definitions: readonly FunctionDef[];

  constructor(definitions: readonly FunctionDef[]) {
    this.#definitions = definitions;
  }

  isFor(definition: FunctionDef): boolean {
    return this.#definitions.includes(definition);
  }

  call(m: Machine, state: State, { definition, args, line }: FunctionCall): Value {
    if (m.frames.filter((frame) => frame.definition === definition).length > unwound_deep_max) {
      m.unfinished.push(state.live);
      state.live = m.t.no;
      return m.nothing();
    }
    const { raises } = m.exits;
    const before = raises.length;
    const value = inline(m, state, definition, args, line);
    // A call's exception counts as raised on the line of the call: a precondition that the call violates is not the
    // caller's own.
    raises.push(...raises.splice(before).map((each) => ({ ...each, line })));
    return value;
  }
}

/**
 * Returns the terms of a call's arguments. They must have exactly the annotated types, because the claim applies to no
 * others.
 */
function argumentParts(
  m: Machine,
  program: Program,
  definition: FunctionDef,
  args: readonly Value[],
  line: number,
): Term[] {
  if (m.context.within.length > 0 || m.frames.length > 1)
    throw new Unsupported("recursive calls inside of a loop, a comprehension or a helper", line);
  // icontract does not check a function's conditions in its own recursive calls.
  if (definition.decorator_list.length > 0)
    throw new Unsupported("recursion of a function with conditions of icontract", line);
  return definition.args.parameters.flatMap(({ annotation }, i) => {
    const [only, second] = args[i] ?? [];
    const [type, ...more] = annotation ? typesOf(program, annotation) : [];
    if (!only || second || !type || more.length > 0 || !isExactly(typeOf(only.plain), type))
      throw new Unsupported("recursive calls with an argument that is not of the annotated type", line);
    const { plain } = only;
    // A result can depend on the order of a set, which the set's terms do not express.
    if (/\b(dict|set)\[/.test(typeText(type))) throw new Unsupported("recursive calls with a dict or set", line);
    const own: Plain = plain.kind === "sequence" ? { kind: "sequence", sequence: whole(m, plain.sequence) } : plain;
    return partsOf(widen(m.t, own, type));
  });
}

/**
 * Whether recursion terminates: some argument, its absolute value, or the difference of two arguments is not negative
 * and decreases with each recursive call.
 */
export async function recursionEnds(
  t: Terms,
  queries: Queries,
  known: readonly Term[],
  parameters: readonly Term[],
  calls: readonly RecursiveCall[],
): Promise<boolean> {
  const ints = parameters.map((term, i) => ({ term, i })).filter(({ term }) => term.sort === INT);
  const measures = [
    ...ints.map(
      ({ i }) =>
        (parts: readonly Term[]) =>
          parts[i] ?? t.zero,
    ),
    ...ints.map(
      ({ i }) =>
        (parts: readonly Term[]) =>
          distance(t, parts[i] ?? t.zero),
    ),
    ...ints.flatMap(({ i }) =>
      ints
        .filter((other) => other.i !== i)
        .map((other) => (parts: readonly Term[]) => t.sub(parts[i] ?? t.zero, parts[other.i] ?? t.zero)),
    ),
  ];
  for (const measure of measures) {
    const before = measure(parameters);
    const falls = calls.map(({ when, parts }) =>
      t.implies(when, t.and(t.le(t.zero, before), t.lt(measure(parts), before))),
    );
    const follows = await queries.following(t, known, falls);
    if (follows.every(Boolean)) return true;
  }
  return false;
}

function distance(t: Terms, a: Term): Term {
  return t.ite(t.lt(a, t.zero), t.neg(a), a);
}
