import { basename, extname } from "node:path";
import * as z from "zod/v4";
import type { Tables } from "../../../engines/tables/index.ts";
import { type Content, type Order, recordsOf, type Summary } from "../../../engines/tables/table.ts";
import { isObject } from "../../../kernel/arguments.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { jsonOf } from "../../../kernel/text/json.ts";
import { findFile, inRoots, type Roots } from "./roots.ts";

/** What the tools need to read files: the reader, and the permitted directories. */
export interface Files extends Roots {
  readonly tables: Pick<Tables, "read" | "view">;
  /** The directories in which results may be saved. Empty over HTTP, where several clients would share them. */
  readonly save_roots: readonly string[];
}

const files_max = 20;
const file_form_chars_max = 10_000;

const file_form = '{"path": "staff.xlsx", "name": "staff", "sheet": "May", "range": "A1:F40"}';

const Described = z.strictObject({
  path: z.string(),
  name: z.string().optional(),
  sheet: z.string().optional(),
  range: z.string().optional(),
});

/** A file as named in a call: its path, or an object with details or its contents. */
export type DataFile = string | z.output<typeof Described>;

/**
 * Makes an argument for files, with this parameter name. The listing shows only strings, since an object's schema costs
 * tokens in every session. A client that is restricted to the listed types can send the object as JSON text.
 */
export function filesNamed(name: string) {
  const error = `Parameter "${name}" must be a list of paths, or of objects such as ${file_form}.`;
  const asText = (each: unknown): unknown => (isObject(each) ? JSON.stringify(each) : each);
  const list = z.array(z.string({ error }), { error }).transform((texts, context) =>
    texts.map((text): DataFile => {
      if (!text.startsWith("{")) return text;
      const read = Described.safeParse(jsonOf(text));
      if (read.success) return read.data;
      context.addIssue({ code: "custom", message: `Describe a file as ${file_form}; only path is required.` });
      return z.NEVER;
    }),
  );
  return z.preprocess((given) => (Array.isArray(given) ? given.map(asText) : given), list);
}

/**
 * Returns the file that an item names instead of containing code; undefined for code. Raises `invalid_argument` for an
 * invalid description.
 */
export function fileIn(item: string): DataFile | undefined {
  const text = item.trim();
  const named = text.startsWith("{") && text.length <= file_form_chars_max ? jsonOf(text) : undefined;
  if (!isObject(named) || !Object.hasOwn(named, "path")) return undefined;
  const read = Described.safeParse(named);
  if (read.success) return read.data;
  throw new Fault("invalid_argument", `Describe a file as ${file_form}; only path is required.`, [
    "send the item again with these fields only",
  ]);
}

export const data_files = filesNamed("data_files").optional();

/** A file that has been read. */
export interface ReadFile {
  /** The name under which a model refers to the file. */
  readonly name: string;
  readonly path: string;
  readonly content: Content;
}

/** Reads files concurrently. Raises the faults of `findFiles` and of the reader. */
export async function readFiles(files: readonly DataFile[], from: Files, deadline: Deadline): Promise<ReadFile[]> {
  const orders = await findFiles(files, from);
  return Promise.all(
    orders.map(async ({ name, ...order }) => ({
      name,
      path: order.shown,
      content: await from.tables.read(order, deadline),
    })),
  );
}

/** Locates files on the server, with their names. Raises the faults of `findFile`, and `invalid_argument`. */
export async function findFiles(
  files: readonly DataFile[],
  places: Roots,
): Promise<(Order & { readonly name: string })[]> {
  const wanted = files.map((each) => (typeof each === "string" ? { path: each } : each));
  const names = wanted.map(({ path, name = nameOf(path) }) => name);
  if (names.length > files_max)
    throw new Fault("invalid_argument", `A call can read at most ${files_max} files.`, ["name fewer files"]);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined)
    throw new Fault("invalid_argument", `Two files are named ${twice}.`, [
      'give each its own name: {"path": "may/staff.csv", "name": "staff_may"}',
    ]);
  return Promise.all(
    wanted.map(async ({ path, sheet, range }, at) => {
      const file = await inRoots(places, (roots) => findFile(path, roots));
      return { ...file, sheet, range, name: names[at] ?? "" };
    }),
  );
}

/** Returns a file's name without its extension, as an identifier. */
export function nameOf(path: string): string {
  const stem = basename(path, extname(path))
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\w]+/g, "_");
  const name = stem.replaceAll(/^_+|_+$/g, "") || "table";
  return /^\d/.test(name) ? `t_${name}` : name;
}

/** Returns the data for a call: tables as lists of rows, JSON values, or strings. */
export function dataOf(files: readonly ReadFile[]): Record<string, unknown> {
  return Object.fromEntries(files.map(({ name, content }) => [name, contentValue(content)]));
}

function contentValue(content: Content): unknown {
  switch (content.kind) {
    case "table":
      return recordsOf(content.table);
    case "json":
      return content.value;
    case "text":
      return content.text;
    default:
      return content satisfies never;
  }
}

/**
 * Returns notes on each file for the reader of an answer: the rows, the columns with their types, and what was assumed
 * or looks wrong.
 */
export function notesOn(files: readonly ReadFile[]): string[] {
  return files.flatMap(({ name, path, content }) =>
    content.kind === "table" ? notesOnTable(name, path, content.table.summary) : [],
  );
}

export function notesOnTable(name: string, path: string, summary: Summary): string[] {
  return [`${path} is the table ${name}: ${shapeOf(summary)}`, ...summary.remarks.map((each) => `${name}: ${each}`)];
}

const columns_shown_max = 30;

function shapeOf({ rows, columns }: Summary): string {
  const shown = columns
    .slice(0, columns_shown_max)
    .map(({ name, type, missing }) => `${name} (${type}${missing > 0 ? `, ${missing} missing` : ""})`);
  const more = columns.length > columns_shown_max ? `, and ${columns.length - columns_shown_max} more` : "";
  return `${rows} ${rows === 1 ? "row" : "rows"}; columns ${shown.join(", ")}${more}.`;
}
