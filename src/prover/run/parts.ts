/** What a run consists of: its states, its exits, its loops as transitions, and what is to be proved of them. */

import type { TimeBudget } from "../ask/time_budget.ts";
import type { Term } from "../logic/term.ts";
import type { Value } from "../logic/values.ts";
import type { Stated } from "../python/conjuncts.ts";
import type { FunctionDef } from "../python/tree.ts";

export type Variables = Map<string, Value>;

/** The variable that holds a field of an object. */
export function fieldName(id: string, name: string): string {
  return `#@${id}.${name}`;
}

/** Whether a variable is a field of an object. */
export function isField(name: string): boolean {
  return name.startsWith("#@");
}

/** The fields of all objects: functions that call each other share them. */
export function fieldsIn(variables: Variables): Variables {
  return new Map([...variables].filter(([name]) => isField(name)));
}

/** A state of the run. `live` is the condition under which it is reached. */
export interface State {
  live: Term;
  variables: Variables;
}

export interface Flow {
  readonly when: Term;
  readonly variables: Variables;
}

export interface Returned {
  readonly when: Term;
  readonly value: Value;
  /** The fields of all objects then. */
  readonly fields: Variables;
  readonly line: number;
}

export interface Raised extends Flow {
  readonly exception: string;
  /** The class of an exception of which only this term is known; `exception` is then `unknown_exception`. */
  readonly thrown?: Term | undefined;
  readonly line: number;
}

/** Where a run left the normal flow, and under which conditions. */
export interface Exits {
  readonly returns: Returned[];
  readonly raises: Raised[];
  readonly breaks: Flow[];
  readonly continues: Flow[];
}

/** One variable of a loop: its value when an iteration begins, at first, and after an iteration. */
export interface LoopVariable {
  readonly name: string;
  readonly symbol: Term;
  readonly first: Term;
  readonly next: Term;
}

/**
 * A loop as a transition over its cells. The same symbols describe the state after the loop, where `running` is false.
 * Inner loops run once in each iteration.
 */
export interface Loop {
  readonly id: number;
  readonly line: number;
  /** Under which condition, within an iteration of the loop around it, this loop is entered. */
  readonly entry: Term;
  readonly running: Term;
  readonly cells: readonly LoopVariable[];
  readonly inner: readonly Loop[];
  /** The maximal number of remaining iterations, if the form of the loop determines it. */
  readonly left: Term | undefined;
  /** Whether no iteration has left the loop early. */
  readonly going: Term;
  /** The number of obligations when it began and when it ended. */
  readonly owed: readonly [number, number];
  /** What the asserts at the head of its body say, of every iteration. */
  readonly claims: readonly Claimed[];
  /** The variables when the body begins, in the loop's own symbols. */
  readonly head: Variables;
}

/** What an assert excludes in every iteration. */
export interface Claimed {
  readonly when: Term;
  readonly by: Obligation;
}

/** Something that must not happen, and is assumed not to have happened in all that follows: it is to be proved. */
export interface Obligation {
  readonly when: Term;
  readonly place: Spot;
  readonly exception: string;
  readonly line: number;
  /** The condition that says so, if there is one. */
  readonly stated: Stated | undefined;
  /** The variables there, and whether they are those of a called function. */
  readonly variables: Variables;
  readonly is_called: boolean;
}

/** How a run with given invariants distinguishes exceptions. */
export interface Told {
  /** Whether it must be proved that this exception is not raised on this line. */
  isOwed(exception: string, line: number): boolean;
}

/** A test of the code with one outcome, or a statement: when it is reached, in an iteration of these loops. */
export interface Reachable {
  readonly key: string;
  readonly when: Term;
  readonly place: Spot;
}

/** A position within loops, the outermost first. */
export interface Spot {
  readonly within: readonly number[];
  /** The loops of the innermost of these, or of the function, that are over. */
  readonly over: readonly number[];
  /** Whether it is in the condition of the innermost loop, which is also evaluated if there is no further iteration. */
  readonly testing: boolean;
}

/** How loops are run: some first iterations by themselves, or all of them up to a bound. */
export interface Plan {
  /** Distinguishes the symbols of one function from those of another one. */
  readonly side: string;
  /** Iterations that are run before a loop, by the loop's number in the order of the run. */
  readonly peeled: ReadonlyMap<number, number>;
  /** With a bound, no loop is summarised: states that are still running then are in `unfinished`. */
  readonly unrolled: number | undefined;
  readonly budget: TimeBudget;
  /** Then exceptions that must not be raised are obligations, and no ways out. */
  readonly told?: Told | undefined;
}

/** A call of a function of the text, with its arguments in the order of the parameters. */
export interface FunctionCall {
  readonly definition: FunctionDef;
  readonly args: readonly Value[];
  readonly line: number;
}

/** A call that is being executed. */
export interface Frame {
  readonly definition: FunctionDef;
  readonly locals: ReadonlySet<string>;
  /** Comprehensions that are being executed, the innermost last. */
  readonly scopes: Scope[];
}

export interface Scope {
  /** The names of the comprehension's own variables here. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether Python runs it as a separate function, in which the other variables are not local. */
  readonly nested: boolean;
}

/** The part of a run's state that belongs to the code that is being executed; nested code has its own. */
export interface Context {
  /** The ways out of this code that its own statements took. */
  readonly exits: Exits;
  /** The exceptions that the innermost handler is handling. */
  readonly handled: readonly Raised[];
  /** The loops of this code that are over. */
  readonly loops: Loop[];
  /** The terms of all values of variables that were read. */
  readonly reads: Set<Term>;
  /** The variables when the body of the innermost loop begins. */
  readonly head: Variables;
  /** The loops around this code, the outermost first. */
  readonly within: readonly number[];
  /** Whether the condition of the innermost of these loops is being evaluated. */
  readonly testing: boolean;
  /** Whether a condition is being evaluated that only restricts the inputs. */
  readonly assuming: boolean;
}

export function noExits(): Exits {
  return { returns: [], raises: [], breaks: [], continues: [] };
}
