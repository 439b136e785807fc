import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shown_languages } from "../../src/tools/model/languages/shown.ts";
import { writtenIn } from "../../src/tools/written_in.ts";
import { command } from "../support/command_line.ts";
import { all_languages, language_fixtures, languages_here } from "../support/language_fixtures.ts";

/** The languages that a text does not name. */
const missingIn = (text: string) => all_languages.filter((id) => !new RegExp(`\\b${id}\\b`).test(text));

/** The part of a text that a pattern matches; a fault where there is none. */
function part(text: string, pattern: RegExp): string {
  const [match] = pattern.exec(text) ?? [];
  if (match === undefined) throw new Error(`nothing matches ${pattern}`);
  return match;
}

const help = (await command(["solve", "--help"])).stdout.replaceAll(/\s+/g, " ");

/** Where people look for a language: `npm run docs` writes the documents, and the program the rest. */
const places: Readonly<Record<string, string>> = {
  "docs/command_line.md": part(
    readFileSync("docs/command_line.md", "utf8"),
    /<!-- languages -->[\s\S]*<!-- \/languages -->/,
  ),
  "docs/README.md": readFileSync("docs/README.md", "utf8").replaceAll("/guide.md", " "),
  "the help of solve": part(help, /--language <ID>.*?--timeout/),
  "the view in a chat": part(readFileSync("dist/solution.html", "utf8"), /^const shown_languages = .*;$/m),
};

it("every flag of solve is in docs/command_line.md, and its help names the files that are data", () => {
  const flags = [...help.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, flag = ""]) => flag);
  const document = readFileSync("docs/command_line.md", "utf8");
  expect(flags).toContain("--save");
  expect([...new Set(flags)].filter((flag) => !["--help"].includes(flag) && !document.includes(`\`${flag}`))).toEqual(
    [],
  );
  expect(part(help, /\[?DATA.*?Options:/i)).toMatch(/\.csv.*\.xlsx/);
});

describe("every modelling language", () => {
  it.each(Object.entries(places))("is named in %s", (_, text) => {
    expect(missingIn(text)).toEqual([]);
  });

  it("is found missing where it is", () => {
    expect(all_languages.length).toBeGreaterThan(5);
    expect(missingIn("z3, cpmpyx")).toEqual(all_languages.filter((id) => id !== "z3"));
  });

  it("is shown in the order of the listing, and asked for more solutions by the option that it takes", () => {
    expect(Object.keys(shown_languages)).toEqual(all_languages);
    for (const language of languages_here) {
      const more = shown_languages[language.id]?.more;
      const several = ["max_solutions", "max_models"] as const;
      expect(
        several.filter((option) => language.takes.includes(option)),
        language.id,
      ).toEqual(more ? [more] : []);
    }
  });

  it("is recognised by the signs of `src/tools/written_in.ts`", () => {
    for (const { language, sat } of language_fixtures)
      expect(writtenIn(sat.items.join("\n"))?.languages, language).toContain(language);
  });
});
