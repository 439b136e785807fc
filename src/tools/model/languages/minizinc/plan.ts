import type { Type } from "../../../../engines/minizinc/read.ts";
import { quoted } from "../../../../evidence/minizinc/tokens.ts";
import { isObject } from "../../../../kernel/arguments.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { limits } from "../../../../kernel/limits.ts";
import { cut } from "../../../../kernel/text/cut.ts";
import type { Values } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { nested, Weights } from "../../plans/paths.ts";
import type { Keep } from "../questions/question.ts";

/** A plan's values, written as constraints. */
export interface PlanItem {
  readonly text: string;
  readonly over: readonly string[];
  /** Names that are left out because their types can't be written. */
  readonly left_out: readonly string[];
}

type Types = Readonly<Record<string, Type>>;

/**
 * Writes constraints that fix variables to the given values, which have the same form as an answer. Null leaves a value
 * open; for an optional variable, it means absent. Floats are compared with a tolerance of a millionth, since answers
 * round them. Raises `invalid_argument` for other names and forms.
 */
export function planItem(plan: Values, types: Types): PlanItem {
  const { cells, over, left_out } = cellsOf(plan, { types });
  return { text: cells.map(({ text }) => `constraint ${text};`).join("\n"), over, left_out };
}

/** The name of the variable for the cost of changes. */
export const changes_name = "changes_by_verdict";

/** The information about a model that is needed to keep a plan. */
export interface KeepContext {
  readonly types: Types;
  /** The objective's text. */
  readonly objective: string;
  /** The index names for each array, as far as they are known. */
  readonly indices: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Returns the members of an enum, if they are known. */
  readonly membersOf: (name: string) => readonly string[] | undefined;
}

/**
 * Defines a variable for the cost of changes to a plan, which has the same form as for `planItem`. Names and enum
 * members in an earlier solution that no longer exist in the model are left out. Raises the same faults as `planItem`,
 * and `invalid_argument` for weights that match nothing.
 */
export function keepItem({ values, weights: by_name, is_earlier }: Keep, context: KeepContext): PlanItem {
  const skipped: string[] = [];
  const weights = new Weights(by_name);
  // The objective's value is left out, since it follows from the other values.
  const { [context.objective]: of_objective, ...others } = values;
  const has_objective = of_objective !== undefined && weights.at([context.objective]) === undefined;
  if (has_objective) skipped.push(context.objective);
  const { cells, over, left_out } = cellsOf(has_objective ? others : values, {
    ...context,
    ...(is_earlier && { skipped }),
  });
  const costs = cells.flatMap(({ steps, text }) => {
    if (!steps) return [];
    const weight = weights.at(steps) ?? 1;
    return weight === 0 ? [] : [{ weight, text }];
  });
  weights.expectUsed(skipped);
  const sizes = cells.flatMap(({ steps, text }) => (steps ? [] : [`constraint ${text};`]));
  const most = costs.reduce((sum, { weight }) => sum + weight, 0);
  const terms = costs.map(({ weight, text }) => `${weight} * bool2int(not (${text}))`).join(", ");
  const variable = `var 0..${most}: ${changes_name} = sum([${terms}]);`;
  return { text: [...sizes, variable].join("\n"), over, left_out: [...left_out, ...skipped] };
}

/** A condition on one value, with the keys of that value's path; without keys, a condition on the form of the plan. */
interface Cell {
  readonly steps?: readonly string[];
  readonly text: string;
}

interface Reading extends Partial<Omit<KeepContext, "objective">> {
  readonly types: Types;
  /** Collects the paths of parts that do not exist in the model; if undefined, such a part raises a fault. */
  readonly skipped?: string[];
}

function cellsOf(plan: Values, reading: Reading): Omit<PlanItem, "text"> & { readonly cells: readonly Cell[] } {
  const { types, skipped } = reading;
  const named = Object.entries(plan).map(([written, value]) => {
    const path = Object.hasOwn(types, written) ? undefined : nested(written, value);
    return path && Object.hasOwn(types, path.name) ? path : { name: written, value };
  });
  const unknown = named.filter(({ name }) => !Object.hasOwn(types, name)).map(({ name }) => name);
  if (unknown.length > 0 && !skipped)
    throw new Fault("invalid_argument", `The model has no variable ${JSON.stringify(unknown[0])}.`, [
      `use its names: ${Object.keys(types).slice(0, model_limits.names_listed_max).join(", ")}`,
      "leave out a value that the solver should choose",
    ]);
  skipped?.push(...unknown);
  const known = named.flatMap(({ name, value }) => {
    const type = types[name];
    return type ? [{ name, value, type }] : [];
  });
  const canCompare = ({ type }: Type) => !/^(?:tuple|record|string|ann)$/.test(type);
  const cells = known
    .filter(({ type }) => canCompare(type))
    .flatMap(({ name, value, type }) => constraintsOf(value, { name, type, path: name, steps: [name], reading }));
  const namesOf = (all: typeof known) => [...new Set(all.map(({ name }) => name))];
  return {
    cells,
    over: namesOf(known.filter(({ type }) => canCompare(type))),
    left_out: namesOf(known.filter(({ type }) => !canCompare(type))),
  };
}

interface Place {
  readonly name: string;
  readonly type: Type;
  /** The path for display, such as `x[0][2]`. */
  readonly path: string;
  readonly steps: readonly string[];
  readonly reading: Reading;
}

function constraintsOf(value: unknown, place: Place): Cell[] {
  const { name, type } = place;
  if (value === null && (type.dim > 0 || !type.optional)) return [];
  if (type.dim === 0) return cell(quoted(name), value, place);
  return Array.isArray(value) ? ofLists(value, place) : ofKeys(value, place, []);
}

/** Reads nested lists, which represent arrays in answers; their lengths must match the index sets. */
function ofLists(value: readonly unknown[], place: Place): Cell[] {
  const { name, type } = place;
  const names = place.reading.indices?.[name] ?? [];
  const lengths: number[] = [];
  let cells: { readonly cell: unknown; readonly path: string; readonly steps: readonly string[] }[] = [
    { cell: value, path: place.path, steps: place.steps },
  ];
  for (let depth = 0; depth < type.dim; depth++) {
    const [{ cell: first } = { cell: [] }] = cells;
    const length = Array.isArray(first) ? first.length : 0;
    lengths.push(length);
    cells = cells.flatMap(({ cell, path, steps }) => {
      if (!Array.isArray(cell) || cell.length !== length) throw unfit(cell, { ...place, path }, arrayWords(type));
      return cell.map((each: unknown, i) => ({
        cell: each,
        path: `${path}[${i}]`,
        steps: [...steps, names[depth]?.[i] ?? String(i)],
      }));
    });
  }
  const sizes = lengths.map(
    (_, i) => `card(index_set${type.dim === 1 ? "" : `_${i + 1}of${type.dim}`}(${quoted(name)}))`,
  );
  const message = `The plan has ${lengths.join(" times ")} values for ${name}, but the model has a different number.`;
  return [
    { text: `assert([${sizes.join(", ")}] = [${lengths.join(", ")}], "${message}")` },
    ...cells.flatMap(({ cell: value, path, steps }, i) =>
      value === null && !type.optional
        ? []
        : cell(`array1d(${quoted(name)})[${i + 1}]`, value, { ...place, path, steps }),
    ),
  ];
}

/** Reads an object that has some of an array's elements, with the model's own indices as keys. */
function ofKeys(value: unknown, place: Place, indices: readonly string[]): Cell[] {
  if (indices.length === place.type.dim)
    return value === null && !place.type.optional
      ? []
      : cell(`${quoted(place.name)}[${indices.join(", ")}]`, value, place);
  if (!isObject(value) || Array.isArray(value)) throw unfit(value, place, arrayWords(place.type));
  return Object.entries(value).flatMap(([key, each]) => {
    const inner = { ...place, path: `${place.path}.${key}`, steps: [...place.steps, key] };
    if (isSkipped(key, place.type.dims[indices.length], inner)) return [];
    return ofKeys(each, inner, [...indices, /^-?\d+$/.test(key) ? key : elementOf(key, inner)]);
  });
}

/** Whether an enum member in an earlier solution no longer belongs to its enum. */
function isSkipped(member: unknown, of: string | undefined, { path, reading }: Place): boolean {
  const { skipped, membersOf } = reading;
  if (!skipped || of === undefined || typeof member !== "string") return false;
  const is_gone = membersOf?.(of)?.includes(member) === false;
  if (is_gone) skipped.push(path);
  return is_gone;
}

function cell(variable: string, value: unknown, place: Place): Cell[] {
  const { type, steps } = place;
  if (!type.set && isSkipped(value, type.enum_type, place)) return [];
  return [{ steps, text: equation(variable, value, place) }];
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

/** Writes an enum member; its name can contain a constructor, as in `C(3)`. */
function elementOf(value: unknown, place: Place): string {
  const name = isObject(value) && typeof value["e"] === "string" ? value["e"] : value;
  if (typeof name === "string" && /^[A-Za-z]\w*(?:\((?:-?\d+|[A-Za-z]\w*)\))?$/.test(name)) return name;
  if (typeof name === "string" && /^[^'"\\\p{C}\p{Zl}\p{Zp}]+$/u.test(name)) return `'${name}'`;
  throw unfit(value, place, `name of a member of ${place.type.enum_type ?? "the index set"}`);
}

function arrayWords({ dim }: Type): string {
  return dim === 1 ? "list of values, one for each index" : `list of lists (${dim} levels), one value for each index`;
}

function unfit(value: unknown, { path }: Place, expected: string): Fault {
  const shown = cut(JSON.stringify(value) ?? "nothing", limits.fault_quote_chars_max);
  return new Fault(
    "invalid_argument",
    `The plan's value of ${path} has the wrong form. Expected: ${expected}. Given: ${shown}.`,
    [
      "write it in the form used by this model's answers",
      "write null for a value that the solver should choose, or omit the name",
    ],
  );
}
