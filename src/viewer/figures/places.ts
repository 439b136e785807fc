import { isGrid, isNumbers, isScalars, type Scalar, shown } from "../json.ts";
import type { Named, ViewOf } from "../view.ts";
import type { Point, Vertex } from "./figure.ts";
import { baseOf, numberOf, Unfit, type Values } from "./values.ts";

/** The fields of a view that describe the places in a graph or route. */
export type Placed = Pick<ViewOf<"route">, "x" | "y" | "points" | "labels">;

const names = {
  x: /^(x|xs|pos_?x|x_?(pos|coords?)|lon\w*|.*_x)$/i,
  y: /^(y|ys|pos_?y|y_?(pos|coords?)|lat\w*|.*_y)$/i,
  points: /^(coord\w*|points?|pos|positions?|loc|locations?|xy|cit(y|ies)|places?|nodes?|vertices)$/i,
  labels: /^(labels?|names?|cit(y|ies)|places?|nodes?|vertices|stops?|countr(y|ies)|regions?)$/i,
};

/**
 * Guesses the coordinates and names of `size` places from the names of values; if `size` is undefined, the number of
 * places is open.
 */
export function guessPlaces(
  values: Values,
  size: number | undefined,
  used: readonly (string | undefined)[] = [],
): Placed {
  const fits = (value: unknown) =>
    Array.isArray(value) && (size === undefined ? value.length > 1 : value.length === size);
  const points = values.find(names.points, (value) => fits(value) && isPoints(value), used);
  const labels = values.find(names.labels, (value) => fits(value) && isTexts(value), [...used, points]);
  const x = values.find(names.x, (value) => fits(value) && isNumbers(value), used);
  const y = values.find(names.y, (value) => fits(value) && isNumbers(value), used);
  return {
    ...(points !== undefined && { points }),
    ...(points === undefined && x !== undefined && y !== undefined && { x, y }),
    ...(labels !== undefined && { labels }),
  };
}

function isPoints(value: unknown): boolean {
  return isGrid(value) && value.every((each) => each.length === 2 && isNumbers(each));
}

function isTexts(value: unknown): boolean {
  return isScalars(value) && value.every((each) => typeof each === "string");
}

/** The places in a drawing, and the index of each by its key in the answer. */
export interface Places {
  readonly vertices: readonly Vertex[];
  /** Returns the index of a place. Raises `Unfit` for a key that is not a place. */
  readonly indexOf: (key: Scalar) => number;
}

/**
 * Returns the places that these keys name. If coordinates or labels are given, numeric keys are indices, counted from 0
 * if one of them is 0. Otherwise, each distinct key is a place. Raises `Unfit`.
 */
export function placesOf(view: Placed, values: Values, keys: readonly Scalar[], size?: number): Places {
  const points = pointsOf(view, values);
  const labels = view.labels === undefined ? undefined : values.list("labels", view.labels).map(shown);
  const count = points?.length ?? labels?.length ?? size;
  if (points && labels && points.length !== labels.length)
    throw new Unfit(`there are ${points.length} coordinates, but ${labels.length} labels`);
  if (count === undefined || keys.some((key) => typeof key === "string" && !labels?.includes(key)))
    return byKey(keys, points, labels);
  const base = baseOf(keys);
  const vertices = Array.from({ length: count }, (_, i) => vertex(labels?.[i] ?? String(i + base), points?.[i]));
  return {
    vertices,
    indexOf: (key) => within(count, typeof key === "number" ? key - base : (labels?.indexOf(shown(key)) ?? -1), key),
  };
}

function byKey(
  keys: readonly Scalar[],
  points: readonly Point[] | undefined,
  labels: readonly string[] | undefined,
): Places {
  const different = [...new Set(keys)];
  if (different.every((key) => typeof key === "number")) different.sort((a, b) => Number(a) - Number(b));
  const fits = different.length === (points?.length ?? labels?.length);
  const vertices = different.map((key, i) =>
    vertex((fits ? labels?.[i] : undefined) ?? shown(key), fits ? points?.[i] : undefined),
  );
  return { vertices, indexOf: (key) => within(different.length, different.indexOf(key), key) };
}

function vertex(label: string, at: Point | undefined): Vertex {
  return { label, ...(at && { at }) };
}

function within(count: number, index: number, key: Scalar): number {
  if (Number.isInteger(index) && index >= 0 && index < count) return index;
  throw new Unfit(`${shown(key)} is not a place: there are ${count}`);
}

function pointsOf({ x, y, points }: Placed, values: Values): readonly Point[] | undefined {
  if (points !== undefined) return pairsOf("points", points, values);
  if (x === undefined || y === undefined) return undefined;
  const [xs, ys] = [values.numbers("x", x), values.numbers("y", y)];
  if (xs.length !== ys.length) throw new Unfit(`x has ${xs.length} numbers, but y has ${ys.length}`);
  return xs.map((each, i) => pointAt(each, ys[i]));
}

function pairsOf(field: string, ref: Named, values: Values): readonly Point[] {
  const all = values.value(field, ref);
  if (!isGrid(all) || all.some((each) => each.length !== 2)) throw new Unfit(`${field} is not a list of pairs [x, y]`);
  return all.map(([x = null, y = null]) => pointAt(numberOf(x), numberOf(y)));
}

function pointAt(x: number | undefined, y: number | undefined): Point {
  if (x === undefined || y === undefined) throw new Unfit("a coordinate is not a finite number");
  return { x, y };
}
