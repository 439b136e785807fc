/** A directed graph, given as the nodes that each node points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Numbers the strongly connected component of each node: two nodes get the same number if each can be reached from the
 * other. Takes linear time, without recursion (Kosaraju's algorithm: Aho, Hopcroft and Ullman, Data Structures and
 * Algorithms, section 6.7).
 */
export function componentsOf(graph: Graph): Map<string, number> {
  const backwards = new Map<string, Set<string>>();
  for (const [from, targets] of graph)
    for (const to of targets) backwards.set(to, (backwards.get(to) ?? new Set()).add(from));
  const components = new Map<string, number>();
  for (const [number, root] of finished(graph).reverse().entries()) {
    if (components.has(root)) continue;
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (components.has(node)) continue;
      components.set(node, number);
      open.push(...(backwards.get(node) ?? []));
    }
  }
  return components;
}

/** All nodes in postorder: each follows the nodes first reached from it. */
function finished(graph: Graph): string[] {
  const order: string[] = [];
  const seen = new Set<string>();
  for (const root of graph.keys()) {
    if (seen.has(root)) continue;
    seen.add(root);
    const path = [{ node: root, targets: targetsOf(graph, root) }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { value: next } = last.targets.next();
      if (next === undefined) order.push(path.pop()?.node ?? "");
      else if (!seen.has(next)) {
        seen.add(next);
        path.push({ node: next, targets: targetsOf(graph, next) });
      }
    }
  }
  return order;
}

function targetsOf(graph: Graph, node: string): Iterator<string, undefined> {
  return (graph.get(node) ?? new Set<string>()).values();
}
