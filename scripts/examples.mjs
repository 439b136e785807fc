// Reads examples/*.md: each has dialogues of real calls, with the parts of the answers that have to come out.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));

/** What the files of this folder are, in the order of their names. */
export function examples() {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .map((file) => example(file.slice(0, -3), readFileSync(`${folder}${file}`, "utf8")));
}

const call = /calls `(\w+)`:\n\n```json\n([\s\S]*?)\n```\n\nVerdict answers:\n\n```json\n([\s\S]*?)\n```\n/g;

/** An example out of its text; `picture` is the file after the answer that it shows, with the number of that call. */
export function example(name, text) {
  const found = [...text.matchAll(call)];
  const calls = found.map(([, tool, args, answer]) => ({
    tool,
    arguments: JSON.parse(args),
    answer: JSON.parse(answer),
  }));
  const image = /^!\[.+\]\((pictures\/\w+\.png)\)$/m.exec(text);
  const before = image ? found.filter(({ index }) => index < image.index).length : 0;
  const picture = before > 0 ? { file: image[1], call: before - 1 } : undefined;
  const code = [...text.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  return { name, text, calls, picture, code };
}
