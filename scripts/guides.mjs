// The guides: a file guide.md in the folder of each language and toolset that has one.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const folder = "src/tools";

/** Each with the name of its folder, which is that of its language or toolset, and what it is about; by name. */
export function guides() {
  return readdirSync(folder, { recursive: true })
    .filter((path) => basename(path) === "guide.md")
    .map((path) => {
      const file = join(folder, path).replaceAll("\\", "/");
      const [, first, rest] = /^# (?:How to model in )?(.)(.*)$/m.exec(readFileSync(file, "utf8"));
      return { name: basename(dirname(file)), file, subject: first.toUpperCase() + rest };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
