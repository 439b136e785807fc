import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mapProse } from "../../scripts/markdown.mjs";
import { faultsOf } from "../../scripts/site_check.mjs";
import { removeDirectory } from "../support/directories.ts";

/** The faults of a site of these pages. */
function faults(pages: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "verdict-site-"));
  onTestFinished(() => removeDirectory(folder));
  mkdirSync(join(folder, "sub"));
  for (const [name, html] of Object.entries(pages)) writeFileSync(join(folder, name), html);
  return faultsOf(folder, "/verdict/").map((fault) => fault.slice(folder.length + 1));
}

describe("the check of the site", () => {
  it("finds nothing in pages whose links hold", () => {
    const index = '<a href="/verdict/sub/page.html#a-b">x</a><a href="https://elsewhere.example/">y</a>';
    const page = '<h2 id="a-b">A b</h2><a href="../index.html">x</a><a href="#a-b">y</a><a href="/verdict/">z</a>';
    expect(faults({ "index.html": index, "sub/page.html": page })).toEqual([]);
  });

  it("finds dead links and anchors", () => {
    const index = '<a href="/verdict/gone.html">x</a><a href="#gone">y</a><a class="a" href="./index.html#gone">z</a>';
    expect(faults({ "index.html": index })).toEqual([
      "index.html: /verdict/gone.html is dead",
      "index.html: the anchor of #gone is dead",
      "index.html: the anchor of ./index.html#gone is dead",
    ]);
  });

  it("finds what a page would load from another site, and an empty site", () => {
    const index = '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//cdn.example/x.css">';
    expect(faults({ "index.html": index })).toHaveLength(2);
    expect(faults({})).toHaveLength(1);
  });

  it("leaves code as it is where prose is rewritten", () => {
    const text = "a {{ b\n\n```sh\n{{ c }}\n```\nd `{{ e }}` {{ f\n";
    expect(mapProse(text, (part) => part.replaceAll("{{", "X"))).toBe(
      "a X b\n\n```sh\n{{ c }}\n```\nd `{{ e }}` X f\n",
    );
  });
});
