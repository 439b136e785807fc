import type { Type } from "../../../../engines/minizinc/interface.ts";
import { isObject } from "../../../../kernel/arguments.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { limits } from "../../../../kernel/limits.ts";
import { cut } from "../../../../kernel/text/cut.ts";
import type { Values } from "../../language.ts";
import { model_limits } from "../../limits.ts";

/** The values of a plan as constraints. */
export interface PlanItem {
  readonly text: string;
  readonly over: readonly string[];
  /** Names whose types can't be written. */
  readonly left_out: readonly string[];
}

type Types = Readonly<Record<string, Type>>;

/**
 * Constraints that give these values, in the form of an answer, to the variables. Null leaves a value open, except of an
 * optional variable: there it means absent. Floats are compared up to a millionth, since answers round them. Raises
 * `invalid_argument` for other names and forms.
 */
export function planItem(plan: Values, types: Types): PlanItem {
  const unknown = Object.keys(plan).find((name) => !Object.hasOwn(types, name));
  if (unknown !== undefined)
    throw new Fault("invalid_argument", `The model has no variable ${JSON.stringify(unknown)}.`, [
      `use its names: ${Object.keys(types).slice(0, model_limits.names_listed_max).join(", ")}`,
      "leave a value out that is to be chosen",
    ]);
  const left_out = Object.keys(plan).filter(
    (name) => types[name] && /^(?:tuple|record|string|ann)$/.test(types[name].type),
  );
  const over = Object.keys(plan).filter((name) => !left_out.includes(name));
  const constraints = over.flatMap((name) => {
    const type = types[name];
    return type ? constraintsOf(plan[name], { name, type, path: name }) : [];
  });
  return { text: constraints.map((each) => `constraint ${each};`).join("\n"), over, left_out };
}

interface Place {
  readonly name: string;
  readonly type: Type;
  /** For people: `x[0][2]`. */
  readonly path: string;
}

function constraintsOf(value: unknown, place: Place): string[] {
  const { name, type } = place;
  if (value === null && (type.dim > 0 || !type.optional)) return [];
  if (type.dim === 0) return [equation(quoted(name), value, place)];
  return Array.isArray(value) ? ofLists(value, place) : ofKeys(value, place, []);
}

/** Nested lists, as answers show arrays: their lengths must be those of the index sets. */
function ofLists(value: readonly unknown[], place: Place): string[] {
  const { name, type } = place;
  const lengths: number[] = [];
  let cells: { readonly cell: unknown; readonly path: string }[] = [{ cell: value, path: place.path }];
  for (let depth = 0; depth < type.dim; depth++) {
    const [{ cell: first } = { cell: [] }] = cells;
    const length = Array.isArray(first) ? first.length : 0;
    lengths.push(length);
    cells = cells.flatMap(({ cell, path }) => {
      if (!Array.isArray(cell) || cell.length !== length) throw unfit(cell, { ...place, path }, arrayWords(type));
      return cell.map((each: unknown, i) => ({ cell: each, path: `${path}[${i}]` }));
    });
  }
  const sizes = lengths.map(
    (_, i) => `card(index_set${type.dim === 1 ? "" : `_${i + 1}of${type.dim}`}(${quoted(name)}))`,
  );
  const message = `The plan has ${lengths.join(" times ")} values of ${name}, and the model has another number.`;
  return [
    `assert([${sizes.join(", ")}] = [${lengths.join(", ")}], "${message}")`,
    ...cells.flatMap(({ cell, path }, i) =>
      cell === null && !type.optional ? [] : [equation(`array1d(${quoted(name)})[${i + 1}]`, cell, { ...place, path })],
    ),
  ];
}

/** Objects with the model's own indices as keys: some of the elements of an array. */
function ofKeys(value: unknown, place: Place, indices: readonly string[]): string[] {
  if (indices.length === place.type.dim)
    return value === null && !place.type.optional
      ? []
      : [equation(`${quoted(place.name)}[${indices.join(", ")}]`, value, place)];
  if (!isObject(value) || Array.isArray(value)) throw unfit(value, place, arrayWords(place.type));
  return Object.entries(value).flatMap(([key, each]) => {
    const path = `${place.path}.${key}`;
    const index = /^-?\d+$/.test(key) ? key : elementOf(key, { ...place, path });
    return ofKeys(each, { ...place, path }, [...indices, index]);
  });
}

function equation(variable: string, value: unknown, place: Place): string {
  const { type } = place;
  if (type.optional && value === null) return `absent(${variable})`;
  const present = type.optional ? `deopt(${variable})` : variable;
  const is = type.set ? `${present} = ${setOf(value, place)}` : scalarEquation(present, value, place);
  return type.optional ? `(occurs(${variable}) /\\ ${is})` : is;
}

function scalarEquation(variable: string, value: unknown, place: Place): string {
  const text = scalarOf(value, place);
  if (place.type.type !== "float") return `${variable} = ${text}`;
  const near = (Math.max(1, Math.abs(Number(value))) * float_distance).toExponential(6);
  return `(${variable} <= ${text} + ${near} /\\ ${variable} >= ${text} - ${near})`;
}

const float_distance = 1e-6;

function scalarOf(value: unknown, place: Place): string {
  const { type } = place;
  if (type.enum_type !== undefined) return elementOf(value, place);
  if (type.type === "bool" && (typeof value === "boolean" || value === 0 || value === 1)) return String(Boolean(value));
  if (type.type === "int" && typeof value === "boolean") return value ? "1" : "0";
  const is_whole = Number.isSafeInteger(value) || (typeof value === "string" && /^-?\d{1,19}$/.test(value));
  if (type.type === "int" && is_whole) return `(${String(value)})`;
  if (type.type === "float" && typeof value === "number") return `(${value.toFixed(12)})`;
  throw unfit(value, place, type.type);
}

function setOf(value: unknown, place: Place): string {
  const all = isObject(value) && Array.isArray(value["set"]) ? value["set"] : value;
  if (!Array.isArray(all)) throw unfit(value, place, "list of the elements of a set");
  const of = { ...place, type: { ...place.type, set: false, optional: false } };
  const single = all.filter((each) => !Array.isArray(each)).map((each) => scalarOf(each, of));
  const ranges = all.filter(Array.isArray).map((ends: readonly unknown[]) => {
    if (ends.length !== 2) throw unfit(ends, place, "range of two numbers");
    return `(${ends.map((end) => scalarOf(end, of)).join("..")})`;
  });
  return `(${[`{${single.join(", ")}}`, ...ranges].join(" union ")})`;
}

/** A member of an enum by its name; `C(3)` is one that a constructor makes. */
function elementOf(value: unknown, place: Place): string {
  const name = isObject(value) && typeof value["e"] === "string" ? value["e"] : value;
  if (typeof name === "string" && /^[A-Za-z]\w*(?:\((?:-?\d+|[A-Za-z]\w*)\))?$/.test(name)) return name;
  if (typeof name === "string" && /^[^'"\\\p{C}\p{Zl}\p{Zp}]+$/u.test(name)) return `'${name}'`;
  throw unfit(value, place, `name of a member of ${place.type.enum_type ?? "the index set"}`);
}

function arrayWords({ dim }: Type): string {
  return dim === 1 ? "list of values, one for each index" : `list of lists (${dim} levels), one value for each index`;
}

/** A name as the source writes it. */
export function quoted(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : `'${name}'`;
}

function unfit(value: unknown, { path }: Place, expected: string): Fault {
  const shown = cut(JSON.stringify(value) ?? "nothing", limits.fault_quote_chars_max);
  return new Fault(
    "invalid_argument",
    `The plan's value of ${path} has the wrong form. Expected: ${expected}. Given: ${shown}.`,
    [
      "give it in the form in which answers of this model show it",
      "write null in the place of a value that is to be chosen, or leave the name out",
    ],
  );
}
