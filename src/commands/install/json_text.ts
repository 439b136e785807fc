import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isObject } from "../../kernel/arguments.ts";
import { type Tree, unreadable } from "./server_entry.ts";

/** Parses a JSON text; an empty text counts as an empty object. Raises `input_rejected` with line and column. */
export function readJson(text: string, has_comments: boolean): unknown {
  const body = withoutMark(text);
  if (body.trim() === "") return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(body, errors, { allowTrailingComma: has_comments, disallowComments: !has_comments });
  const [first] = errors;
  if (first) throw unreadable(`${placeOf(body, first.offset)}: ${wordsOf(first)}`);
  return value;
}

/**
 * Sets the value at a path in the text; undefined removes the value. If there already is an object, only the members
 * that differ are replaced, so that the comments next to other members are preserved. Indentation and line endings
 * follow the text.
 */
export function editJson(text: string, path: readonly string[], value: Tree | undefined): string {
  const mark = text.slice(0, text.length - withoutMark(text).length);
  const body = withoutMark(text).trim() === "" ? "{}\n" : withoutMark(text);
  const old = value && valueAt(body, path);
  if (!isObject(old)) return mark + withValue(body, path, value);
  const members = Object.entries(value ?? {}).filter(
    ([name, member]) => JSON.stringify(old[name]) !== JSON.stringify(member),
  );
  return mark + members.reduce((result, [name, member]) => withValue(result, [...path, name], member), body);
}

function valueAt(text: string, path: readonly string[]): unknown {
  const node = nodeAt(text, path);
  return node && getNodeValue(node);
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [...path]);
}

function withValue(text: string, path: readonly string[], value: unknown): string {
  const node = nodeAt(text, path);
  if (value === undefined) return node ? withoutMember(text, node.parent ?? node) : text;
  if (node) return splice(text, node.offset, node.offset + node.length, JSON.stringify(value));
  const above = path.slice(0, -1);
  const name = path.at(-1) ?? "";
  const parent = nodeAt(text, above);
  return parent ? withMember(text, parent, name, value) : withValue(text, above, { [name]: value });
}

/** Returns the text with a member appended to an object. Everything else is preserved, including comments. */
function withMember(text: string, { offset, length, children = [] }: Node, name: string, value: unknown): string {
  const last = children.at(-1);
  const from = last ? last.offset + last.length : offset + 1;
  const brace = offset + length - 1;
  const between = text.slice(from, brace);
  const has_comma = commaIn(between) >= 0;
  const before = text.slice(0, from) + (last && !has_comma ? "," : "") + between.trimEnd();
  const { unit, eol, indent } = styleAt(text, brace);
  const is_empty = !last && between.trim() === "";
  const has_lines = is_empty ? text.trim() === "{}" || text.trim().includes("\n") : /\n[ \t]*$/.test(between);
  if (!has_lines) {
    const space = `${has_comma ? "," : ""}${between.endsWith(" ") ? " " : ""}`;
    const member = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    return `${before}${last || /\s$/.test(between) ? " " : ""}${member}${space}${text.slice(brace)}`;
  }
  const member = `${JSON.stringify(name)}: ${JSON.stringify(value, null, unit)}`;
  const lines = member.split("\n").map((line) => `${indent}${unit}${line}`);
  return `${before}${eol}${lines.join(eol)}${has_comma ? "," : ""}${eol}${indent}${text.slice(brace)}`;
}

/** Returns the text without a member of an object, and without the lines that only this member occupied. */
function withoutMember(text: string, member: Node): string {
  const all = member.parent?.children ?? [];
  const at = all.indexOf(member);
  const [before, after] = [all[at - 1], all[at + 1]];
  const end = member.offset + member.length;
  const brace = member.parent ? member.parent.offset + member.parent.length - 1 : text.length;
  const comma = commaIn(text.slice(end, after?.offset ?? brace));
  const rest = withoutLines(text, member.offset, comma < 0 ? end : end + comma + 1);
  if (comma >= 0 || !before) return rest;
  // The removed member was the last one, so the comma before it is removed, too.
  const from = before.offset + before.length;
  const separator = from + commaIn(text.slice(from, member.offset));
  return splice(rest, separator, separator + 1, "");
}

/** Returns the text without a range; if the range fills whole lines, these lines are removed as well. */
function withoutLines(text: string, start: number, end: number): string {
  const indent = /(?<=\n)[ \t]*$/.exec(text.slice(0, start))?.[0];
  const tail = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0];
  if (indent !== undefined && tail !== undefined) return splice(text, start - indent.length, end + tail.length, "");
  const space = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return splice(text, start - space, end, "");
}

/** The position of the comma between two members, skipping comments; -1 if there isn't one. */
function commaIn(between: string): number {
  return between.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => " ".repeat(comment.length)).indexOf(",");
}

function splice(text: string, start: number, end: number, part: string): string {
  return text.slice(0, start) + part + text.slice(end);
}

/** The text's style: its indentation unit, the indentation of the line at this position, and its line endings. */
function styleAt(text: string, place: number) {
  return {
    unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ",
    indent: /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", place) + 1))?.[0] ?? "",
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** Removes the byte order mark with which Windows editors begin a file. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}
