import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { partsOfExpression, partsOfStatement } from "../../src/prover/python/children.ts";
import type { Expression, Statement } from "../../src/prover/python/tree.ts";
import { runInPython } from "../support/prover.ts";

/** Every kind of statement and expression that the prover reads. */
const code = `
import math
from math import inf

class Point:
    x: int

def f(a, b, c):
    total, (first, *_) = a, b
    rest = other = [each for each in c if each > 0]
    rest[0] += a * 2
    pairs = [a, b]
    c[1:2:3].width = {1}
    tables = {1: a}, {each for each in c if each}, {each: a for each in c if each}
    count: int = -a if a and b else +b
    for i, each in enumerate(c):
        if i < 3 <= each:
            continue
        else:
            break
    else:
        pass
    while a > 0:
        a -= 1
    else:
        a = 1
    try:
        g(a, key=b)
    except (ValueError, KeyError) as error:
        raise RuntimeError(f"{a:>{b}}") from error
    except TypeError:
        raise
    else:
        b = sum(each for each in c)
    finally:
        c = lambda each: each
    assert a, "a message"
    return
`;

interface Node {
  readonly is: string;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "is" in value;
}

/** The nodes in a value, those of one level. */
function nodesIn(value: unknown): Node[] {
  if (isNode(value)) return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(nodesIn);
}

function withInner(node: Node): Node[] {
  return [node, ...Object.values(node).flatMap(nodesIn).flatMap(withInner)];
}

/** What belongs to another function or class, or is not evaluated. */
const without: Readonly<Record<string, readonly string[]>> = {
  FunctionDef: ["args", "body", "decorator_list", "returns"],
  ClassDef: ["bases", "keywords", "body", "decorator_list"],
  AnnAssign: ["annotation"],
};

/** The nodes of one level in the fields of a node whose names pass. */
function inFields(node: Node, passes: (field: string) => boolean): Node[] {
  const fields = Object.entries(node).filter(([name]) => passes(name) && !without[node.is]?.includes(name));
  return fields.flatMap(([, value]) => nodesIn(value));
}

const statement_kinds = new Set(kindsOf("statement_forms"));

/** The kinds that a table of the tree's schema has. */
function kindsOf(table: string): string[] {
  const source = readFileSync("src/prover/python/tree.ts", "utf8");
  const [, text = ""] = source.split(`const ${table} = `);
  const kinds = [...(text.split(/^\} as const/m)[0] ?? "").matchAll(/^ {2}(\w+): /gm)].map(([, kind = ""]) => kind);
  return kinds.filter((kind) => kind !== "Other");
}

function isStatement(node: Node): node is Statement {
  return statement_kinds.has(node.is);
}

function isExpression(node: Node): node is Expression {
  return !isStatement(node);
}

function sorted(nodes: readonly Node[]): string[] {
  return nodes.map((node) => JSON.stringify(node)).toSorted();
}

describe("the parts of a node", () => {
  let nodes: readonly Node[];
  beforeAll(async () => {
    const [run] = await runInPython([{ code, calls: [] }]);
    nodes = (run?.syntax.tree.body ?? []).flatMap(withInner).filter(({ is }) => is !== "Other");
  });

  it("are compared for every kind of node", () => {
    const kinds = [...kindsOf("statement_forms"), ...kindsOf("expression_forms")];
    expect(kinds.length).toBeGreaterThan(30);
    expect(kinds.filter((kind) => !nodes.some(({ is }) => is === kind))).toEqual([]);
  });

  it("are all that Python's tree has in it", () => {
    for (const node of nodes) {
      const { targets, tests, values, bodies } = isStatement(node)
        ? partsOfStatement(node)
        : { targets: [], tests: [], values: isExpression(node) ? partsOfExpression(node) : [], bodies: [] };
      expect(sorted([...targets, ...tests, ...values, ...bodies.flat()]), node.is).toEqual(
        sorted(inFields(node, () => true)),
      );
    }
  });

  // A walker that does not know that a statement changes a name keeps the value that the name had before.
  it("are targets where the statement binds, changes or unbinds them", () => {
    for (const node of nodes.filter(isStatement))
      expect(sorted(partsOfStatement(node).targets), node.is).toEqual(
        sorted(inFields(node, (field) => field === "target" || field === "targets")),
      );
  });
});
