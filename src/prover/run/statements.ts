/** Executes statements. Each leads the state to the next statement, or out through an exit. */

import { BOOL, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import {
  always,
  holdsObjects,
  itemOf,
  NONE,
  type Plain,
  partsOf,
  typeOf,
  typeText,
  UNBOUND,
  type Value,
} from "../logic/values.ts";
import { isOwnMethod } from "../python/checks.ts";
import { conjuncts } from "../python/conjuncts.ts";
import { termOf } from "../python/construct_names.ts";
import { checking, exhaustions } from "../python/exceptions.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression, For, Statement, Try, While } from "../python/tree.ts";
import { assignedIn, callsItself, changeIn, fieldChangeIn, isExtension, readsIn } from "../python/walk.ts";
import { iterationOver } from "./builtins/iterables.ts";
import { attributeOfPlain } from "./classes.ts";
import { evaluate, itemAt, test } from "./expressions.ts";
import { overValue, walk } from "./iteration.ts";
import { changeList } from "./list_changes.ts";
import { runLoop } from "./loops.ts";
import type { Machine } from "./machine.ts";
import { asRecords, byChoice, inField, isListField, setField } from "./objects.ts";
import { withEntry as withOpaqueEntry } from "./opaque/changes.ts";
import { onEach } from "./opaque/functions.ts";
import { operate } from "./opaque/operators.ts";
import { asInt } from "./operators/conversions.ts";
import { checkIndex } from "./operators/lists.ts";
import { withEntry } from "./operators/mappings.ts";
import { type Flow, fieldsIn, type Raised, type State } from "./parts.ts";
import { returnByTailCall } from "./tail_calls.ts";

/** Runs statements while the state is live. Raises Unsupported. */
export function runAll(m: Machine, state: State, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (state.live === m.t.no) return;
    try {
      run(m, state, statement);
    } catch (error) {
      if (error instanceof Unsupported) error.runningIn(statement);
      throw error;
    }
  }
}

function run(m: Machine, state: State, statement: Statement): void {
  const { line } = statement;
  m.step(line);
  m.recordLine(line, state);
  switch (statement.is) {
    case "Pass":
      return;
    case "Expr":
      resultOf(m, state, statement, statement.value);
      return;
    case "Assign": {
      const value = resultOf(m, state, statement, statement.value);
      for (const target of statement.targets) assign(m, state, target, value);
      return;
    }
    case "AnnAssign":
      if (statement.value) assign(m, state, statement.target, resultOf(m, state, statement, statement.value));
      // Python evaluates the target of an annotation without a value, unless it is only a name.
      else if (statement.target.is !== "Name")
        throw new Unsupported("annotations without a value of anything but a name", statement);
      return;
    case "AugAssign":
      augment(m, state, statement);
      return;
    case "Return":
      if ((changeIn(statement) ?? fieldChangeIn(statement)) && statement.value)
        end(m, state, resultOf(m, state, statement, statement.value), line);
      else leave(m, state, statement.value, line);
      return;
    case "If": {
      const condition = test(m, state, statement.test);
      m.branch(
        state,
        condition,
        (own) => runAll(m, own, statement.body),
        (own) => runAll(m, own, statement.orelse),
      );
      return;
    }
    case "Assert": {
      const assuming = m.context.assuming || m.plan.by_invariants?.isOwed("AssertionError", line) === false;
      if (m.plan.by_invariants) {
        // If the assert fails, nothing else matters, not even its message.
        m.inContext({ assuming }, () => {
          for (const condition of conjuncts(statement.test))
            m.raise(state, m.t.not(test(m, state, condition)), "AssertionError", line, {
              stated: { condition, text: undefined },
            });
        });
        return;
      }
      const holds = m.inContext({ assuming }, () => test(m, state, statement.test));
      m.branch(
        state,
        holds,
        () => {},
        (own) => {
          if (statement.msg) message(m, own, statement.msg);
          m.raise(own, m.t.yes, "AssertionError", line);
        },
      );
      return;
    }
    case "While":
      whileLoop(m, state, statement);
      return;
    case "For":
      forLoop(m, state, statement);
      return;
    case "Break":
      m.exits.breaks.push(flowOf(state));
      state.live = m.t.no;
      return;
    case "Continue":
      m.exits.continues.push(flowOf(state));
      state.live = m.t.no;
      return;
    case "Raise":
      raise(m, state, statement);
      return;
    case "Try":
      runTry(m, state, statement);
      return;
    case "FunctionDef":
    case "ClassDef":
    case "Import":
    case "ImportFrom":
    case "Other":
      throw new Unsupported(termOf(statement), statement);
    default:
      statement satisfies never;
  }
}

/** Returns the value of a statement's expression, which can be a call that changes a list. */
function resultOf(m: Machine, state: State, statement: Statement, node: Expression): Value {
  const held = fieldChangeIn(statement);
  if (held && isListField(m, state, held.list)) {
    const { method, call, list } = held;
    return inField(m, state, list, (own, name) =>
      changeList(m, own, {
        name: name.id,
        method,
        call: { ...call, func: { ...list, is: "Attribute", value: name, attr: method } },
      }),
    );
  }
  const change = changeIn(statement);
  return change && !isOwnMethod(m.program.classes, change.method)
    ? changeList(m, state, change)
    : evaluate(m, state, node);
}

function leave(m: Machine, state: State, node: Expression | null, line: number): void {
  if (node && returnByTailCall(m, state, node, (own, each) => leave(m, own, each, line))) return;
  end(m, state, node ? evaluate(m, state, node) : always(m.t, NONE), line);
}

function end(m: Machine, state: State, value: Value, line: number): void {
  if (state.live === m.t.no) return;
  const own = m.frames.length === 1 ? asRecords(m, state, value, line) : value;
  if (m.frames.length === 1) m.promise?.(state, own);
  if (state.live !== m.t.no)
    m.exits.returns.push({ when: state.live, value: own, fields: fieldsIn(state.variables), line });
  state.live = m.t.no;
}

function flowOf({ live, variables }: State): Flow {
  return { when: live, variables: new Map(variables) };
}

/** Assigns a value to a target: a variable, an item of a list, or several of these. */
export function assign(m: Machine, state: State, target: Expression, value: Value): void {
  if (state.live === m.t.no) return;
  if (target.is === "Name") {
    const variable = m.variableOf(target.id);
    if (variable === undefined) throw new Unsupported(`an assignment to the name ${target.id}`, target);
    state.variables.set(variable, value);
    return;
  }
  if (target.is === "Subscript") {
    changeItem(m, state, target, () => value);
    return;
  }
  if (target.is === "Attribute") {
    assignAttribute(m, state, target, () => value);
    return;
  }
  if (target.is !== "Tuple" && target.is !== "List")
    throw new Unsupported("assignment targets other than names, items of lists, and tuples of names", target);
  unpack(m, state, target.elts, value, target.line);
}

/** Returns the items to unpack: all items of a tuple, or as many items of a list or string as there are targets. */
function itemsToUnpack(m: Machine, state: State, value: Value, count: number, line: number): readonly Plain[] {
  const [only, second] = value;
  if (only?.plain.kind === "tuple" && !second) return only.plain.items;
  if (!only || second || (only.plain.kind !== "sequence" && only.plain.kind !== "opaque"))
    throw new Unsupported("unpacking a value that is not always a tuple, list or string", line);
  const { count: length, at } = overValue(m, state, value, line);
  m.raise(state, m.t.not(m.t.eq(length, m.t.int(BigInt(count)))), "ValueError", line);
  return Array.from({ length: count }, (_, i) => at(m.t.int(BigInt(i))));
}

function unpack(m: Machine, state: State, targets: readonly Expression[], value: Value, line: number): void {
  const items = itemsToUnpack(m, state, value, targets.length, line);
  if (state.live === m.t.no) return;
  if (items.length !== targets.length) {
    m.raise(state, m.t.yes, "ValueError", line);
    return;
  }
  for (const [i, target] of targets.entries()) assign(m, state, target, always(m.t, items[i] ?? UNBOUND));
}

/** Assigns to an item of a list in a variable or in an attribute. */
function changeItem(
  m: Machine,
  state: State,
  target: Extract<Expression, { is: "Subscript" }>,
  valueFor: (old: () => Value, state: State) => Value,
): void {
  if (target.value.is !== "Attribute") {
    assignItem(m, state, target, (old) => valueFor(old, state));
    return;
  }
  inField(m, state, target.value, (own, value) => {
    assignItem(m, own, { ...target, value }, (old) => valueFor(old, own));
    return always(m.t, NONE);
  });
}

/** Executes `xs[i] = value`. The value is evaluated before the index, or computed from the old item. */
function assignItem(
  m: Machine,
  state: State,
  target: Extract<Expression, { is: "Subscript" }>,
  valueFor: (old: () => Value) => Value,
): void {
  const { t } = m;
  const { line } = target;
  if (target.value.is !== "Name") throw new Unsupported("assignments to an item of anything but a variable", line);
  const variable = m.variableOf(target.value.id);
  const value = evaluate(m, state, target.value);
  const key = evaluate(m, state, target.slice);
  const [[list, other], [place, second]] = [value, key];
  if (state.live === t.no) return;
  if (variable !== undefined && value.every(({ plain }) => plain.kind === "opaque")) {
    const next = valueFor(() => itemAt(m, state, value, key, line));
    if (state.live !== t.no) state.variables.set(variable, withOpaqueEntry(m, state, value, key, next, line));
    return;
  }
  if (variable !== undefined && list?.plain.kind === "mapping" && !other) {
    const { mapping } = list.plain;
    const next = onEach(
      m,
      state,
      [valueFor(() => itemAt(m, state, value, key, line)), key],
      ([entry = NONE, at = NONE]) => {
        if (mapping.type.kind === "set") throw new Unsupported("assignments to items of sets", line);
        return always(t, { kind: "mapping", mapping: withEntry(m, mapping, at, entry, line) });
      },
    );
    if (state.live !== t.no) state.variables.set(variable, next);
    return;
  }
  const at = place && !second ? asInt(t, place.plain) : undefined;
  if (
    variable === undefined ||
    list?.plain.kind !== "sequence" ||
    other ||
    !at ||
    list.plain.sequence.type.kind !== "list"
  )
    throw new Unsupported("assignments to anything but one item of a local list", line);
  const { sequence } = list.plain;
  const index = checkIndex(m, state, sequence.length, at, line);
  const own = sequence.type.item;
  const old: Value = own ? always(t, itemOf(t, sequence, index)) : m.nothing();
  const [item, more] = valueFor(() => old);
  if (state.live === t.no) return;
  if (!item || more || !own || sequence.type.view !== "whole" || typeText(typeOf(item.plain)) !== typeText(own))
    throw new Unsupported("assignments of a value of another type to an item of a list", line);
  const parts = partsOf(item.plain);
  const arrays = sequence.arrays.map((array, i) => t.store(array, index, parts[i] ?? t.zero));
  state.variables.set(variable, always(t, { kind: "sequence", sequence: { ...sequence, arrays } }));
}

/** Executes `object.name = value`. The value is evaluated before the object, or computed from the old value. */
function assignAttribute(
  m: Machine,
  state: State,
  { value: object, attr, line }: Extract<Expression, { is: "Attribute" }>,
  valueFor: (state: State, old: (state: State) => Value) => Value,
): void {
  byChoice(m, state, evaluate(m, state, object), (plain, own) => {
    const value = valueFor(own, (at) => attributeOfPlain(m, at, plain, attr, line));
    if (own.live !== m.t.no) setField(m, own, plain, attr, value, line);
    return always(m.t, NONE);
  });
}

function augment(m: Machine, state: State, statement: Extract<Statement, { is: "AugAssign" }>): void {
  const { target, line } = statement;
  const change = (old: Value, own: State = state): Value => {
    const lists = old.some(({ plain }) => plain.kind === "sequence" && plain.sequence.type.kind === "list");
    if (lists && !isExtension(statement))
      throw new Unsupported("augmented assignments to a list other than `+= [...]`", line);
    const value = evaluate(m, own, statement.value);
    return operate(m, own, statement.op, old, value, { line, in_place: true });
  };
  if (target.is === "Attribute" && isExtension(statement)) {
    inField(m, state, target, (own, list) => {
      assign(m, own, list, change(evaluate(m, own, list), own));
      return always(m.t, NONE);
    });
    return;
  }
  if (target.is === "Attribute") {
    assignAttribute(m, state, target, (own, old) => change(old(own), own));
    return;
  }
  if (target.is === "Subscript") {
    changeItem(m, state, target, (old, own) => change(old(), own));
    return;
  }
  const value = change(evaluate(m, state, target));
  assign(m, state, target, value);
}

function whileLoop(m: Machine, state: State, statement: While): void {
  const { line, body, orelse } = statement;
  runLoop(m, state, {
    line,
    names: variables(m, assignedIn(body)),
    heads: headsOf(body),
    isReadOutside: readOutside(m, statement),
    test: (own) => test(m, own, statement.test),
    body(own) {
      noteHead(m, own);
      runAll(m, own, body);
    },
    otherwise: (own) => runAll(m, own, orelse),
  });
}

function forLoop(m: Machine, state: State, statement: For): void {
  const { line, target, body, orelse } = statement;
  const iteration = iterationOver(m, state, statement.iter, { is_next: true });
  if (state.live === m.t.no) return;
  walk(m, state, iteration, {
    line,
    names: variables(m, assignedIn([statement])),
    heads: headsOf(body),
    isReadOutside: readOutside(m, statement),
    body(own, item) {
      assign(m, own, target, always(m.t, item));
      noteHead(m, own);
      runAll(m, own, body);
    },
    otherwise: (own) => runAll(m, own, orelse),
  });
}

function noteHead(m: Machine, { variables }: State): void {
  for (const [name, value] of variables) m.context.head.set(name, value);
}

/** Returns the lines of the asserts at the beginning of a loop's body. */
function headsOf(body: readonly Statement[]): Set<number> {
  const end = body.findIndex(({ is }) => is !== "Assert");
  return new Set(body.slice(0, end < 0 ? body.length : end).map(({ line }) => line));
}

function variables(m: Machine, names: ReadonlySet<string>): string[] {
  return [...names].filter((name) => m.frame.locals.has(name));
}

/** Returns a function that decides whether a variable is read anywhere in the function outside this loop. */
function readOutside(m: Machine, loop: For | While): (name: string) => boolean {
  const all = readsIn(m.frame.definition.body);
  // The condition and the else clause also count as outside the loop, because they see the state after an iteration.
  const inside = readsIn(loop.body);
  return (name) => (all.get(name) ?? 0) > (inside.get(name) ?? 0);
}

function raise(m: Machine, state: State, statement: Extract<Statement, { is: "Raise" }>): void {
  const { exc, cause, line } = statement;
  const { t } = m;
  if (cause && !(cause.is === "Constant" && cause.type === "none")) throw new Unsupported("`raise … from`", line);
  if (!exc) {
    // Outside an exception handler, a bare `raise` raises the exception that some caller is handling.
    const { handled } = m.context;
    if (handled.length === 0) throw new Unsupported("`raise` without an exception outside of an except clause", line);
    for (const { when, exception, thrown } of handled) m.raise(state, when, exception, line, { thrown });
    state.live = t.no;
    return;
  }
  const name = exc.is === "Call" ? exc.func : exc;
  if (name.is !== "Name" || m.variableOf(name.id) !== undefined || !m.isException(name.id))
    throw new Unsupported("raising anything but an exception class of Python or of the module", line);
  if ([...checking].some((each) => m.isA(name.id, each)))
    throw new Unsupported(`raising ${name.id}, which checks its arguments`, line);
  if (exc.is === "Call") {
    if (exc.keywords.length > 0) throw new Unsupported("exceptions with keyword arguments", line);
    for (const each of exc.args) message(m, state, each);
  }
  m.raise(state, t.yes, name.id, line);
}

/** Evaluates an exception's message, because that can raise an exception, and ignores the result. */
function message(m: Machine, state: State, node: Expression): void {
  if (node.is !== "JoinedStr" || m.program.congruent) {
    evaluate(m, state, node);
    return;
  }
  for (const part of node.values) {
    if (part.is === "Constant") continue;
    if (part.is !== "FormattedValue" || part.format_spec)
      throw new Unsupported("format specifications in f-strings", node);
    const value = evaluate(m, state, part.value);
    for (const { when, plain } of value) raiseIfTooLong(m, state, when, plain, node.line);
  }
}

/** Integers below this are always printed: Python's limit can't be set below 640 digits. */
const surely_printed = 10n ** 600n;

/**
 * Raises an exception if an integer is too long to print. Python refuses to print more than 4300 digits, unless this
 * limit was changed.
 */
function raiseIfTooLong(m: Machine, state: State, when: Value[number]["when"], plain: Plain, line: number): void {
  const { t } = m;
  if (holdsObjects(typeOf(plain))) throw new Unsupported("f-strings that contain an object", line);
  if (plain.kind === "tuple") for (const item of plain.items) raiseIfTooLong(m, state, when, item, line);
  if (plain.kind === "mapping" || (plain.kind === "sequence" && plain.sequence.type.kind === "list"))
    throw new Unsupported("f-strings that contain a list, dict or set", line);
  if (plain.kind !== "int") return;
  const { value } = plain.term;
  if (typeof value === "bigint" && value < surely_printed && -value < surely_printed) return;
  const least = m.t.symbol("least number that is not printed", plain.term.sort);
  m.facts.push(t.le(t.int(surely_printed), least));
  const too_long = t.or(t.le(least, plain.term), t.le(plain.term, t.neg(least)));
  m.raise(state, t.and(when, too_long), "ValueError", line);
}

function runTry(m: Machine, state: State, statement: Try): void {
  const { t } = m;
  if (m.plan.by_invariants) throw new Unsupported("try statements, in a proof by given invariants", statement.line);
  const raises: Raised[] = [];
  m.inContext({ exits: { ...m.exits, raises } }, () => runAll(m, state, statement.body));
  const ends: Flow[] = [];
  if (state.live !== t.no) {
    runAll(m, state, statement.orelse);
    ends.push(flowOf(state));
  }
  let open = raises;
  for (const handler of statement.handlers) {
    const names = handledNames(m, handler.type, handler.line);
    const catches = open.map((each) => isCaught(m, each, names));
    const caught = withWhen(t, open, (i) => catches[i] ?? t.no);
    open = withWhen(t, open, (i) => t.not(catches[i] ?? t.no));
    if (caught.length === 0) continue;
    const own: State = { live: t.no, variables: state.variables };
    m.joinFlows(own, caught);
    m.inContext({ handled: caught }, () => runAll(m, own, handler.body));
    ends.push(flowOf(own));
  }
  m.exits.raises.push(...open);
  m.joinFlows(state, ends);
}

/** Whether an exception handler for these classes catches an exception. */
function isCaught(m: Machine, { exception, thrown }: Raised, names: readonly string[]): Term {
  const { t } = m;
  if (!thrown) return t.bool(names.some((name) => m.isA(exception, name)));
  if (names.some((name) => m.isA("Exception", name))) return t.yes;
  return t.or(...names.map((name) => t.apply(`~is a ${name}`, [thrown], BOOL)));
}

/** Adds one more condition to each exception. Returns those that can still be raised. */
function withWhen(t: Terms, raises: readonly Raised[], condition: (i: number) => Term): Raised[] {
  return raises
    .map((each, i) => ({ ...each, when: t.and(each.when, condition(i)) }))
    .filter(({ when }) => when !== t.no);
}

function handledNames(m: Machine, type: Expression | null, line: number): string[] {
  const names = type ? (type.is === "Tuple" ? type.elts : [type]).map((each) => className(m, each, line)) : [];
  // Infinite recursion reaches such an exception handler, whatever Python's recursion limit is.
  const recursive = [...m.program.functions.values()].some((each) => callsItself(each).length > 0);
  if (recursive && (!type || names.some((name) => m.isA("RecursionError", name))))
    throw new Unsupported("except clauses that catch RecursionError, in a module with recursion", line);
  return type ? names : ["BaseException"];
}

function className(m: Machine, node: Expression, line: number): string {
  const known = node.is === "Name" && m.variableOf(node.id) === undefined && m.isException(node.id);
  if (!known)
    throw new Unsupported("except clauses with anything but exception classes of Python or of the module", line);
  if (exhaustions.has(node.id)) throw new Unsupported(`except clauses that catch ${node.id}`, line);
  return node.id;
}
