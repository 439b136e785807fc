import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeEnd, startOfScan } from "../../src/engines/smt/scan.ts";
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

  it("knows from where to where each expression stands", () => {
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

  it("tells how deep a list of 200,000 opening parentheses is", () => {
    expect(() => readAll("(".repeat(200_000))).toThrow(
      expect.objectContaining({ problem: "unclosed", openings: expect.objectContaining({ length: 200_000 }) }),
    );
  });

  const z3 = nativeZ3();
  it.skipIf(!z3)("ends each command where Z3 ends it", async () => {
    await fc.assert(endsAgree(z3 ?? ""), { numRuns: 60 });
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

/** What a host that gets a text in these pieces passes on. */
function passedOn(pieces: readonly string[]) {
  let state = startOfScan();
  let pending = "";
  let complete = "";
  for (const piece of pieces) {
    const scanned = completeEnd(piece, state);
    state = scanned.state;
    if (scanned.end > 0) {
      complete += pending + piece.slice(0, scanned.end);
      pending = piece.slice(scanned.end);
    } else pending += piece;
  }
  return { complete, pending, state };
}

function cut(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return cuts.slice(1).map((end, i) => text.slice(cuts[i], end));
}

describe("the scan of a stream", () => {
  const texts = fc.oneof(
    shapesInText.map(({ text }) => text),
    mutatedScripts,
  );
  const places = fc.array(fc.nat(5_000), { maxLength: 20 });

  it("finds the same complete commands however the stream is cut", () => {
    const property = fc.property(texts, places, (text, at) => {
      expect(passedOn(cut(text, at))).toEqual(passedOn([text]));
    });
    fc.assert(property, { numRuns });
  });

  it("is complete where the last list ends that the reader finds", () => {
    const property = fc.property(texts, (text) => {
      const nodes = readOrRefuse(text);
      fc.pre(nodes !== undefined);
      const end = nodes.findLast((node) => node.kind === "list")?.end ?? 0;
      expect(completeEnd(text, startOfScan())).toEqual({ end, state: stateAfter(text) });
    });
    fc.assert(property, { numRuns });
  });
});

/** A text that reads well ends outside of everything, but for a comment on its last line. */
function stateAfter(text: string) {
  const last = readAll(text).at(-1)?.end ?? 0;
  const comment = /;[^\n]*$/.test(text.slice(last));
  return { depth: 0, inside: comment ? "comment" : "text" };
}
