import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isTree, type Tree, unreadable } from "./edit.ts";

/** The value of a text; an empty one is an empty object. Raises `input_rejected` with line and column. */
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
 * The text with this value at a path; undefined takes it out. Of an object that is there, only the members that differ are
 * replaced: comments beside them stay. Indentation and line ends are those of the text.
 */
export function editJson(text: string, path: readonly string[], value: Tree | undefined): string {
  const mark = text.slice(0, text.length - withoutMark(text).length);
  const body = withoutMark(text).trim() === "" ? "{}\n" : withoutMark(text);
  const old = value && valueAt(body, path);
  if (!isTree(old)) return mark + withValue(body, path, value);
  const members = Object.entries(value ?? {}).filter(([name, member]) => !isDeepStrictEqual(old[name], member));
  return mark + members.reduce((result, [name, member]) => withValue(result, [...path, name], member), body);
}

function valueAt(text: string, path: readonly string[]): unknown {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  return node && getNodeValue(node);
}

function withValue(text: string, path: readonly string[], value: unknown): string {
  return applyEdits(text, modify(text, [...path], value, { formattingOptions: styleOf(text) }));
}

function styleOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 4 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** Editors of Windows begin a file with a byte order mark. */
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
