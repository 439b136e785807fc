/**
 * Models objects and their fields. An object that can be changed is identified by its number, and its fields are
 * variables of the state. Any other object is a record, which consists of the values of its fields.
 */

import { always, classOf, merge, type Plain, typeOf, typeText, UNBOUND, type Value } from "../logic/values.ts";
import type { Class } from "../python/classes.ts";
import { Unsupported } from "../python/refusal.ts";
import type { Expression } from "../python/tree.ts";
import type { Machine } from "./machine.ts";
import { fieldName, type State, type Variables } from "./parts.ts";

type AttributeNode = Extract<Expression, { is: "Attribute" }>;
type Made = Extract<Plain, { kind: "object" }>;

/** The id of objects that an earlier loop iteration created. Nothing is known about their fields. */
const gone = "of an earlier iteration";
const fields_combined_max = 16;

/** Whether the program's functions change objects of a class after their creation. */
export function isChanged(m: Machine, { fields, is_frozen }: Class): boolean {
  return !is_frozen && fields.some(({ name }) => m.program.changed.has(name));
}

/** Creates an object whose fields are all unset. */
export function newObject(m: Machine, state: State, of: Class): Made {
  const id = `#${m.makeObject()}`;
  for (const { name } of of.fields) state.variables.set(fieldName(id, name), always(m.t, UNBOUND));
  return { kind: "object", id, of };
}

/** Handles each possible value in a separate branch, in which it can change objects. */
export function byChoice(m: Machine, state: State, value: Value, work: (plain: Plain, state: State) => Value): Value {
  const [first, ...rest] = value.filter(({ plain }) => plain.kind !== "unbound");
  if (!first || state.live === m.t.no) return m.nothing();
  if (rest.length === 0) return work(first.plain, state);
  const results = m.branch(
    state,
    first.when,
    (own) => work(first.plain, own),
    (own) => byChoice(m, own, rest, work),
  );
  return merge(m.t, first.when, results.yes ?? m.nothing(), results.no ?? m.nothing());
}

/**
 * Returns a field of an object; undefined if the class has no such field. Raises AttributeError if the field is not
 * set.
 */
export function fieldOf(m: Machine, state: State, plain: Plain, name: string, line: number): Value | undefined {
  const at = classOf(plain)?.fields.findIndex((each) => each.name === name) ?? -1;
  if (at < 0) return undefined;
  if (plain.kind === "tuple" || plain.kind === "record") return always(m.t, plain.items[at] ?? UNBOUND);
  if (plain.kind !== "object") return undefined;
  const value = state.variables.get(fieldName(plain.id, name));
  if (!value) throw new Unsupported("objects that an earlier iteration of a loop made", line);
  for (const { when, plain: one } of value) {
    if (one.kind === "unbound") m.raise(state, when, "AttributeError", line);
  }
  const set = value.filter(({ plain: one }) => one.kind !== "unbound");
  return set.length > 0 ? set : m.nothing();
}

/** Sets a field of an object. */
export function setField(m: Machine, state: State, plain: Plain, name: string, value: Value, line: number): void {
  if (m.binders > 0) throw new Unsupported("changes of objects within a condition over a range", line);
  if (plain.kind !== "object" || !plain.of.fields.some((each) => each.name === name))
    throw new Unsupported(`assignments to the attribute ${name} of a value of type ${typeText(typeOf(plain))}`, line);
  if (plain.of.is_frozen) throw new Unsupported(`assignments to attributes of the frozen class ${plain.of.name}`, line);
  const field = fieldName(plain.id, name);
  if (!state.variables.has(field)) throw new Unsupported("objects that an earlier iteration of a loop made", line);
  state.variables.set(field, value);
}

/** Runs work on the list in a field as if a variable held the list, and stores the resulting list in the field. */
export function inField(
  m: Machine,
  state: State,
  { value: object, ...node }: AttributeNode,
  work: (state: State, list: Extract<Expression, { is: "Name" }>) => Value,
): Value {
  const { attr, line } = node;
  return byChoice(m, state, m.evaluate(state, object), (plain, own) => {
    const before = fieldOf(m, own, plain, attr, line);
    if (plain.kind !== "object" || !before) throw new Unsupported(`in-place changes of the attribute ${attr}`, line);
    const held = m.hidden("held");
    const field = fieldName(plain.id, attr);
    const stored = own.variables.get(field);
    own.variables.set(held, before);
    m.frame.scopes.push({ names: new Map([[held, held]]), nested: false });
    const result = work(own, { ...node, is: "Name", id: held });
    m.frame.scopes.pop();
    const after = own.variables.get(held) ?? before;
    own.variables.delete(held);
    if (own.live === m.t.no) return m.nothing();
    // Code that ran in the meantime could have changed the same list.
    if (own.variables.get(field) !== stored)
      throw new Unsupported(`changes of the attribute ${attr} within each other`, line);
    setField(m, own, plain, attr, after, line);
    return result;
  });
}

/** Whether an attribute of a variable is a list, so that a method called on it is not one that the program defines. */
export function isListField(m: Machine, { variables }: State, { value, attr }: AttributeNode): boolean {
  const variable = value.is === "Name" ? m.variableOf(value.id) : undefined;
  const objects = variable === undefined ? [] : (variables.get(variable) ?? []);
  const lists = objects.map(({ plain }) =>
    plain.kind === "object" ? variables.get(fieldName(plain.id, attr)) : undefined,
  );
  return lists.length > 0 && lists.every((list) => list?.every(({ plain }) => plain.kind === "sequence"));
}

/** Returns a value with one alternative for each combination of the possible values. */
export function combined(
  m: Machine,
  values: readonly Value[],
  make: (items: readonly Plain[]) => Plain,
  line: number,
): Value {
  const { t } = m;
  let all: { when: Value[number]["when"]; items: Plain[] }[] = [{ when: t.yes, items: [] }];
  for (const value of values)
    all = all.flatMap(({ when, items }) =>
      value.map((choice) => ({ when: t.and(when, choice.when), items: [...items, choice.plain] })),
    );
  const possible = all.filter(({ when }) => when !== t.no);
  if (possible.length > fields_combined_max) throw new Unsupported("objects whose fields can have many types", line);
  return possible.map(({ when, items }) => ({ when, plain: make(items) }));
}

/** Returns a record of the current field values of an object. If `deep`, objects in the fields become records too. */
export function recordOf(m: Machine, state: State, plain: Made, line: number, deep = false): Value {
  const own = deep ? { ...state, variables: new Map(state.variables) } : state;
  const fields = plain.of.fields.map(({ name }) => {
    const field = fieldName(plain.id, name);
    const value = own.variables.get(field);
    if (!value || value.some((each) => each.plain.kind === "unbound"))
      throw new Unsupported(`a value of type ${plain.of.name} whose attribute ${name} may not be set`, line);
    if (!deep) return value;
    // An object that contains itself has no record.
    own.variables.delete(field);
    const inside = asRecords(m, own, value, line);
    own.variables.set(field, value);
    return inside;
  });
  return combined(m, fields, (items) => ({ kind: "record", of: plain.of, items }), line);
}

/** Replaces the objects in a value by records. */
export function asRecords(m: Machine, state: State, value: Value, line: number): Value {
  return value.flatMap(({ when, plain }) => {
    const inner: Value =
      plain.kind === "object"
        ? recordOf(m, state, plain, line, true)
        : plain.kind === "tuple" || plain.kind === "record"
          ? combined(
              m,
              plain.items.map((each) => asRecords(m, state, always(m.t, each), line)),
              (items) => ({ ...plain, items }),
              line,
            )
          : always(m.t, plain);
    return inner.map((each) => ({ when: m.t.and(when, each.when), plain: each.plain }));
  });
}

/** Returns the variables after a loop iteration. The objects that the iteration created are unknown in the next one. */
export function withoutNew(variables: Variables, before: number): Variables {
  return new Map(
    [...variables].map(([name, value]) => [
      name,
      value.map((each) => ({ ...each, plain: forgotten(each.plain, before) })),
    ]),
  );
}

function forgotten(plain: Plain, before: number): Plain {
  if (plain.kind === "object" && Number(plain.id.slice(1)) > before) return { ...plain, id: gone };
  if (plain.kind !== "tuple" && plain.kind !== "record") return plain;
  return { ...plain, items: plain.items.map((each) => forgotten(each, before)) };
}
