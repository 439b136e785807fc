/**
 * Executes loops. A loop is unrolled if its number of iterations is known and small. Otherwise it becomes a transition.
 */

import { INT, symbolsIn, type Term } from "../logic/term.ts";
import {
  always,
  anyTerm,
  fromParts,
  join,
  opaque,
  partsOf,
  sortsOf,
  type Type,
  typeOf,
  typeText,
  UNBOUND,
  type Value,
  widen,
} from "../logic/values.ts";
import { Unsupported } from "../python/refusal.ts";
import { type Machine, written_out_max } from "./machine.ts";
import { withoutNew } from "./objects.ts";
import { assume } from "./operators/lists.ts";
import {
  type Exits,
  type Flow,
  fieldsIn,
  type Loop,
  type LoopVariable,
  noExits,
  type State,
  type Variables,
} from "./parts.ts";

/** The parts of a loop, regardless of the statement or builtin that it comes from. */
export interface LoopSpec {
  readonly line: number;
  /** Variables that an iteration can change. */
  readonly names: readonly string[];
  /** Whether a variable is read anywhere outside this loop. */
  readonly isReadOutside: (name: string) => boolean;
  /** Evaluates whether there is another iteration. Can raise an exception. */
  readonly test: (state: State) => Term;
  /** Runs one iteration. */
  readonly body: (state: State) => void;
  /** Runs when the test is false, but not after a break. */
  readonly otherwise: (state: State) => void;
  /** The lines of the asserts that an iteration begins with. */
  readonly heads?: ReadonlySet<number>;
  /** Returns the maximum number of remaining iterations, from the state in which an iteration begins. */
  readonly left?: (state: State) => Term;
}

const types_max = 4;
const rounds_max = 6;

/** Runs a loop to its end. */
export function runLoop(m: Machine, state: State, spec: LoopSpec): void {
  const { t } = m;
  const number = m.beginLoop();
  const [ends, breaks]: [Flow[], Flow[]] = [[], []];
  const peeled = m.plan.unrolled ?? m.plan.peeled.get(number) ?? 0;
  for (let i = 0; state.live !== t.no; i++) {
    const left = spec.left?.(state).value;
    const short = typeof left === "bigint" && left <= BigInt(written_out_max);
    if (i < peeled || short) iterate(m, state, spec, ends, breaks);
    else if (m.plan.unrolled !== undefined) stopAt(m, state, spec, ends);
    else summarise(m, state, spec, number, ends, breaks);
  }
  m.joinFlows(state, ends);
  if (state.live !== t.no) spec.otherwise(state);
  m.joinFlows(state, [{ when: state.live, variables: state.variables }, ...breaks]);
}

/** Runs one iteration if the loop has another one. */
function iterate(m: Machine, state: State, spec: LoopSpec, ends: Flow[], breaks: Flow[]): void {
  const { t } = m;
  m.step(spec.line);
  const again = spec.test(state);
  ends.push({ when: t.and(state.live, t.not(again)), variables: new Map(state.variables) });
  state.live = t.and(state.live, again);
  if (state.live === t.no) return;
  const continues: Flow[] = [];
  m.inContext({ exits: { ...m.exits, breaks, continues } }, () => spec.body(state));
  m.joinFlows(state, [{ when: state.live, variables: state.variables }, ...continues]);
}

/** Stops unrolling at the bound. States that are still in the loop are not continued. */
function stopAt(m: Machine, state: State, spec: LoopSpec, ends: Flow[]): void {
  const { t } = m;
  const again = spec.test(state);
  m.unfinished.push(t.and(state.live, again));
  ends.push({ when: t.and(state.live, t.not(again)), variables: new Map(state.variables) });
  state.live = t.no;
}

/** The effect of one iteration from an arbitrary state, with the inferred types of the variables. */
interface Iteration {
  readonly start: State;
  readonly types: ReadonlyMap<string, readonly Type[]>;
  readonly running: Term;
  readonly left: Term | undefined;
  readonly flows: readonly Flow[];
  readonly exits: Exits;
  readonly inner: readonly Loop[];
  readonly head: Variables;
  /** The conditions under which tests and lines are reached, and the terms of all variables that were read. */
  readonly used: readonly Term[];
}

function summarise(m: Machine, state: State, spec: LoopSpec, number: number, ends: Flow[], breaks: Flow[]): void {
  const { t } = m;
  const entry = state.live;
  if (m.binders > 0) throw new Unsupported("a loop within a condition over a range", spec.line);
  const owed_before = m.obligations.length;
  const { iteration, names } = inferTypes(m, state, spec, number);
  const { start, types } = iteration;
  // An iteration begins only if the loop is running, so conditions that follow from that need not be tested again.
  const granted = new Map(
    (iteration.running.op === "and" ? iteration.running.args : [iteration.running]).map((part) => [part, t.yes]),
  );
  const codes = exitCodes(m, iteration.exits, granted);
  const status = codes.length > 0 ? t.symbol(`#status.${m.plan.side}${number}`, INT) : undefined;
  const ran = status ? t.eq(status, t.zero) : t.yes;
  const cells = [
    ...names.flatMap((name) => cellsOf(m, name, types.get(name) ?? [], number, state, iteration)),
    ...(status ? [{ name: "#status", symbol: status, first: t.zero, next: statusAfter(m, codes) }] : []),
  ];
  const running = t.and(ran, iteration.running);
  const simple = cells.map((cell) => ({ ...cell, next: t.replace(cell.next, granted) }));
  const needed_cells = neededCells(simple, spec, [
    running,
    ...innerTerms(iteration.inner),
    ...iteration.used,
    ...m.obligations.slice(owed_before).map(({ when }) => when),
  ]);
  const dropped = new Set(simple.filter((cell) => !needed_cells.includes(cell)).map(({ symbol }) => symbol));
  if (dropped.size > 0) m.dropFacts(dropped);
  const { inner, left } = iteration;
  const own = m.obligations.slice(owed_before).filter(({ place }) => place.within.at(-1) === number && !place.testing);
  const said = own.filter(({ exception, line }) => exception === "AssertionError" && spec.heads?.has(line));
  const claims = said.map((by) => ({ by, when: t.replace(by.when, granted) }));
  m.context.loops.push({
    id: number,
    line: spec.line,
    entry,
    running,
    cells: needed_cells,
    inner,
    left,
    going: ran,
    owed: [owed_before, m.obligations.length],
    claims,
    head: iteration.head,
  });
  const after = new Map(state.variables);
  for (const name of names) after.set(name, start.variables.get(name) ?? m.nothing());
  ends.push({ when: t.and(entry, ran), variables: after });
  codes.forEach((code, i) => {
    const when = t.and(entry, status ? t.eq(status, t.int(BigInt(i + 1))) : t.no);
    if (code.kind === "break") breaks.push({ when, variables: after });
    else if (code.kind === "return") {
      const value = start.variables.get(resultName(number)) ?? [];
      const known = value.filter(({ plain }) => plain.kind !== "unbound");
      m.exits.returns.push({ when, value: known, fields: fieldsIn(after), line: code.line });
    } else {
      const thrown = code.is_known
        ? undefined
        : partsOf(start.variables.get(thrownName(number))?.[0]?.plain ?? UNBOUND)[0];
      m.exits.raises.push({ when, exception: code.exception, thrown, line: code.line, variables: after });
    }
  });
  state.live = t.no;
}

function resultName(number: number): string {
  return `#returned${number}`;
}

/** Returns the variable that holds the class of an unknown exception. */
function thrownName(number: number): string {
  return `#thrown${number}`;
}

/** Executes an iteration from a state of which only the types are known. Repeats this until no new types appear. */
function inferTypes(
  m: Machine,
  state: State,
  spec: LoopSpec,
  number: number,
): { iteration: Iteration; names: string[] } {
  const results = [resultName(number), thrownName(number)];
  for (const each of results) state.variables.set(each, []);
  // Functions that an iteration calls can change any object.
  const own = new Set([...spec.names, ...fieldsIn(state.variables).keys()]);
  let names = [...own].filter((name) => state.variables.has(name)).concat(results);
  const types = new Map(names.map((name) => [name, typesOf(state.variables.get(name) ?? [])]));
  for (let round = 0; round < rounds_max; round++) {
    const mark = m.mark();
    const iteration = runOnce(m, state, spec, number, types);
    const grown = grow(types, iteration.flows, names, spec.line);
    const idle = names.filter((name) => !results.includes(name) && isIdle(m, name, iteration));
    if (!grown && idle.length === 0) return { iteration, names };
    if (!grown) {
      names = names.filter((name) => !idle.includes(name));
      for (const name of idle) types.delete(name);
    }
    m.rollBack(mark);
  }
  throw new Unsupported("loops whose variables change their types in every iteration", spec.line);
}

/** Whether no iteration changes this variable, so that it keeps its value. */
function isIdle(m: Machine, name: string, { start, flows }: Iteration): boolean {
  const before = (start.variables.get(name) ?? []).flatMap(({ plain }) => partsOf(plain));
  return flows.every(({ variables, when }) => {
    if (when === m.t.no) return true;
    const value = variables.get(name) ?? [];
    const after = value.flatMap(({ plain }) => partsOf(plain));
    const same_types =
      typesOf(value).map(typeText).join() ===
      typesOf(start.variables.get(name) ?? [])
        .map(typeText)
        .join();
    return (
      same_types && value.length === 1 && after.length === before.length && after.every((part, i) => part === before[i])
    );
  });
}

function runOnce(
  m: Machine,
  state: State,
  spec: LoopSpec,
  number: number,
  types: ReadonlyMap<string, readonly Type[]>,
): Iteration {
  const { t } = m;
  const start: State = { live: t.yes, variables: new Map(state.variables) };
  for (const [name, own] of types) start.variables.set(name, anyValue(m, name, own, number));
  const run: State = { live: t.yes, variables: new Map(start.variables) };
  const [reached, objects] = [m.reachable.length, m.objects];
  const loops: Loop[] = [];
  const reads = new Set<Term>();
  const exits = noExits();
  const head: Variables = new Map();
  const running = m.inContext({ exits, loops, reads, head, within: [...m.context.within, number] }, () =>
    runFrom(m, run, spec),
  );
  const returns = exits.returns.map(({ when, value, fields }) => ({
    when,
    variables: new Map([...start.variables, ...fields, [resultName(number), value]]),
  }));
  const ends: Flow[] = [
    { when: run.live, variables: run.variables },
    ...exits.continues,
    ...exits.breaks,
    ...returns,
    ...exits.raises.map(({ when, variables, thrown }) => ({
      when,
      variables: thrown ? new Map([...variables, [thrownName(number), always(t, opaque(thrown))]]) : variables,
    })),
  ];
  const flows = ends.map(({ when, variables }) => ({ when, variables: withoutNew(variables, objects) }));
  const used = [...m.reachable.slice(reached).map(({ when }) => when), ...reads];
  for (const read of reads) m.context.reads.add(read);
  return { start, types, running, left: spec.left?.(start), flows, exits, inner: loops, head, used };
}

/**
 * Runs the test and the body of a loop. Returns the condition that there is another iteration or the test raises an
 * exception.
 */
function runFrom(m: Machine, run: State, spec: LoopSpec): Term {
  const { t } = m;
  const again = m.inContext({ testing: true }, () => spec.test(run));
  const { loops, exits } = m.context;
  if (loops.length > 0)
    throw new Unsupported("a loop (or comprehension, `in`, any, all) in the condition of a while statement", spec.line);
  const running = t.or(...exits.raises.map(({ when }) => when), t.and(run.live, again));
  run.live = t.and(run.live, again);
  if (run.live !== t.no) spec.body(run);
  return running;
}

function typesOf(value: Value): Type[] {
  return value.map(({ plain }) => typeOf(plain));
}

/** Adds the types that an iteration produces to the known types. Returns whether there were new ones. */
function grow(types: Map<string, Type[]>, flows: readonly Flow[], names: readonly string[], line: number): boolean {
  let grown = false;
  for (const name of names) {
    const own = [...(types.get(name) ?? [])];
    for (const type of flows.flatMap(({ variables }) => typesOf(variables.get(name) ?? []))) {
      const at = own.findIndex((each) => join(each, type));
      const known = own[at];
      const joined = known ? join(known, type) : type;
      if (!joined || (known && typeText(joined) === typeText(known))) continue;
      if (known) own[at] = joined;
      else own.push(joined);
      grown = true;
    }
    if (own.length > types_max) throw new Unsupported(`a variable that can have ${own.length} types`, line);
    types.set(name, own);
  }
  return grown;
}

/** Returns an unknown value with these possible types. */
function anyValue(m: Machine, name: string, types: readonly Type[], number: number): Value {
  const { t } = m;
  const tag = t.symbol(`${name}.${m.plan.side}${number} type`, INT);
  const value = types.map((type, i) => {
    const parts = sortsOf(type).map((sort, part) =>
      t.symbol(`${name}.${m.plan.side}${number}${types.length > 1 ? `.${i}` : ""}${part > 0 ? ` ${part}` : ""}`, sort),
    );
    const plain = fromParts(t, type, parts);
    assume(m, plain);
    return { when: types.length > 1 ? t.eq(tag, t.int(BigInt(i))) : t.yes, plain };
  });
  if (types.length > 1) m.facts.push(t.and(t.le(t.zero, tag), t.lt(tag, t.int(BigInt(types.length)))));
  return value;
}

function cellsOf(
  m: Machine,
  name: string,
  types: readonly Type[],
  number: number,
  state: State,
  { start, flows }: Iteration,
): LoopVariable[] {
  const first = encode(m, state.variables.get(name) ?? [], types);
  const before = encode(m, start.variables.get(name) ?? [], types);
  const encoded = flows.map(({ when, variables }) => ({ when, parts: encode(m, variables.get(name) ?? [], types) }));
  const symbols = [
    ...(types.length > 1 ? [m.t.symbol(`${name}.${m.plan.side}${number} type`, INT)] : []),
    ...types.flatMap((_, i) => partsOf(start.variables.get(name)?.[i]?.plain ?? UNBOUND)),
  ];
  // An iteration that meets its obligations ends in one of these flows.
  const last = m.plan.by_invariants ? encoded.findLast(({ when }) => when !== m.t.no) : undefined;
  return symbols.map((symbol, part) => {
    const next = encoded.reduceRight(
      (rest, each) => (each === last ? (each.parts[part] ?? rest) : m.t.ite(each.when, each.parts[part] ?? rest, rest)),
      before[part] ?? symbol,
    );
    return { name, symbol, first: first[part] ?? symbol, next };
  });
}

/** Encodes a value as the number of its current type, followed by the terms of all possible types of the variable. */
function encode(m: Machine, value: Value, types: readonly Type[]): Term[] {
  const { t } = m;
  const at = (type: Type) => types.findIndex((each) => join(each, type));
  const tag = value.reduceRight(
    (rest, { when, plain }) => t.ite(when, t.int(BigInt(Math.max(0, at(typeOf(plain))))), rest),
    t.zero,
  );
  const parts = types.flatMap((type, i) => {
    const own = value.filter(({ plain }) => at(typeOf(plain)) === i);
    const [first, ...others] = own.map(({ when, plain }) => ({ when, parts: partsOf(widen(t, plain, type)) }));
    if (!first) return sortsOf(type).map((sort) => anyTerm(t, sort));
    // A value can have several alternatives of one type, such as two objects.
    return first.parts.map((part, k) =>
      others.reduce((rest, { when, parts: other }) => t.ite(when, other[k] ?? rest, rest), part),
    );
  });
  return types.length > 1 ? [tag, ...parts] : parts;
}

type ExitCode =
  | { readonly kind: "break"; readonly whens: Term[] }
  | { readonly kind: "return"; readonly whens: Term[]; readonly line: number }
  | {
      readonly kind: "raise";
      readonly whens: Term[];
      readonly exception: string;
      readonly line: number;
      readonly is_known: boolean;
    };

/**
 * Returns the ways in which an iteration can end the loop. The number of a way, counted from 1, is the loop's status
 * afterwards.
 */
function exitCodes({ t }: Machine, { breaks, returns, raises }: Exits, granted: ReadonlyMap<Term, Term>): ExitCode[] {
  const codes = new Map<string, ExitCode>();
  const add = (key: string, when: Term, make: (whens: Term[]) => ExitCode) => {
    const possible = t.replace(when, granted);
    const known = codes.get(key);
    if (possible === t.no) return;
    if (known) known.whens.push(possible);
    else codes.set(key, make([possible]));
  };
  for (const { when } of breaks) add("break", when, (whens) => ({ kind: "break", whens }));
  for (const { when, line } of returns) add(`return ${line}`, when, (whens) => ({ kind: "return", whens, line }));
  for (const { when, exception, line, thrown } of raises)
    add(`${exception} ${line}`, when, (whens) => ({ kind: "raise", whens, exception, line, is_known: !thrown }));
  return [...codes.values()];
}

function statusAfter({ t }: Machine, codes: readonly ExitCode[]): Term {
  return codes.reduceRight((rest, { whens }, i) => t.ite(t.or(...whens), t.int(BigInt(i + 1)), rest), t.zero);
}

function innerTerms(loops: readonly Loop[]): Term[] {
  return loops.flatMap(({ entry, running, cells, inner }) => [
    entry,
    running,
    ...cells.flatMap(({ first, next }) => [first, next]),
    ...innerTerms(inner),
  ]);
}

/**
 * Returns the cells on which anything depends. Values that an iteration uses only internally are not part of the loop's
 * state.
 */
function neededCells(cells: readonly LoopVariable[], spec: LoopSpec, roots: readonly Term[]): LoopVariable[] {
  const needed = new Set(cells.filter(({ name }) => name.startsWith("#") || spec.isReadOutside(name)));
  for (;;) {
    const used = symbolsIn([...roots, ...[...needed].map(({ next }) => next)]);
    const names = new Set(cells.filter(({ symbol }) => used.has(symbol)).map(({ name }) => name));
    const more = cells.filter((cell) => !needed.has(cell) && names.has(cell.name));
    if (more.length === 0) return cells.filter((cell) => needed.has(cell));
    for (const cell of more) needed.add(cell);
  }
}
