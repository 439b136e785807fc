/** The parts of a run: its states, its exits, its loops as transitions, and what must be proved about them. */

import type { TimeBudget } from "../ask/time_budget.ts";
import type { Term } from "../logic/term.ts";
import type { Value } from "../logic/values.ts";
import type { Stated } from "../python/conjuncts.ts";
import type { FunctionDef } from "../python/tree.ts";

export type Variables = Map<string, Value>;

/** Returns the variable that holds a field of an object. */
export function fieldName(id: string, name: string): string {
  return `#@${id}.${name}`;
}

/** Returns the name under which the state holds a variable whose value counts at the end, like that of a field. */
export function keptName(name: string): string {
  return fieldName("kept", name);
}

/** Whether a variable is a field of an object. */
export function isField(name: string): boolean {
  return name.startsWith("#@");
}

/** Returns the fields of all objects. Functions that call each other share them. */
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
  /** The fields of all objects at the time of the return. */
  readonly fields: Variables;
  readonly line: number;
}

export interface Raised extends Flow {
  readonly exception: string;
  /**
   * A term for the class of an exception about which nothing else is known. `exception` is then `unknown_exception`.
   */
  readonly thrown?: Term | undefined;
  readonly line: number;
}

/** Where a run left the normal control flow, and under which conditions. */
export interface Exits {
  readonly returns: Returned[];
  readonly raises: Raised[];
  readonly breaks: Flow[];
  readonly continues: Flow[];
}

/** One variable of a loop: its value when an iteration begins, its initial value, and its value after an iteration. */
export interface LoopVariable {
  readonly name: string;
  readonly symbol: Term;
  readonly first: Term;
  readonly next: Term;
}

/**
 * A loop as a transition over its cells. The same symbols also describe the state after the loop, in which `running` is
 * false. Inner loops run once in each iteration.
 */
export interface Loop {
  readonly id: number;
  readonly line: number;
  /** The condition under which this loop is entered in an iteration of the enclosing loop. */
  readonly entry: Term;
  readonly running: Term;
  readonly cells: readonly LoopVariable[];
  readonly inner: readonly Loop[];
  /** The maximum number of remaining iterations, if the loop's form determines it. */
  readonly left: Term | undefined;
  /** Whether no iteration has left the loop early. */
  readonly going: Term;
  /** The number of obligations when the loop began and when it ended. */
  readonly owed: readonly [number, number];
  /** What the asserts at the beginning of the loop's body claim about every iteration. */
  readonly claims: readonly Claimed[];
  /** The variables when the body begins, in the loop's own symbols. */
  readonly head: Variables;
}

/** What an assert excludes in every iteration. */
export interface Claimed {
  readonly when: Term;
  readonly by: Obligation;
}

/**
 * An event that must be proved impossible. Later code is executed under the assumption that the event did not occur.
 */
export interface Obligation {
  readonly when: Term;
  readonly place: Spot;
  readonly exception: string;
  readonly line: number;
  /** The condition in the code that forbids the event, if there is one. */
  readonly stated: Stated | undefined;
  /** The variables at this point, and whether they belong to a called function. */
  readonly variables: Variables;
  readonly is_called: boolean;
}

/** How a run with given invariants distinguishes exceptions. */
export interface ObligationRules {
  /** Whether it must be proved that this exception is not raised on this line. */
  isOwed(exception: string, line: number): boolean;
}

/**
 * A test in the code with one outcome, or a statement, and the condition under which it is reached in an iteration of
 * the enclosing loops.
 */
export interface Reachable {
  readonly key: string;
  readonly when: Term;
  readonly place: Spot;
}

/** A position within nested loops, the outermost first. */
export interface Spot {
  readonly within: readonly number[];
  /** The loops that have ended, in the innermost of these loops or directly in the function. */
  readonly over: readonly number[];
  /**
   * Whether the position is in the innermost loop's condition, which is also evaluated if there is no further
   * iteration.
   */
  readonly testing: boolean;
}

/** How loops are run: with some first iterations run separately, or with all iterations unrolled up to a bound. */
export interface Plan {
  /** Distinguishes the symbols of one function from those of the other function. */
  readonly side: string;
  /** The number of iterations that are run separately before a loop, by the loop's number in execution order. */
  readonly peeled: ReadonlyMap<number, number>;
  /**
   * The bound for unrolling. If set, no loop is summarised, and states that are still in a loop at the bound are in
   * `unfinished`.
   */
  readonly unrolled: number | undefined;
  readonly budget: TimeBudget;
  /** Set in a proof by given invariants: exceptions that must not be raised become obligations instead of exits. */
  readonly by_invariants?: ObligationRules | undefined;
}

/** A call of one of the program's functions, with its arguments in the order of the parameters. */
export interface FunctionCall {
  readonly definition: FunctionDef;
  readonly args: readonly Value[];
  readonly line: number;
}

/** A call that is being executed. */
export interface Frame {
  readonly definition: FunctionDef;
  /** The local variable whose value the claim is about at the end, such as an object's fields. */
  readonly kept?: string | undefined;
  readonly locals: ReadonlySet<string>;
  /** The comprehensions that are being executed, the innermost last. */
  readonly scopes: Scope[];
}

export interface Scope {
  /** Maps the comprehension's own names to the variables that represent them. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether Python runs the comprehension as a separate function, in which the other variables are not local. */
  readonly nested: boolean;
}

/** The part of a run's state that belongs to the code that is being executed. Nested code has its own context. */
export interface Context {
  /** The exits that this code's own statements took. */
  readonly exits: Exits;
  /** The exceptions that the innermost exception handler is handling. */
  readonly handled: readonly Raised[];
  /** The loops of this code that have ended. */
  readonly loops: Loop[];
  /** The terms of the values of all variables that were read. */
  readonly reads: Set<Term>;
  /** The variables when the body of the innermost loop begins. */
  readonly head: Variables;
  /** The loops that enclose this code, the outermost first. */
  readonly within: readonly number[];
  /** Whether the condition of the innermost enclosing loop is being evaluated. */
  readonly testing: boolean;
  /** Whether the condition that is being evaluated only restricts the inputs. */
  readonly assuming: boolean;
}

export function noExits(): Exits {
  return { returns: [], raises: [], breaks: [], continues: [] };
}
