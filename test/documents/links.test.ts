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

  it("name source files that exist: in the folder of a README or below, or by their path", () => {
    const readmes = ["src", "python", "test"].flatMap(under).filter((file) => file.endsWith("README.md"));
    const named = [...readmes, "ARCHITECTURE.md", "CONTRIBUTING.md"].flatMap((document) => {
      const text = readFileSync(document, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
      const folders = document.endsWith("README.md") ? [dirname(document)] : ["src", "python", "scripts", "test"];
      const own = folders.flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `/${file}`),
      );
      return [...text.matchAll(/`(?:\.\/)?([\w./-]+\.(?:ts|py|mjs))`/g)].map(([, name = ""]) => ({
        document,
        name,
        own,
      }));
    });
    const dead = named.filter(
      ({ document, name, own }) =>
        !existsSync(name) &&
        !existsSync(join(dirname(document), name)) &&
        !own.some((file) => file.endsWith(`/${name}`)) &&
        !name.includes("NAME"),
    );
    expect(named.length).toBeGreaterThan(500);
    expect(dead.map(({ document, name }) => `${document}: ${name}`)).toEqual([]);
  });

  it("have anchors as GitHub makes them", () => {
    expect(anchorOf("Where a model's program runs")).toBe("where-a-models-program-runs");
    expect(anchorOf("`solve`: Solve a whole model")).toBe("solve-solve-a-whole-model");
  });
});
