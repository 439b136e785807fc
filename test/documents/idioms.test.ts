import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Idioms that readers stumble over, with what is clear. */
const idioms: Readonly<Record<string, RegExp>> = {
  "say what is sent, reported or set": /\b(?:told|tells)\b(?!(?: \w+){0,2} apart)/i,
  "say what receives or reads it": /\bhears?\b/i,
  "say what it confuses": /\btak(?:e|es|en|ing) (?:it|them|this|that) for\b/i,
  "say whether it is confirmed or accepted": /\bbeliev(?:e|es|ed|ing)\b/i,
  "write the number, or what it counts": /\bso many\b/i,
  "say what contains it, or what belongs to it": /\b(?:go|goes|going|went) with\b/i,
  "say where it is, or what it means": /\bst(?:ands?|ood)\b(?! for\b| in for\b)/i,
  "resolve the conflict of the merge": /^(?:<{7}|>{7}) /,
  "write `is not a`":
    /(?<!\bthere )(?<!\bthat )\b(?:is|are) no (?!longer\b|more\b|less\b|such\b|one\b|other\b|way\b|later\b|earlier\b|\w+er than\b)/i,
};

const roots = ["docs", "examples", "src", "python", "test"];
const files = [
  ...["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"],
  ...roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => `${root}/${file.replaceAll("\\", "/")}`),
  ),
].filter((file) => /\.md$|^src\/.*\.ts$|^python\/.*\.py$/.test(file));

/** The prose of a line: of a page all but code, of a source its comments and texts. */
function proseOf(file: string, line: string): string {
  if (file.endsWith(".md")) return line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, " ");
  if (/^\s*(?:import\b|export .* from )/.test(line)) return "";
  const comment = /^\s*(?:\*|\/\/|\/\*\*?|#|""")(.*)/.exec(line)?.[1];
  if (comment !== undefined) return comment.replaceAll(/`[^`]*`/g, " ");
  const texts = line.match(/"(?:[^"\\]|\\.)*"|`[^`]*`?/g) ?? [];
  return texts
    .filter((text) => text.includes(" "))
    .join(" ")
    .replaceAll(/\$\{[^}]*\}/g, " X ");
}

it("pages and messages have none of the idioms that are read twice", () => {
  expect(files.length).toBeGreaterThan(500);
  const findings = files.flatMap((file) => {
    let is_code = false;
    return readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, i) => {
        if (file.endsWith(".md") && /^\s*```/.test(line)) is_code = !is_code;
        const prose = is_code ? "" : proseOf(file, line);
        return Object.entries(idioms).flatMap(([advice, idiom]) =>
          idiom.test(prose) ? [`${file}:${i + 1}: "${idiom.exec(prose)?.[0]}": ${advice}`] : [],
        );
      });
  });
  expect(findings).toEqual([]);
});
