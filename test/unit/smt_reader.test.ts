import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Node, oneLine, readAll, walk } from "../../src/engines/smt/sexpr.ts";
import { nativeZ3 } from "../support/engines.ts";
import { endsAgree, readOrRefuse } from "../support/reader.ts";
import { mutatedScripts, shapeOf, shapesInText } from "../support/texts.ts";

const numRuns = 500;

describe("the reader of S-expressions", () => {
  it("reads what was written, whatever space and comments lie between", () => {
    const property = fc.property(shapesInText, ({ shapes, text }) => {
      expect(readAll(text).map(shapeOf)).toEqual(shapes);
    });
    fc.assert(property, { numRuns });
  });

  it("writes on one line what reads as the same", () => {
    const property = fc.property(shapesInText, ({ shapes, text }) => {
      const lines = readAll(text).map((node) => oneLine(text, node));
      expect(readAll(lines.join(" ")).map(shapeOf)).toEqual(shapes);
    });
    fc.assert(property, { numRuns });
  });

  it("knows the first and last place of each expression", () => {
    const property = fc.property(shapesInText, ({ text }) => {
      expect(differentAlone(text, readAll(text))).toEqual([]);
    });
    fc.assert(property, { numRuns });
  });

  it("knows the places of what it takes of a damaged script", () => {
    const property = fc.property(mutatedScripts, (text) => {
      expect(differentAlone(text, readOrRefuse(text) ?? [])).toEqual([]);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it("reads lists that are 200,000 deep", () => {
    const depth = 200_000;
    const text = `${"( ".repeat(depth)}x${")".repeat(depth)}`;
    const [root] = readAll(text);
    if (!root) throw new Error("one list was written");
    expect([...walk(root)]).toHaveLength(depth + 1);
    expect(oneLine(text, root)).toBe(`${"(".repeat(depth)}x${")".repeat(depth)}`);
  });

  it("measures the depth of a list of 200,000 opening parentheses", () => {
    expect(() => readAll("(".repeat(200_000))).toThrow(
      expect.objectContaining({ problem: "unclosed", openings: expect.objectContaining({ length: 200_000 }) }),
    );
  });

  const z3 = nativeZ3();
  it.skipIf(!z3)("ends each command where Z3 ends it", async () => {
    await fc.assert(endsAgree(z3 ?? ""), { numRuns: 20 });
  });
});

function everyNode(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [...walk(node)]);
}

/** Whether the text of a node, read alone, is that node. */
function isSameAlone(text: string, node: Node): boolean {
  const [alone, ...others] = readAll(text.slice(node.start, node.end));
  if (!alone || others.length > 0 || alone.kind !== node.kind) return false;
  return JSON.stringify(shapeOf(alone)) === JSON.stringify(shapeOf(node));
}

/** The texts of nodes that are not themselves when they are read alone: best an empty list. */
function differentAlone(text: string, nodes: readonly Node[]): string[] {
  return everyNode(nodes)
    .filter((node) => !isSameAlone(text, node))
    .map((node) => text.slice(node.start, node.end));
}
