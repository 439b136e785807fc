import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { anchorOf, anchorsOf, linksOf } from "../../scripts/markdown.mjs";

const under = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
    .map((file) => join(folder, file));
const documents = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...["docs", "examples", "problems", "src", "test", "action", "plugins"].flatMap(under),
];

describe("the documents", () => {
  it("link to files and headings that exist", () => {
    const links = documents.flatMap((document) =>
      linksOf(readFileSync(document, "utf8")).map((link) => ({ document, link })),
    );
    const dead = links.filter(({ document, link }) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? document : normalize(join(dirname(document), path));
      if (!existsSync(target)) return true;
      if (anchor === undefined) return false;
      return statSync(target).isDirectory() || !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
    });
    expect(links.length).toBeGreaterThan(100);
    expect(dead).toEqual([]);
  });

  it("have anchors as GitHub makes them", () => {
    expect(anchorOf("Where a model's program runs")).toBe("where-a-models-program-runs");
    expect(anchorOf("`solve`: Solve a whole model")).toBe("solve-solve-a-whole-model");
  });
});
