import type { Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import { Atoms, type ValuesOfAtoms } from "./atoms.ts";
import type { Case } from "./run.ts";

export type Change = Case["changes"][number];

/** The values of a solution with a small change. A checker should reject them, unless the result is also a solution. */
export interface Mutant {
  /** The name of the changed value. */
  readonly name: string;
  readonly changes: readonly Change[];
}

/**
 * Returns solutions with one change each. A value is replaced by another value of the same kind, increased or decreased
 * by one, or swapped with another value; or an entry is removed from a list without a fixed length. The same values
 * always give the same mutants, which are spread evenly over the names.
 */
export function mutantsOf(values: Values, valuesOfAtoms?: ValuesOfAtoms): readonly Mutant[] {
  const draw = draws();
  const atoms = valuesOfAtoms && Atoms.of(values, valuesOfAtoms);
  const named = Object.entries(atoms?.rows ?? values);
  const singles = named.filter(([, value]) => isSingle(value)).map(([, value]) => value);
  const parts = named.map(([name, value]) => new Part(name, value, { is_list: atoms !== undefined, singles }));
  const size = parts.reduce((sum, part) => sum + part.size, 1);
  const work_max = atoms ? model_limits.mutants_atoms_max : model_limits.mutants_values_max;
  const most = Math.min(model_limits.mutants_max, Math.floor(work_max / size));
  const mutants = new Map<string, Mutant>();
  for (let i = 0; parts.length > 0 && i < draws_a_mutant * most; i++) {
    const part = parts[i % parts.length];
    const drawn = part?.change(draw);
    if (!part || !drawn) continue;
    const mutant = { name: part.name, changes: atoms ? atoms.changed(drawn) : drawn };
    mutants.set(JSON.stringify(mutant), mutant);
    if (mutants.size === most) break;
  }
  return [...mutants.values()];
}

/** Returns the values with these changes applied. */
export function valuesWith(values: Values, changes: readonly Change[]): Values {
  let whole: Record<string, unknown> = structuredClone(values);
  for (const { path, to } of changes) {
    const last = path.at(-1);
    if (last === undefined) whole = { ...Object(to) };
    else
      path.slice(0, -1).reduce<Record<string | number, unknown>>((part, step) => Object(part[step]), whole)[last] = to;
  }
  return whole;
}

const draws_a_mutant = 5;

/** Draws a number from 0 up to, but excluding, `end`. */
type Draw = (end: number) => number;

/** Returns a deterministic random number generator (Park–Miller). */
function draws(): Draw {
  let state = 42;
  return (end) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % end;
  };
}

/** A single value or a list inside a value, and its path. */
interface Place {
  readonly path: Change["path"];
  readonly value: unknown;
}

/** A named value in which one place is changed. */
class Part {
  readonly name: string;
  readonly #places: readonly Place[];
  readonly #singles: readonly unknown[];

  /**
   * `is_list`: the value's own entries can be removed. `singles`: the values of all names, used if this value has no
   * other value of its own.
   */
  constructor(name: string, value: unknown, { is_list, singles }: { is_list: boolean; singles: readonly unknown[] }) {
    this.name = name;
    this.#singles = singles;
    this.#places = [...placesIn(value, [name])].filter(
      (place) => isSingle(place.value) || (place.path.length === 1 ? is_list : isOfAnyLength(value, place)),
    );
  }

  /** The number of places where the value can be changed. */
  get size(): number {
    return this.#places.length;
  }

  change(draw: Draw): readonly Change[] | undefined {
    const place = this.#places[draw(this.#places.length)];
    if (!place) return undefined;
    const { path, value } = place;
    if (Array.isArray(value)) return [{ path, to: value.toSpliced(draw(value.length), 1) }];
    const isOther = (each: unknown) => typeof each === typeof value && each !== value;
    const others = this.#places.filter((each) => isOther(each.value));
    const other = others[draw(others.length)];
    const foreign = this.#singles.filter(isOther);
    const kind = draw(3);
    if (kind === 0 || (!other && foreign.length === 0)) return moved(place, draw);
    if (!other) return [{ path, to: foreign[draw(foreign.length)] }];
    const change = { path, to: other.value };
    return kind === 1 ? [change, { path: other.path, to: value }] : [change];
  }
}

function* placesIn(value: unknown, path: Change["path"]): Generator<Place> {
  yield { path, value };
  if (Array.isArray(value)) for (const [i, each] of value.entries()) yield* placesIn(each, [...path, i]);
  else if (!isSingle(value))
    for (const [name, each] of Object.entries(Object(value))) yield* placesIn(each, [...path, name]);
}

function isSingle(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/**
 * Changes a value slightly: negates a truth value, or increases or decreases a number. A string has no successor, so it
 * is not changed.
 */
function moved({ path, value }: Place, draw: Draw): Change[] | undefined {
  if (typeof value === "boolean") return [{ path, to: !value }];
  const steps = [1, -1, 2, -2];
  return typeof value === "number" ? [{ path, to: value + (steps[draw(steps.length)] ?? 1) }] : undefined;
}

/**
 * Whether a list is not empty and is one of several lists of different lengths. The rows of a table, in contrast, all
 * have the same length.
 */
function isOfAnyLength(whole: unknown, { path, value }: Place): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const around = path.slice(1, -1).reduce<unknown>((part, step) => Object(part)[step], whole);
  const beside: unknown[] = Object.values(Object(around));
  return !beside.every((each) => Array.isArray(each) && each.length === value.length);
}
