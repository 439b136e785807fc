import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import { drawing } from "../../../engines/tactic/protocol.ts";
import { type Undecided, undecided } from "../../../kernel/verdict.ts";
import { lean_limits } from "../limits.ts";
import type { Outcome } from "../outcome.ts";

/** A tactic that is being tried in the current node, with its mean log-probability. */
const Offer = z.object({ tactic: z.string(), score: z.number() });
export type Offer = z.output<typeof Offer>;

const Node = z.object({
  state: z.string(),
  depth: z.number(),
  /** The sum of the scores of the tactics that lead to this node. */
  sum: z.number(),
  /** `failed`: nothing that was tried in this node leads anywhere. */
  status: z.enum(["open", "tried", "failed"]),
});
export type SearchNode = z.output<typeof Node>;

const Edge = z.object({ from: z.number(), tactic: z.string(), to: z.number() });

/** A script that leaves no goals. */
const End = z.object({ script: z.array(z.string()), confirmed: z.boolean() });

function bounded(name: string, min: number, max: number, standard: number) {
  const error = `${name} must be a number from ${min} to ${max}.`;
  return z.number({ error }).min(min, { error }).max(max, { error }).default(standard);
}

/** Lists a field as an integer, because decimals make no difference. */
function whole(field: ReturnType<typeof bounded>) {
  return field.unwrap().meta({ type: "integer" }).default(field.def.defaultValue);
}

/** The parameters of a search. */
export const Budget = z.object({
  nodes_max: whole(bounded("nodes_max", 1, lean_limits.search_nodes_max, lean_limits.search_nodes_default)),
  depth_max: whole(bounded("depth_max", 1, lean_limits.search_depth_max, lean_limits.search_depth_max)),
  depth_reward: bounded("depth_reward", 0, 4, 0),
});
export type Budget = z.output<typeof Budget>;

/** How the tactics of a search are drawn. */
export const Order = z.object({
  num_suggestions: drawing.num_suggestions,
  temperature: drawing.temperature,
  max_tokens: drawing.max_tokens,
  seed: drawing.seed,
});

/** A best-first search over proof states, as data. It is kept in a file between steps. */
export const Search = z.object({
  search_id: z.string(),
  nodes: z.array(Node),
  edges: z.array(Edge),
  /** The node whose tactics are being tried, and the tactics whose outcomes have not been reported yet. */
  current: z.object({ node: z.number(), offers: z.array(Offer) }).nullable(),
  /** The complete scripts. Scripts that Lean has confirmed come first. */
  ends: z.array(End),
  expanded: z.number(),
  budget: Budget,
  order: Order,
});
export type Search = z.output<typeof Search>;

/** Starts a search from a state. The settings can override the default parameters. */
export function beginSearch(state: string, settings: object = {}): Search {
  const root = { state, depth: 0, sum: 0, status: "open" as const };
  const search_id = randomBytes(6).toString("hex");
  const [budget, order] = [Budget.parse(settings), Order.parse(settings)];
  return { search_id, nodes: [root], edges: [], current: null, ends: [], expanded: 0, budget, order };
}

/** Returns the search with the given parameters changed. All others are kept. */
export function adjusted(search: Search, settings: object): Search {
  const { budget, order } = search;
  return { ...search, budget: Budget.parse({ ...budget, ...settings }), order: Order.parse({ ...order, ...settings }) };
}

/** Why a search can't continue: nothing is left to try, or its budget is spent. */
export type Spent = Undecided & { readonly cause: "incomplete" | "interrupted" };

const exhausted = undecided("incomplete", "no tactic is left to try");
const budget_spent = undecided("interrupted", "the search's budget is used up");

/** Returns the open node to expand next, or why there is none. */
export function nextNode(search: Search): number | Spent {
  const chars = search.nodes.reduce((sum, { state }) => sum + state.length, 0);
  const { nodes_max, depth_max, depth_reward } = search.budget;
  if (search.expanded >= nodes_max || chars > lean_limits.search_chars_max) return budget_spent;
  const { nodes } = search;
  const open = nodes.flatMap(({ status, depth }, at) => (status === "open" && depth < depth_max ? [at] : []));
  const [first, ...others] = open;
  if (first === undefined) return nodes.some(({ status }) => status === "open") ? budget_spent : exhausted;
  const cost = (at: number) => costOf(nodes[at], depth_reward);
  return others.reduce((best, at) => (cost(at) < cost(best) ? at : best), first);
}

/** Returns a node's cost: lower is better. The higher the depth reward, the smaller the penalty for a long path. */
function costOf(node: SearchNode | undefined, depth_reward: number): number {
  if (!node || node.depth === 0) return 0;
  return -node.sum / node.depth ** depth_reward;
}

/** Makes a node the current one, with the tactics to try in it. */
export function offer(search: Search, node: number, offers: readonly Offer[]): Search {
  const expanded = search.expanded + 1;
  if (offers.length === 0) return { ...markFailures(withStatus(search, node, "tried")), current: null, expanded };
  return { ...search, current: { node, offers: [...offers] }, expanded };
}

/**
 * Adds the outcomes of the current node's tactics. New states become nodes; known states only get another edge. The
 * node stays current while the outcomes of some of its tactics are missing.
 */
export function report(search: Search, outcomes: readonly Outcome[]): Search {
  const { current } = search;
  const parent = current && search.nodes[current.node];
  if (!current || !parent) return search;
  const nodes = [...search.nodes];
  const edges = [...search.edges];
  const ends = [...search.ends];
  const path = scriptOf(search, current.node);
  for (const { tactic, verdict, state } of outcomes) {
    const offered = current.offers.find((each) => each.tactic === tactic);
    if (!offered) continue;
    if (verdict === "proved" || verdict === "closed")
      ends.push({ script: [...path, tactic], confirmed: verdict === "proved" });
    if (verdict !== "progress" || state === null) continue;
    const same = nodes.findIndex((node) => node.state === state);
    const to = same < 0 ? nodes.length : same;
    if (same < 0) nodes.push({ state, depth: parent.depth + 1, sum: parent.sum + offered.score, status: "open" });
    edges.push({ from: current.node, tactic, to });
  }
  ends.sort((a, b) => Number(b.confirmed) - Number(a.confirmed));
  const offers = current.offers.filter(({ tactic }) => !outcomes.some((outcome) => outcome.tactic === tactic));
  const after = { ...search, nodes, edges, ends };
  if (offers.length > 0) return { ...after, current: { node: current.node, offers } };
  return markFailures(withStatus({ ...after, current: null }, current.node, "tried"));
}

/** Removes a proof that turned out to be wrong. The next complete script replaces it, or the search continues. */
export function reject(search: Search): Search {
  return { ...search, ends: search.ends.slice(1) };
}

/** Returns the tactics on the shortest path from the root to a node. */
export function scriptOf(search: Search, node: number): string[] {
  const ways = new Map<number, readonly string[]>([[0, []]]);
  for (const [at, way] of ways) {
    if (at === node) return [...way];
    for (const { from, tactic, to } of search.edges) if (from === at && !ways.has(to)) ways.set(to, [...way, tactic]);
  }
  throw new Error("every node was reached from the root");
}

export interface SearchCounts {
  readonly nodes: number;
  readonly open: number;
  readonly failed: number;
  readonly expanded: number;
}

export function countsOf({ nodes, expanded }: Search): SearchCounts {
  const count = (status: SearchNode["status"]) => nodes.filter((node) => node.status === status).length;
  return { nodes: nodes.length, open: count("open"), failed: count("failed"), expanded };
}

function withStatus(search: Search, node: number, status: SearchNode["status"]): Search {
  return { ...search, nodes: search.nodes.map((each, at) => (at === node ? { ...each, status } : each)) };
}

/** Marks tried nodes as failed if all their edges lead to failed nodes, up to the root. */
function markFailures(search: Search): Search {
  const fails = (at: number) =>
    search.edges.every(({ from, to }) => from !== at || search.nodes[to]?.status === "failed");
  const failing = search.nodes.findIndex(({ status }, at) => status === "tried" && fails(at));
  return failing < 0 ? search : markFailures(withStatus(search, failing, "failed"));
}
