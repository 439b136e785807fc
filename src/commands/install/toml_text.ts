import { parse, stringify, TomlError } from "smol-toml";
import { linesOf } from "../../kernel/text/lines.ts";
import { type Tree, unreadable } from "./server_entry.ts";

/** Parses a TOML text. Raises `input_rejected` with line and column. */
export function readToml(text: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ""] = linesOf(error.message);
    throw unreadable(`line ${error.line}, column ${error.column}: ${first.replace("Invalid TOML document: ", "")}`);
  }
}

/**
 * Sets the table at a path in the text; undefined removes the table. A new table is appended; in an existing one, the
 * command and its arguments are replaced. The caller has to check the result, since tables can also be written in other
 * forms.
 */
export function editToml(text: string, path: readonly string[], value: Tree | undefined): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => isHeader(line, path, ""));
  if (value === undefined) return `${withoutTables(lines, path).join(eol).trimEnd()}${eol}`;
  if (start < 0) return append(text, stringify(nest(path, value)), eol);
  const end = lines.findIndex((line, i) => i > start && /^\s*\[/.test(line));
  const body = lines.slice(start + 1, end < 0 ? lines.length : end).join("\n");
  const replaced = ["command", "args"].reduce((table, name) => withValue(table, name, value[name]), body);
  return [...lines.slice(0, start + 1), ...replaced.split("\n"), ...(end < 0 ? [] : lines.slice(end))].join(eol);
}

function append(text: string, table: string, eol: string): string {
  const before = text.trim() === "" ? "" : `${text.trimEnd()}${eol}${eol}`;
  return before + table.trim().replaceAll("\n", eol) + eol;
}

/** Whether a line is the header `[a.b]` of a path, followed by `rest`. */
function isHeader(line: string, path: readonly string[], rest: string): boolean {
  const names = path.map((name) => `(?:${name}|"${name}"|'${name}')`).join("\\s*\\.\\s*");
  return new RegExp(`^\\s*\\[\\s*${names}${rest}\\s*\\]\\s*(?:#.*)?$`).test(line);
}

/** Returns the lines without a table and its subtables. Comments at the table's end belong to the next table. */
function withoutTables(lines: readonly string[], path: readonly string[]): string[] {
  const remaining: string[] = [];
  let is_within = false;
  let remarks: string[] = [];
  for (const line of lines) {
    if (/^\s*\[/.test(line)) {
      if (is_within) remaining.push(...remarks);
      is_within = isHeader(line, path, "") || isHeader(line, path, "\\s*\\..+");
    }
    if (!is_within) remaining.push(line);
    else remarks = /^\s*(#|$)/.test(line) ? [...remarks, line] : [];
  }
  return remaining;
}

function withValue(table: string, name: string, value: unknown): string {
  const line = stringify({ [name]: value }).trim();
  const old = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(?:\\[[^\\]]*\\]|.*)$`, "m");
  return old.test(table) ? table.replace(old, () => line) : `${line}\n${table}`;
}

function nest(path: readonly string[], value: Tree): Tree {
  return path.reduceRight<Tree>((inner, name) => ({ [name]: inner }), value);
}
