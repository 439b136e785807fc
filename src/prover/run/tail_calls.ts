/**
 * Executes functions whose only recursive calls are tail calls. Such a call is another iteration of a loop around the
 * body, with new parameter values and all other variables unbound.
 */

import { always, NONE, UNBOUND } from "../logic/values.ts";
import type { Call, Expression, FunctionDef, Statement } from "../python/tree.ts";
import { assignedIn, callsItself } from "../python/walk.ts";
import { argumentValues } from "./arguments.ts";
import { runLoop } from "./loops.ts";
import type { Machine } from "./machine.ts";
import { fieldsIn, type State } from "./parts.ts";

/**
 * Whether all recursive calls are tail calls. Calls within a loop or a `try` are not tail calls, because something
 * remains to be done after them. Functions with preconditions are excluded: each recursive call would check them, and
 * they are handled differently from those of the first call.
 */
export function hasTailCallsOnly(definition: FunctionDef): boolean {
  const { name, body, decorator_list, args } = definition;
  const calls = callsItself(definition).length;
  const is_hidden = assignedIn(body).has(name) || args.parameters.some((parameter) => parameter.name === name);
  const begins_with_assert = body.find(({ is }) => is !== "Expr")?.is === "Assert";
  const is_plain = decorator_list.length === 0 && args.more === null && !begins_with_assert && !is_hidden;
  return is_plain && calls > 0 && tailCalls(name, body).length === calls;
}

function tailCalls(name: string, statements: readonly Statement[]): Call[] {
  return statements.flatMap((statement) => {
    if (statement.is === "If") return [...tailCalls(name, statement.body), ...tailCalls(name, statement.orelse)];
    return statement.is === "Return" && statement.value ? tailCallsOf(name, statement.value) : [];
  });
}

function tailCallsOf(name: string, node: Expression): Call[] {
  if (node.is === "IfExp") return [...tailCallsOf(name, node.body), ...tailCallsOf(name, node.orelse)];
  return node.is === "Call" && node.func.is === "Name" && node.func.id === name ? [node] : [];
}

/** Runs the body as a loop. Every way in which the body ends is an exit. */
export function runAsLoop(m: Machine, state: State, definition: FunctionDef, locals: ReadonlySet<string>): void {
  const parameters = new Set(definition.args.parameters.map(({ name }) => name));
  const others = [...locals].filter((name) => !parameters.has(name));
  runLoop(m, state, {
    line: definition.line,
    names: [...locals],
    isReadOutside: () => false,
    test: () => m.t.yes,
    body(own) {
      for (const name of others) own.variables.set(name, always(m.t, UNBOUND));
      m.runAll(own, definition.body);
      if (own.live !== m.t.no)
        m.exits.returns.push({
          when: own.live,
          value: always(m.t, NONE),
          fields: fieldsIn(own.variables),
          line: definition.line,
        });
      own.live = m.t.no;
    },
    otherwise: () => {},
  });
}

/**
 * Executes the return of an expression that can contain a tail call. Returns false, without any effect, if it contains
 * none.
 */
export function returnByTailCall(m: Machine, state: State, node: Expression, leave: Leave): boolean {
  const { definition } = m.frame;
  if (!hasTailCallsOnly(definition) || tailCallsOf(definition.name, node).length === 0) return false;
  if (node.is === "IfExp") {
    const condition = m.test(state, node.test);
    m.branch(
      state,
      condition,
      (own) => leave(own, node.body),
      (own) => leave(own, node.orelse),
    );
    return true;
  }
  if (node.is !== "Call") return false;
  const args = argumentValues(m, state, definition, node);
  if (state.live === m.t.no) return true;
  definition.args.parameters.forEach(({ name }, i) => {
    state.variables.set(name, args[i] ?? always(m.t, UNBOUND));
  });
  m.exits.continues.push({ when: state.live, variables: new Map(state.variables) });
  state.live = m.t.no;
  return true;
}

/** Executes the return of an expression's value. */
export type Leave = (state: State, node: Expression) => void;
