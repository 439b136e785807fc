// The licence texts of what is in the bundle, as those licences ask.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The packages whose code is in these modules. A module may itself be a bundle of others: its source map
 * then names the packages that went into it.
 */
export function packagesOf(modules) {
  const names = new Set();
  for (const id of modules) {
    const path = id.replaceAll("\\", "/");
    for (const source of [path, ...sourcesOf(path)]) {
      const name = source
        .split("node_modules/")
        .at(-1)
        ?.match(/^(@[^/]+\/)?[^/.][^/]*(?=\/)/)?.[0];
      if (name && source.includes("node_modules/")) names.add(name);
    }
  }
  return [...names].sort();
}

function sourcesOf(path) {
  return existsSync(`${path}.map`) ? JSON.parse(readFileSync(`${path}.map`, "utf8")).sources : [];
}

/** Packages without a licence file of their own, and one of the same repository that has it. */
const siblings = { "@ai-sdk/provider-utils": "ai" };

function licenceIn(directory) {
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  return file === undefined ? undefined : readFileSync(join(directory, file), "utf8");
}

/** One text of all their licences. Fails for a package whose licence is not on this machine. */
export function licenceTexts(packages) {
  const byText = new Map();
  for (const name of packages) {
    const directory = join("node_modules", name);
    if (!existsSync(directory)) {
      throw new Error(`The bundle has code of ${name}: add it to devDependencies, so that its licence can be shipped.`);
    }
    const { version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const text = licenceIn(directory) ?? licenceIn(join("node_modules", siblings[name] ?? name));
    if (text === undefined) throw new Error(`The package ${name} has no licence file.`);
    const plain = withoutBreaks(text);
    const names = [...(byText.get(plain)?.names ?? []), `${name} ${version} (${license})`];
    byText.set(plain, { license, names });
  }
  // A text that several packages have is shipped once. Similar texts, without line breaks in their paragraphs, are packed
  // best next to each other.
  const alike = [...byText].sort(
    ([a, { license: x }], [b, { license: y }]) => x.localeCompare(y) || a.length - b.length,
  );
  const parts = alike.map(([text, { names }]) => `${names.join("\n")}\n\n${text}\n`);
  const texts = [...parts, ...(packages.includes("clingo-wasm") ? [compiledIntoClingo()] : [])];
  return `Verdict contains code of these packages.\n\n${texts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

/** What the package clingo-wasm was compiled from has licences that the package does not repeat. */
function compiledIntoClingo() {
  const holders = [
    "clingo, gringo: Copyright (c) Roland Kaminski",
    "clasp: Copyright (c) Benjamin Kaufmann",
    "Lua: Copyright (c) Lua.org, PUC-Rio",
  ];
  return `Compiled into clingo-wasm (MIT)\n\n${holders.join("\n")}\n\n${withoutBreaks(mit_terms)}\n`;
}

/** A text without line breaks in its paragraphs. */
function withoutBreaks(text) {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.map((each) => each.replace(/\s+/g, " ").trim()).join("\n\n");
}

const mit_terms = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO
EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR
THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
