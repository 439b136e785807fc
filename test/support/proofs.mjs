import { readFileSync } from "node:fs";

/**
 * The blocks of a file in test/fixtures/proofs/ that begin with this mark. Where their lines are changes, they are changes of
 * the last block that begins with `#:`.
 */
export function blocksOf(file, mark = ":") {
  const text = readFileSync(new URL(`../fixtures/proofs/${file}.py`, import.meta.url), "utf8");
  const [, ...blocks] = text.split(/^#(?=[:!?] )/m);
  let right = "";
  return blocks.flatMap((block) => {
    const [head = "", ...own] = block.trimEnd().split("\n");
    const lines = own[0]?.startsWith("#") ? changed(right, own) : spelledOut(own);
    if (head[0] === ":") right = lines;
    const [title = "", note = ""] = head
      .slice(2)
      .split("|")
      .map((part) => part.trim());
    return head[0] === mark ? [{ title, note, code: `${lines.join("\n")}\n` }] : [];
  });
}

/** The last function may be written as changes of the one before it: `# g is f with`. */
function spelledOut(lines) {
  const at = lines.findIndex((line) => /^# \w+ is \w+ with$/.test(line));
  if (at < 0) return lines;
  const [, name, , other] = lines[at].split(" ");
  const from = lines.indexOf(lines.find((line) => line.startsWith(`def ${other}(`)));
  const [first, ...rest] = lines.slice(from, at).join("\n").trimEnd().split("\n");
  const copy = [first.replace(`def ${other}(`, `def ${name}(`), ...rest];
  return [...lines.slice(0, at), ...changed(copy, lines.slice(at + 1))];
}

function changed(lines, changes) {
  const all = [...lines];
  let at = 0;
  for (const [, kind, line] of changes.map((each) => /^#([-+=])(.*)$/.exec(each) ?? [])) {
    if (kind !== "+") at = all.indexOf(line, at);
    if (at < 0) throw new Error(`no such line: ${line}`);
    all.splice(at, kind === "-" ? 1 : 0, ...(kind === "+" ? [line] : []));
    if (kind !== "-") at++;
  }
  return all;
}
