import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writtenIn } from "../../src/tools/written_in.ts";
import { command } from "../support/command_line.ts";
import { all_languages, language_fixtures } from "../support/language_fixtures.ts";

/** The languages that a text does not name. */
const missingIn = (text: string) => all_languages.filter((id) => !new RegExp(`\\b${id}\\b`).test(text));

/** The part of a text that a pattern matches; a fault where there is none. */
function part(text: string, pattern: RegExp): string {
  const [match] = pattern.exec(text) ?? [];
  if (match === undefined) throw new Error(`nothing matches ${pattern}`);
  return match;
}

const commands = readFileSync("docs/command_line.md", "utf8");
const view = readFileSync("src/viewer/app/main.ts", "utf8");
const help = (await command(["solve", "--help"])).stdout.replaceAll(/\s+/g, " ");

/** Every place outside of its own folders that has to name a modelling language, and that the compiler does not know. */
const places: Readonly<Record<string, string>> = {
  "docs/command_line.md, the text on --language": part(commands, /^`--language ID` .*/m),
  "docs/command_line.md, the guides": part(commands, /^- The resources [^;]*;/m),
  "docs/command_line.md, VERDICT_LANGUAGE": part(commands, /^\| `VERDICT_LANGUAGE` .*/m),
  "docs/README.md, the links to guides": readFileSync("docs/README.md", "utf8").replaceAll("/guide.md", " "),
  "scripts/site_config.mjs, the pages of languages": readFileSync("scripts/site_config.mjs", "utf8"),
  "src/command_line.ts, --language of solve": part(help, /--language <ID>.*?--timeout/),
  "src/viewer/app/main.ts, the titles": part(view, /^const languages = [\s\S]*?;$/m),
};

describe("every modelling language", () => {
  it.each(Object.entries(places))("is named in %s", (_, text) => {
    expect(missingIn(text)).toEqual([]);
  });

  it("is found missing where it is", () => {
    expect(all_languages.length).toBeGreaterThan(5);
    expect(missingIn("z3, cpmpyx")).toEqual(all_languages.filter((id) => id !== "z3"));
  });

  it("is recognised by the signs of `src/tools/written_in.ts`", () => {
    for (const { language, sat } of language_fixtures)
      expect(writtenIn(sat.items.join("\n"))?.languages, language).toContain(language);
  });
});
