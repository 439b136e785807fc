/**
 * Describes what a proof by given invariants left open: each open obligation, with a state that satisfies all known
 * facts but violates the obligation. A solver proposes the state, which is shown only if evaluation confirms it.
 */
import { unless } from "../kernel/unless.ts";
import { inTime } from "./ask/time_budget.ts";
import type { Question } from "./given_invariants.ts";
import type { ObligationKind, OpenObligation, State } from "./goal.ts";
import { allGroups, type Group, runGroups, type Traces } from "./induction/traces.ts";
import { bind, concrete, type PythonValue } from "./inputs.ts";
import { type Concrete, evaluator, same, Valueless } from "./logic/evaluate.ts";
import type { Term } from "./logic/term.ts";
import type { Terms } from "./logic/terms.ts";
import type { Value } from "./logic/values.ts";
import { unkept, violation } from "./python/exceptions.ts";
import { sourceAt } from "./python/refusal.ts";
import type { Loop, Obligation, Variables } from "./run/parts.ts";
import { holds, type Setting, stateIn, type Values } from "./states.ts";
import { valueOfArgument } from "./summary.ts";

const source_characters_max = 80;
const variables_max = 20;

/** The parts of an attempt that states are read from. */
export interface Scene extends Setting {
  readonly groups: readonly Group[];
  readonly text: string;
  /** Whether every operation is modelled; otherwise, a state may be impossible in Python. */
  readonly is_modelled: boolean;
}

/** An open obligation as it is shown, and the arguments that violate it if its state can be reached. */
export interface Shown {
  readonly open: OpenObligation;
  readonly inputs: readonly PythonValue[] | undefined;
}

/** Describes one open obligation. */
export async function shown(scene: Scene, question: Question): Promise<Shown> {
  const { t } = scene;
  const { obligation } = question;
  const base = {
    kind: kindOf(question),
    line: obligation.line,
    source: sourceOf(scene, obligation),
    ...(obligation.stated === undefined && { exception: obligation.exception }),
  };
  const variables = [question.loops.at(-1)?.head ?? new Map(), obligation.variables];
  const broken = [...question.known, t.not(question.goal)];
  const values = scene.is_modelled && (await inTime(() => stateIn(scene, broken, variables)));
  if (!values) return { open: { ...base, state: null, reachable: null }, inputs: undefined };
  const [before, after] = statesOf(scene, question, values);
  const reached = await isReached(scene, question.loops, values);
  const inputs = reached === true ? inputsIn(scene, values) : undefined;
  return { open: { ...base, state: { before, after }, reachable: reached }, inputs };
}

/**
 * Describes a loop that was not proved to terminate, with a state that its iterations leave unchanged, if one was
 * found.
 */
export async function endless(
  scene: Scene,
  loop: Loop,
  loops: readonly Loop[],
  known: readonly Term[],
): Promise<Shown> {
  const base = { kind: "ends" as const, line: loop.line, source: lineOf(scene.text, loop.line) };
  const values = scene.is_modelled && (await inTime(() => stateIn(scene, known, [loop.head])));
  if (!values) return { open: { ...base, state: null, reachable: null }, inputs: undefined };
  const { seen, is_over } = await runWith(scene, loop, values);
  const is_idle = (each: Values) =>
    holds(each, [loop.running, ...loop.cells.map(({ symbol, next }) => scene.t.eq(symbol, next))]);
  // Any call that reaches such a state stays in it forever.
  const stuck = loops.length === 1 && loop.inner.length === 0 ? seen.find(is_idle) : undefined;
  const state = variablesIn(scene.t, loop.head, stuck ?? values);
  const reachable = stuck ? true : is_over ? false : null;
  return { open: { ...base, state: { before: state, after: state }, reachable }, inputs: undefined };
}

function kindOf({ kind, obligation }: Question): ObligationKind {
  if (kind !== "here") return kind;
  const { exception, stated, is_called } = obligation;
  if (is_called && (stated || exception === violation)) return "precondition of a call";
  if (exception === unkept || exception === violation) return "postcondition";
  if (stated) return "assertion";
  return exception === "IndexError" ? "index in range" : "no exception";
}

/** Returns the source text of an obligation's condition, or of its line. */
export function sourceOf({ text }: Scene, { stated, line }: Obligation): string {
  if (!stated) return lineOf(text, line);
  const { condition, text: own } = stated;
  const place = own === undefined ? condition : { ...condition, line: 1, end_line: 1 };
  return sourceAt(own ?? text, place, source_characters_max) ?? lineOf(text, line);
}

function lineOf(text: string, line: number): string {
  const place = { line, column: 0, end_line: line, end_column: Number.POSITIVE_INFINITY };
  return sourceAt(text, place, source_characters_max) ?? "";
}

/** Returns the state before the violation, and the state in which the obligation is violated. */
function statesOf(scene: Scene, { kind, obligation, loops }: Question, values: Values): [State, State] {
  const { t, args } = scene;
  const loop = loops.at(-1);
  const given: Variables = new Map(args.map((each) => [each.name, valueOfArgument(t, each)]));
  if (!loop || kind === "here")
    return [variablesIn(t, loop?.head ?? given, values), variablesIn(t, obligation.variables, values)];
  const read = evaluator(values);
  const moved = new Map(values);
  for (const { symbol, first, next } of loop.cells) moved.set(symbol, read(kind === "kept" ? next : first));
  const outer = loops.at(-2)?.head ?? given;
  return [variablesIn(t, kind === "kept" ? loop.head : outer, values), variablesIn(t, loop.head, moved)];
}

/** Returns the program's own variables whose values can be shown. */
function variablesIn(t: Terms, variables: Variables, values: Values): State {
  const read = evaluator(values);
  const named = [...variables].filter(([name]) => /^[^\W\d]\w*$/u.test(name) && name !== "__return__");
  const known = named.flatMap(([name, value]): [string, PythonValue][] => {
    const shown_value = valueIn(t, value, read);
    return shown_value ? [[name, shown_value]] : [];
  });
  return Object.fromEntries(known.slice(0, variables_max));
}

function valueIn(t: Terms, value: Value, read: (term: Term) => Concrete): PythonValue | undefined {
  return unless(Valueless, () => {
    const plain = value.find(({ when }) => read(when) === true)?.plain;
    return plain && concrete(t, plain, read);
  });
}

function inputsIn({ t, args }: Scene, values: Values): PythonValue[] | undefined {
  const read = evaluator(values);
  const inputs = args.flatMap((each) => valueIn(t, valueOfArgument(t, each), read) ?? []);
  return inputs.length === args.length ? inputs : undefined;
}

/**
 * Whether a call reaches this state. The arguments are part of the state, so running the call with these arguments
 * answers the question. Returns null if the call did not end in time or can't be run.
 */
async function isReached(scene: Scene, loops: readonly Loop[], values: Values): Promise<boolean | null> {
  const { t, groups } = scene;
  const loop = loops.at(-1);
  const { seen, is_over } = await runWith(scene, loop, values);
  const involved = loop ? loops : groups.flatMap(({ members }) => members.map((each) => each.loop));
  if (seen.some((each) => isSame(t, involved, each, values))) return true;
  return is_over ? false : null;
}

/**
 * Runs the call with these arguments. Returns the states at the head of the loop, or the last state if there is no
 * loop, and whether the call ended.
 */
async function runWith(
  scene: Scene,
  loop: Loop | undefined,
  values: Values,
): Promise<{ seen: readonly Values[]; is_over: boolean }> {
  const { t, args, groups, queries } = scene;
  const inputs = inputsIn(scene, values);
  if (!inputs) return { seen: [], is_over: false };
  const run = new Map(args.flatMap((arg, i) => bind(t, arg, inputs[i] ?? { type: "none" }) ?? []));
  const traces: Traces = new Map(allGroups(groups).map((group) => [group, { snapshots: [], steps: [] }]));
  const is_over = (await inTime(() => runGroups(groups, run, traces, queries.budget))) === true;
  const group = allGroups(groups).find(({ members }) => members.some((each) => each.loop === loop));
  if (!loop) return { seen: is_over ? [run] : [], is_over };
  return { seen: (group && traces.get(group)?.snapshots) ?? [], is_over };
}

/** Whether the loops' own variables have the same values. */
function isSame(t: Terms, loops: readonly Loop[], a: Values, b: Values): boolean {
  return loops.every(({ cells, head }) => {
    const numbers = cells.filter(({ symbol }) => !symbol.sort.item).map(({ symbol }) => symbol);
    const equal = numbers.every((symbol) => {
      const [x, y] = [a.get(symbol), b.get(symbol)];
      return x !== undefined && y !== undefined && same(x, y);
    });
    return equal && JSON.stringify(variablesIn(t, head, a)) === JSON.stringify(variablesIn(t, head, b));
  });
}
