import { isScalar, isScalars, type Scalar } from "../json.ts";
import type { ViewOf } from "../view.ts";
import type { Edge, Graph } from "./figure.ts";
import { guessPlaces, placesOf } from "./places.ts";
import { baseOf, isPermutation, Unfit, type Values } from "./values.ts";

const names = {
  next: /^(succ\w*|next\w*|follow\w*|circuit)$/i,
  order: /^(tours?|routes?|paths?|orders?|visits?|visit_order|cycles?|sequence|trips?)$/i,
};

/** Guesses a route by name and shape, from a list of successors or from the places in visiting order. */
export function guessRoute(values: Values): ViewOf<"route"> | undefined {
  const next = values.find(names.next, (value) => isPermutation(value) && value.length > 2);
  if (next !== undefined) {
    const { length } = values.list("next", next);
    return { kind: "route", next, ...guessPlaces(values, length, [next]) };
  }
  const order = values.find(names.order, isOrder);
  return order === undefined ? undefined : { kind: "route", order, ...guessPlaces(values, undefined, [order]) };
}

function isOrder(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const routes: readonly unknown[] = value.every(Array.isArray) ? value : [value];
  return routes.every(isRoute) && routes.some((each) => isScalars(each) && each.length > 2);
}

/** Whether all places in a list differ, except that the first and the last may be the same. */
function isRoute(value: unknown): boolean {
  if (!isScalars(value) || !value.every((each) => typeof each === "string" || Number.isInteger(each))) return false;
  const visited = value.length > 2 && value[0] === value.at(-1) ? value.slice(1) : value;
  return new Set(visited).size === visited.length;
}

/** Builds a route from a view. Raises `Unfit`. */
export function routeOf(view: ViewOf<"route">, values: Values): Graph {
  const routes = view.next === undefined ? ordersIn(view, values) : cyclesIn(values.list("next", view.next));
  const visited = routes.flat();
  const size = view.next === undefined ? undefined : values.list("next", view.next).length;
  const { vertices, indexOf } = placesOf(view, values, visited, size);
  const edges = routes.flatMap((route, number) =>
    route.slice(1).map((to, i): Edge => {
      const edge = { from: indexOf(route[i] ?? null), to: indexOf(to) };
      return routes.length === 1 ? edge : { ...edge, route: number };
    }),
  );
  if (edges.length === 0) throw new Unfit("no place has a successor other than itself");
  const source = view.next ?? view.order;
  const refs = [source, view.x, view.y, view.points, view.labels];
  return {
    kind: "graph",
    title: view.title ?? (typeof source === "string" ? `The route of ${source}` : "The route"),
    ...inOrder(vertices, edges),
    is_directed: true,
    is_ring: true,
    uses: refs.filter((ref) => typeof ref === "string"),
  };
}

/** Sorts places without coordinates by visiting order, in which they are arranged on a ring. */
function inOrder(vertices: Graph["vertices"], edges: readonly Edge[]): Pick<Graph, "vertices" | "edges"> {
  if (vertices.some(({ at }) => at)) return { vertices, edges };
  const order = [...new Set([...edges.flatMap(({ from, to }) => [from, to]), ...vertices.keys()])];
  const place = new Map(order.map((old, now) => [old, now]));
  return {
    vertices: order.flatMap((old) => vertices[old] ?? []),
    edges: edges.map((edge) => ({ ...edge, from: place.get(edge.from) ?? 0, to: place.get(edge.to) ?? 0 })),
  };
}

/** Finds the cycles among successors; a place that is its own successor is not visited. */
function cyclesIn(next: readonly Scalar[]): readonly (readonly number[])[] {
  const base = baseOf(next);
  const left = new Set(next.keys());
  const cycles: number[][] = [];
  for (const first of next.keys()) {
    const cycle: number[] = [];
    for (let place = first; left.delete(place); place = successor(next, place, base)) cycle.push(place + base);
    if (cycle.length > 1) cycles.push([...cycle, successor(next, (cycle.at(-1) ?? base) - base, base) + base]);
  }
  return cycles;
}

function successor(next: readonly Scalar[], place: number, base: number): number {
  const index = next[place];
  if (typeof index === "number" && Number.isInteger(index) && index - base >= 0 && index - base < next.length)
    return index - base;
  throw new Unfit(`next[${place + base}] is ${String(index)}, but there are ${next.length} places`);
}

/** Reads the routes in visiting order; a tour returns to its start. */
function ordersIn({ order }: ViewOf<"route">, values: Values): readonly (readonly Scalar[])[] {
  const all = order === undefined ? [] : values.value("order", order);
  if (!Array.isArray(all) || all.length === 0) throw new Unfit("order is not a list of places");
  const routes: readonly unknown[] = all.every(Array.isArray) ? all : [all];
  const is_tour = typeof order === "string" && /tour|cycle/i.test(order);
  return routes.map((route) => {
    if (!Array.isArray(route) || !route.every(isScalar)) throw new Unfit("order is not a list of places");
    const [first] = route;
    return is_tour && first !== undefined && route.length > 2 && route.at(-1) !== first ? [...route, first] : route;
  });
}
