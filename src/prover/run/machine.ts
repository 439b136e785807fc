/**
 * Executes Python symbolically on terms. A state has the values of the variables and the condition under which it is
 * reached; exits that were taken are recorded. Branches are joined again, so there is one state instead of one per
 * path.
 */

import { BOOL, symbolsIn, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { merge, type Plain, typeText, UNBOUND, type Value } from "../logic/values.ts";
import type { Stated } from "../python/conjuncts.ts";
import { builtin_exceptions, isA } from "../python/exceptions.ts";
import { importedName, type Program } from "../python/program.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, FunctionDef, Place, Statement } from "../python/tree.ts";
import {
  type Context,
  type Exits,
  type Flow,
  type Frame,
  type FunctionCall,
  isField,
  keptName,
  noExits,
  type Obligation,
  type Plan,
  type Reachable,
  type Spot,
  type State,
  type Variables,
} from "./parts.ts";

/** The assumption about recursive calls of the function under proof: see recursion.ts. */
export interface Recursion {
  isFor(definition: FunctionDef): boolean;
  call(machine: Machine, state: State, call: FunctionCall): Value;
}

/**
 * Runs the parts of a node. Nodes contain each other, so the code that handles one kind of node reaches all other kinds
 * through this interface.
 */
export interface Interpreter {
  evaluate(machine: Machine, state: State, node: Expression): Value;
  /** Returns the outcome of a test. */
  test(machine: Machine, state: State, node: Expression): Term;
  assign(machine: Machine, state: State, target: Expression, value: Value): void;
  runAll(machine: Machine, state: State, statements: readonly Statement[]): void;
  /** Calls one of the program's functions with these arguments. */
  call(machine: Machine, state: State, definition: FunctionDef, args: readonly Value[], line: number): Value;
}

/** A point in the run to which `rollBack` returns. */
interface Mark {
  readonly reachable: number;
  readonly facts: number;
  readonly loops_begun: number;
  readonly obligations: number;
  readonly objects: number;
}

/** What is known about an exception: the term for its class, and the condition that should have prevented it. */
interface Cause {
  readonly thrown?: Term | undefined;
  readonly stated?: Stated;
}

/** The maximum amount of work in one run. A function that needs more is rejected. */
const steps_max = 20_000;
/** Loops with at most this many iterations, if the number is known, are unrolled. */
export const written_out_max = 12;
const calls_deep_max = 12;

/** One run of a function. `context` depends on the code that is being executed; everything else only grows. */
export class Machine {
  readonly t: Terms;
  readonly program: Program;
  readonly plan: Plan;
  readonly recursion: Recursion | undefined;
  /** The conditions under which each test had each outcome and each line was reached. */
  readonly reachable: Reachable[] = [];
  /** Facts that hold in every reachable state. */
  readonly facts: Term[] = [];
  /** The conditions under which a loop was still running when the bound was reached. */
  readonly unfinished: Term[] = [];
  /** The calls that are being executed, the innermost last. */
  readonly frames: Frame[] = [];
  readonly #interpreter: Interpreter;
  readonly obligations: Obligation[] = [];
  /** The objects in the arguments of the claim. */
  readonly given: Value[] = [];
  /** The variable of the claim's function whose value counts at the end. */
  kept: string | undefined;
  /** The nesting depth of the formulas with bound variables that are being built. */
  binders = 0;
  /** Checks a result where it is returned. Set only in a run with given invariants. */
  promise: ((state: State, value: Value) => void) | undefined;
  #context: Context = {
    exits: noExits(),
    handled: [],
    loops: [],
    reads: new Set(),
    head: new Map(),
    within: [],
    testing: false,
    assuming: false,
  };
  #loops_begun = 0;
  #objects = 0;
  #steps = 0;
  #line = 0;
  /** Expressions that are not modelled. Their operations are treated as unknown functions. */
  readonly unmodelled = new Map<Expression, Unsupported>();
  #hidden = 0;

  constructor(t: Terms, program: Program, plan: Plan, recursion: Recursion | undefined, interpreter: Interpreter) {
    this.t = t;
    this.program = program;
    this.plan = plan;
    this.recursion = recursion;
    this.#interpreter = interpreter;
  }

  evaluate(state: State, node: Expression): Value {
    return this.#interpreter.evaluate(this, state, node);
  }

  test(state: State, node: Expression): Term {
    return this.#interpreter.test(this, state, node);
  }

  assign(state: State, target: Expression, value: Value): void {
    this.#interpreter.assign(this, state, target, value);
  }

  runAll(state: State, statements: readonly Statement[]): void {
    this.#interpreter.runAll(this, state, statements);
  }

  call(state: State, definition: FunctionDef, args: readonly Value[], line: number): Value {
    return this.#interpreter.call(this, state, definition, args, line);
  }

  get context(): Context {
    return this.#context;
  }

  get exits(): Exits {
    return this.#context.exits;
  }

  /** Runs work in a context that differs from the current one in these parts. */
  inContext<Result>(own: Partial<Context>, work: () => Result): Result {
    const outer = this.#context;
    this.#context = { ...outer, ...own };
    try {
      return work();
    } finally {
      this.#context = outer;
    }
  }

  /** Returns the number of a loop that begins. */
  beginLoop(): number {
    return this.#loops_begun++;
  }

  /** The number of objects created so far. */
  get objects(): number {
    return this.#objects;
  }

  /** Returns the number of a new object. */
  makeObject(): number {
    return ++this.#objects;
  }

  mark(): Mark {
    const [reachable, facts, obligations] = [this.reachable, this.facts, this.obligations].map(({ length }) => length);
    return {
      reachable: reachable ?? 0,
      facts: facts ?? 0,
      obligations: obligations ?? 0,
      loops_begun: this.#loops_begun,
      objects: this.#objects,
    };
  }

  /** Drops everything that was added since a mark. */
  rollBack({ reachable, facts, obligations, loops_begun, objects }: Mark): void {
    this.#objects = objects;
    this.reachable.length = reachable;
    this.obligations.length = obligations;
    this.facts.length = facts;
    this.#loops_begun = loops_begun;
  }

  /** Drops the facts about these symbols. */
  dropFacts(symbols: ReadonlySet<Term>): void {
    const others = this.facts.filter((fact) => [...symbolsIn([fact])].every((symbol) => !symbols.has(symbol)));
    this.facts.splice(0, this.facts.length, ...others);
  }

  step(line: number): void {
    this.#line = line;
    if (++this.#steps > steps_max)
      throw new Unsupported("code of this size (too many steps of symbolic execution)", line);
    this.plan.budget.check();
  }

  /** Returns a variable name that no code can use. */
  hidden(hint: string): string {
    // The hint may be a name from the code that ends with digits.
    return `#${hint}#${this.#hidden++}`;
  }

  /** Ends the state with an exception under a condition. */
  raise(state: State, condition: Term, exception: string, line: number, { thrown, stated }: Cause = {}): void {
    const when = this.t.and(state.live, condition);
    const { by_invariants } = this.plan;
    if (by_invariants && when !== this.t.no) {
      if (this.#context.assuming) {
        // Inputs on which a precondition raises an exception need no proof. In a formula, the precondition has an
        // arbitrary value for them.
        if (this.binders > 0) return;
        if (this.#loops_begun === 0 && condition !== this.t.yes) {
          // The condition is about the inputs alone, and all questions assume it.
          this.exits.raises.push({ when, exception, line, variables: new Map(state.variables) });
          return;
        }
      } else if (by_invariants.isOwed(exception, line)) {
        const variables = new Map(state.variables);
        const is_called = this.frames.length > 1 && !stated?.text;
        this.obligations.push({ when, place: this.#spot(), exception, line, stated, variables, is_called });
        if (condition === this.t.yes) state.live = this.t.no;
        return;
      } else if (this.binders > 0)
        throw new Unsupported("conditions over a range that raise an exception that is allowed", line);
    }
    if (when !== this.t.no)
      this.exits.raises.push({ when, exception, thrown, line, variables: new Map(state.variables) });
    state.live = this.t.and(state.live, this.t.not(condition));
  }

  /** Records the condition under which a test has this outcome here. */
  recordOutcome(place: Place, outcome: boolean, state: State, condition: Term): void {
    if (this.binders > 0) return;
    const when = this.t.and(state.live, outcome ? condition : this.t.not(condition));
    this.reachable.push({ key: outcomeKey(place, outcome), when, place: this.#spot() });
  }

  recordLine(line: number, state: State): void {
    this.reachable.push({ key: `line ${line}`, when: state.live, place: this.#spot() });
  }

  #spot(): Spot {
    const { within, loops, testing } = this.#context;
    return { within, over: loops.map(({ id }) => id), testing };
  }

  /** Executes two branches of a condition and joins them. */
  branch<Result>(
    state: State,
    condition: Term,
    yes: (state: State) => Result,
    no: (state: State) => Result,
  ): { yes: Result | undefined; no: Result | undefined } {
    const { t } = this;
    const ways = [t.and(state.live, condition), t.and(state.live, t.not(condition))];
    const [a, b] = ways.map((live) => ({ live, variables: new Map(state.variables) }));
    if (!a || !b) throw new Error("two ways are two");
    const results = { yes: a.live === t.no ? undefined : yes(a), no: b.live === t.no ? undefined : no(b) };
    state.variables = mergeVariables(t, condition, a, b);
    const untouched = a.live === ways[0] && b.live === ways[1];
    if (!untouched) state.live = either(t, a.live, b.live);
    return results;
  }

  /** Joins these flows into one state and continues from it. */
  joinFlows(state: State, flows: readonly Flow[]): void {
    const { t } = this;
    const [first, ...rest] = flows.filter(({ when }) => when !== t.no).toReversed();
    if (!first) {
      state.live = t.no;
      return;
    }
    const joined: State = { live: first.when, variables: new Map(first.variables) };
    for (const { when, variables } of rest) {
      joined.variables = mergeVariables(t, when, { live: when, variables }, joined);
      joined.live = either(t, joined.live, when);
    }
    state.live = joined.live;
    state.variables = joined.variables;
  }

  /** Handles each possible type of a value and joins the results. Rejects values that are not modelled. */
  each(state: State, value: Value, work: (plain: Plain, state: State) => Value): Value {
    return this.eachOf(state, value, (plain, own) => {
      if (plain.kind === "opaque")
        throw new Unsupported(`this operation on a value of type ${typeText(plain.type)}`, this.#line);
      return work(plain, own);
    });
  }

  /** Handles each possible type of a value, even one that is not modelled, and joins the results. */
  eachOf(state: State, value: Value, work: (plain: Plain, state: State) => Value): Value {
    // Unbound values come only from unreachable states, because reading a variable checks that it is bound.
    const choices = value.filter(({ plain }) => plain.kind !== "unbound");
    const [only, second] = choices;
    if (!only) return this.nothing();
    if (!second) return work(only.plain, state);
    let rest: Value = [];
    const { live } = state;
    let lives: Term = this.t.no;
    for (const { when, plain } of choices.toReversed()) {
      const own: State = { live: this.t.and(live, when), variables: state.variables };
      const before = own.live;
      const result = before === this.t.no ? this.nothing() : work(plain, own);
      rest = merge(this.t, when, result, rest);
      lives = this.t.or(lives, own.live === before ? when : own.live);
    }
    state.live = this.t.and(live, lives);
    return rest;
  }

  /** Returns the value of an expression in an unreachable state. */
  nothing(): Value {
    return [{ when: this.t.yes, plain: UNBOUND }];
  }

  isException(name: string): boolean {
    return this.program.exceptions.has(name);
  }

  isA(name: string, other: string): boolean {
    return isA(this.program.exceptions, name, other);
  }

  enter(frame: Frame, line: number): void {
    if (this.frames.length >= calls_deep_max) throw new Unsupported(`calls nested deeper than ${calls_deep_max}`, line);
    this.frames.push(frame);
  }

  leave(): void {
    this.frames.pop();
  }

  /** Whether a number is obviously not negative: a sum of products of non-negative numbers and constants. */
  isNotNegative(term: Term): boolean {
    const parts = term.op === "+" ? term.args : [term];
    return parts.every((part) =>
      (part.op === "*" ? part.args : [part]).every(
        (atom) =>
          (typeof atom.value === "bigint" && atom.value >= 0n) || this.facts.includes(this.t.le(this.t.zero, atom)),
      ),
    );
  }

  get frame(): Frame {
    const frame = this.frames.at(-1);
    if (!frame) throw new Error("code runs in a function");
    return frame;
  }

  /** Returns the variable that a name refers to here; undefined for a global name or a builtin. */
  variableOf(name: string): string | undefined {
    const { scopes, locals, kept } = this.frame;
    const inner = scopes.findLast(({ names }) => names.has(name))?.names.get(name);
    return inner ?? (locals.has(name) ? (name === kept ? keptName(name) : name) : undefined);
  }

  /** Returns the default value of a parameter. A name in it refers to a table of the module. */
  defaultValue(state: State, node: Expression): Value {
    return this.evaluate(state, (node.is === "Name" && this.program.tables.get(node.id)) || node);
  }

  /** Whether a name refers to a builtin here. */
  isBuiltin(name: string): boolean {
    return this.variableOf(name) === undefined && !isDefined(this.program, name);
  }

  /**
   * Returns the full name, such as "math.sqrt", that a name refers to here; undefined for a name that no import binds.
   */
  importedName(node: Expression): string | undefined {
    const root = node.is === "Attribute" ? node.value : node;
    if (root.is !== "Name" || this.variableOf(root.id) !== undefined) return undefined;
    return importedName(node, this.program.imports);
  }

  /** Returns an unknown condition that is the same for equal arguments. */
  unknown(name: string, args: readonly Term[]): Term {
    return this.t.apply(name, args, BOOL);
  }
}

/** Whether the program defines a name. */
export function isDefined(program: Program, name: string): boolean {
  const { functions, classes, constants, tables, frozensets, compiled, imports, exceptions } = program;
  const own_exception = exceptions.has(name) && !builtin_exceptions.has(name);
  return (
    functions.has(name) ||
    classes.has(name) ||
    constants.has(name) ||
    tables.has(name) ||
    frozensets.has(name) ||
    compiled.has(name) ||
    imports.has(name) ||
    own_exception
  );
}

export function outcomeKey(place: Place, outcome: boolean): string {
  return `${place.line}:${place.column}-${place.end_line}:${place.end_column} ${outcome}`;
}

function mergeVariables(t: Terms, condition: Term, a: State, b: State): Variables {
  if (b.live === t.no) return a.variables;
  if (a.live === t.no) return b.variables;
  const merged: Variables = new Map();
  for (const [name, value] of a.variables) {
    const other = b.variables.get(name);
    if (other) merged.set(name, merge(t, condition, value, other));
  }
  // An object that was created in only one of two branches keeps its fields.
  for (const each of [a, b])
    for (const [name, value] of each.variables) if (isField(name) && !merged.has(name)) merged.set(name, value);
  return merged;
}

/** Returns `a or b`, with the common factors extracted and the condition that separated the two dropped. */
function either(t: Terms, a: Term, b: Term): Term {
  const [left, right] = [a, b].map((each) => new Set(each.op === "and" ? each.args : [each]));
  if (!left || !right) throw new Error("two lives are two");
  const common = [...left].filter((part) => right.has(part));
  const rests = [left, right].map((parts) => [...parts].filter((part) => !common.includes(part)));
  const [x = [], y = []] = rests;
  const conjunction = (parts: Term[], other: Term[]) =>
    t.and(...parts.filter((part) => !(other.length === 1 && other[0] === t.not(part))));
  return t.and(...common, t.or(conjunction(x, y), y.length === 1 ? t.and(...y) : conjunction(y, x)));
}
