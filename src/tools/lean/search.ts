import { randomBytes } from "node:crypto";
import * as z from "zod/v4";
import { limits } from "../../kernel/limits.ts";
import type { Outcome } from "./outcome.ts";

/** A tactic that is being tried in the current node, with its mean log-probability. */
const Offer = z.object({ tactic: z.string(), score: z.number() });
export type Offer = z.output<typeof Offer>;

const Node = z.object({
  state: z.string(),
  depth: z.number(),
  /** The sum of the scores of the tactics that lead here. */
  sum: z.number(),
  /** `failed`: nothing that was tried in it leads anywhere. */
  status: z.enum(["open", "tried", "failed"]),
});
export type SearchNode = z.output<typeof Node>;

const Edge = z.object({ from: z.number(), tactic: z.string(), to: z.number() });

const Found = z.object({ script: z.array(z.string()), confirmed: z.boolean() });

/** A best-first search over proof states, as data: it is kept in a file between two steps. */
export const Search = z.object({
  search_id: z.string(),
  nodes: z.array(Node),
  edges: z.array(Edge),
  /** The node whose tactics are being tried, and those tactics. */
  current: z.object({ node: z.number(), offers: z.array(Offer) }).nullable(),
  found: Found.nullable(),
  /** Scripts that looked like proofs and were none. */
  rejected: z.array(z.array(z.string())),
  expanded: z.number(),
  nodes_max: z.number(),
  depth_max: z.number(),
  depth_reward: z.number(),
});
export type Search = z.output<typeof Search>;

export type Budget = Pick<Search, "nodes_max" | "depth_max" | "depth_reward">;

export function beginSearch(state: string, budget: Budget): Search {
  const root = { state, depth: 0, sum: 0, status: "open" as const };
  const search_id = randomBytes(6).toString("hex");
  return { search_id, nodes: [root], edges: [], current: null, found: null, rejected: [], expanded: 0, ...budget };
}

/** The open node that is worth the next expansion, or why there is none. */
export function nextNode(search: Search): number | "exhausted" | "budget_spent" {
  const chars = search.nodes.reduce((sum, { state }) => sum + state.length, 0);
  if (search.expanded >= search.nodes_max || chars > limits.lean_search_chars_max) return "budget_spent";
  const { nodes, depth_max, depth_reward } = search;
  const open = nodes.flatMap(({ status, depth }, at) => (status === "open" && depth < depth_max ? [at] : []));
  const [first, ...others] = open;
  if (first === undefined) return nodes.some(({ status }) => status === "open") ? "budget_spent" : "exhausted";
  const cost = (at: number) => costOf(nodes[at], depth_reward);
  return others.reduce((best, at) => (cost(at) < cost(best) ? at : best), first);
}

/** Less is better: the more a depth is rewarded, the less a long way counts against a node. */
function costOf(node: SearchNode | undefined, depth_reward: number): number {
  if (!node || node.depth === 0) return 0;
  return -node.sum / node.depth ** depth_reward;
}

/** Makes a node the current one, with the tactics to try in it. */
export function offer(search: Search, node: number, offers: readonly Offer[]): Search {
  const expanded = search.expanded + 1;
  if (offers.length === 0) return { ...settled(withStatus(search, node, "tried")), current: null, expanded };
  return { ...search, current: { node, offers: [...offers] }, expanded };
}

/** What the tactics of the current node came to: new states become nodes, known ones only get another way to them. */
export function report(search: Search, outcomes: readonly Outcome[]): Search {
  const { current } = search;
  const parent = current && search.nodes[current.node];
  if (!current || !parent) return search;
  const nodes = [...search.nodes];
  const edges = [...search.edges];
  let found: Search["found"] = null;
  const path = scriptOf(search, current.node);
  for (const { tactic, verdict, state } of outcomes) {
    const offered = current.offers.find((each) => each.tactic === tactic);
    if (!offered) continue;
    const script = [...path, tactic];
    if (verdict === "proved" || verdict === "closed") {
      const known = search.rejected.some((each) => each.join("\n") === script.join("\n"));
      // One that Lean confirmed is better than one that only looks like an end.
      if (!known && (found === null || (verdict === "proved" && !found.confirmed)))
        found = { script, confirmed: verdict === "proved" };
    }
    if (verdict !== "progress" || state === null) continue;
    const same = nodes.findIndex((node) => node.state === state);
    const to = same < 0 ? nodes.length : same;
    if (same < 0) nodes.push({ state, depth: parent.depth + 1, sum: parent.sum + offered.score, status: "open" });
    edges.push({ from: current.node, tactic, to });
  }
  return settled(withStatus({ ...search, nodes, edges, found, current: null }, current.node, "tried"));
}

/** Takes back a proof that did not hold: the search goes on without it. */
export function reject(search: Search): Search {
  if (!search.found) return search;
  return { ...search, rejected: [...search.rejected, search.found.script], found: null };
}

/** The tactics on the shortest way from the root to a node. */
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

/** Marks as failed what was tried and whose ways all lead to failed nodes, up to the root. */
function settled(search: Search): Search {
  const fails = (at: number) =>
    search.edges.every(({ from, to }) => from !== at || search.nodes[to]?.status === "failed");
  const failing = search.nodes.findIndex(({ status }, at) => status === "tried" && fails(at));
  return failing < 0 ? search : settled(withStatus(search, failing, "failed"));
}
