import { isGrid, isScalar, isScalars, type Scalar, shown, treeOf } from "../json.ts";
import type { Named, ViewOf } from "../view.ts";
import type { Edge, Graph, Vertex } from "./figure.ts";
import { guessPlaces, placesOf } from "./places.ts";
import { Unfit, type Values } from "./values.ts";

const names = {
  edges: /^(edges?|arcs?|links?|adj\w*|neighbou?rs?|borders?|connections?|connected|roads?|e)$/i,
  from: /^(from|tail|src|source|u)$/i,
  to: /^(to|head|dst|dest|target|v)$/i,
  colors: /^(colou?r\w*|groups?|class(es)?|teams?|partition|component|cluster|set|c)$/i,
  chosen: /^(chosen|selected|select|used|in_\w+|takes?|taken|picked|tree|matching|cut|x|in|keep)$/i,
};

/** Guesses a graph from pairs named like edges, and from colours of the vertices that they connect. */
export function guessGraph(values: Values): ViewOf<"graph"> | undefined {
  const edges = values.find(names.edges, isEdges);
  const from = values.find(names.from, (value) => isScalars(value) && value.length > 1);
  const to = values.find(names.to, (value) => isScalars(value) && value.length > 1, [from]);
  const pairs = edges !== undefined ? { edges } : from !== undefined && to !== undefined ? { from, to } : undefined;
  if (!pairs) return undefined;
  const view = { kind: "graph" as const, ...pairs };
  const ends = pairsOf(view, values);
  const chosen = values.find(names.chosen, (value) => isChoice(value, ends.length), [edges, from, to]);
  const colors = values.find(names.colors, isColours);
  const size = colors === undefined ? undefined : sizeOf(values.get(colors));
  const places = guessPlaces(values, size ?? new Set(ends.flatMap(({ pair }) => pair)).size, [edges, colors, chosen]);
  return { ...view, ...(chosen !== undefined && { chosen }), ...(colors !== undefined && { colors }), ...places };
}

function isEdges(value: unknown): boolean {
  return isGrid(value) && value.every((each) => each.length === 2 || each.length === 3);
}

function isChoice(value: unknown, edges: number): boolean {
  if (isEdges(value)) return true;
  return (
    isScalars(value) && value.length === edges && value.every((each) => [0, 1, true, false].some((one) => one === each))
  );
}

function isColours(value: unknown): boolean {
  if (isScalars(value)) return value.length > 1;
  if (isGrid(value)) return value.every((each) => each.length === 2);
  return Object.values(treeOf(value) ?? { none: [] }).every(isScalar);
}

function sizeOf(value: unknown): number | undefined {
  return isScalars(value) ? value.length : undefined;
}

/** Builds a graph from a view. Raises `Unfit`. */
export function graphOf(view: ViewOf<"graph">, values: Values): Graph {
  const pairs = pairsOf(view, values);
  const colours = view.colors === undefined ? undefined : coloursOf(view.colors, values);
  const keys = [...pairs.flatMap(({ pair }) => pair), ...(colours instanceof Map ? colours.keys() : [])];
  const size = Array.isArray(colours) ? colours.length : undefined;
  const { vertices, indexOf } = placesOf(view, values, keys, size);
  const chosen = view.chosen === undefined ? undefined : chosenOf(view.chosen, values, pairs);
  const edges = pairs.map(
    ({ pair: [from, to], label }, i): Edge => ({
      ...{ from: indexOf(from), to: indexOf(to), label },
      ...(chosen && { is_faint: !chosen(i) }),
    }),
  );
  const refs = [view.edges, view.from, view.to, view.chosen, view.colors, view.x, view.y, view.points, view.labels];
  return {
    kind: "graph",
    title: view.title ?? (typeof view.edges === "string" ? `The graph of ${view.edges}` : "A graph"),
    vertices: coloured(vertices, colours, indexOf),
    edges: view.directed ? edges : withoutReturns(edges),
    is_directed: view.directed ?? false,
    is_ring: false,
    uses: refs.filter((ref) => typeof ref === "string"),
  };
}

interface Pair {
  readonly pair: readonly [Scalar, Scalar];
  readonly label: string | undefined;
}

function pairsOf({ edges, from, to }: ViewOf<"graph">, values: Values): readonly Pair[] {
  if (edges === undefined) {
    if (from === undefined || to === undefined) throw new Unfit("there are no edges");
    const [tails, heads] = [values.list("from", from), values.list("to", to)];
    if (tails.length !== heads.length) throw new Unfit(`from has ${tails.length} entries, but to has ${heads.length}`);
    return tails.map((tail, i) => ({ pair: [tail, heads[i] ?? null], label: undefined }));
  }
  const all = values.value("edges", edges);
  if (!isGrid(all) || !isEdges(all)) throw new Unfit("edges is not a list of pairs [from, to]");
  return all.map(([a = null, b = null, weight]) => ({
    pair: [a, b],
    label: weight === undefined ? undefined : shown(weight),
  }));
}

/** Reads the vertices' colours, which are given as a list or by vertex name. */
function coloursOf(ref: Named, values: Values): readonly Scalar[] | ReadonlyMap<Scalar, Scalar> {
  const value = values.value("colors", ref);
  if (isScalars(value) && value.length > 0) return value;
  if (isGrid(value) && value.every((each) => each.length === 2))
    return new Map(value.map(([a = null, b = null]) => [a, b]));
  const tree = Object.entries(treeOf(value) ?? {});
  const pairs = tree.flatMap(([key, colour]): [Scalar, Scalar][] => (isScalar(colour) ? [[key, colour]] : []));
  if (pairs.length > 0 && pairs.length === tree.length) return new Map(pairs);
  throw new Unfit("colors is not a list of values");
}

function coloured(
  vertices: readonly Vertex[],
  colours: readonly Scalar[] | ReadonlyMap<Scalar, Scalar> | undefined,
  indexOf: (key: Scalar) => number,
): readonly Vertex[] {
  if (colours === undefined) return vertices;
  const pairs = isScalars(colours)
    ? colours.entries()
    : [...colours].map(([key, colour]) => [indexOf(key), colour] as const);
  const by_index = new Map(pairs);
  return vertices.map((vertex, i) => ({ ...vertex, colour: by_index.get(i) }));
}

/** Returns a function that says whether the answer chose an edge, from a list of booleans or the chosen pairs. */
function chosenOf(ref: Named, values: Values, pairs: readonly Pair[]): (edge: number) => boolean {
  const value = values.value("chosen", ref);
  if (isScalars(value) && value.length === pairs.length)
    return (edge) => value[edge] === true || (typeof value[edge] === "number" && value[edge] > 0);
  if (!isGrid(value) || !isEdges(value))
    throw new Unfit(`chosen is neither a list of pairs nor a list of ${pairs.length} entries`);
  const keys = new Set(value.map(([a, b]) => JSON.stringify([a, b])));
  return (edge) => {
    const [a, b] = pairs[edge]?.pair ?? [];
    return keys.has(JSON.stringify([a, b])) || keys.has(JSON.stringify([b, a]));
  };
}

/** Removes duplicate undirected edges. */
function withoutReturns(edges: readonly Edge[]): readonly Edge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to }) => {
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}
