/**
 * The program that reads data files for `index.ts`: it receives an order on stdin, and prints a file's contents, or the
 * parts of several files that are to be shown.
 */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { extname } from "node:path";
import { text as read } from "node:stream/consumers";
import * as z from "zod/v4";
import { isDeeper } from "../../kernel/arguments.ts";
import { limits } from "../../kernel/limits.ts";
import { engine_limits } from "../limits.ts";
import { readCsv } from "./csv.ts";
import { decoded } from "./decode.ts";
import { suspicions } from "./remarks.ts";
import { type Content, FileRefused, Order, type Reply, type Table, ViewOrder } from "./table.ts";
import { typed } from "./typed.ts";
import { viewOf } from "./view.ts";
import { readXlsx } from "./xlsx.ts";

async function contentOf(order: Order): Promise<Content> {
  const bytes = await bytesOf(order);
  const { shown, sheet, range } = order;
  const ending = extname(order.path).toLowerCase();
  if (ending === ".xlsx" || ending === ".xlsm")
    return tableOf(typed(await readXlsx(bytes, shown, { sheet, range }), shown));
  if (sheet !== undefined || range !== undefined)
    throw new FileRefused(`${shown} is not a workbook: it has no sheet and no range.`, [
      "omit sheet and range, or name an XLSX file",
    ]);
  const { text, remark } = decoded(bytes, shown);
  switch (ending) {
    case ".csv":
    case ".tsv":
      return tableOf(typed(readCsv(text, shown), shown), remark);
    case ".json":
      return { kind: "json", value: jsonOf(text, shown) };
    default:
      return { kind: "text", text };
  }
}

function tableOf(table: Table, remark?: string): Content {
  const { rows, columns, remarks } = table.summary;
  const all_remarks = [...(remark === undefined ? [] : [remark]), ...remarks, ...suspicions(table)];
  return { kind: "table", table: { ...table, summary: { rows, columns, remarks: all_remarks } } };
}

/**
 * Reads the bytes of exactly the file that the server found. Raises `FileRefused` if it is a different file, or if it
 * changes while it is read.
 */
async function bytesOf({ path, device, inode, shown }: Order): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const before = await file.stat({ bigint: true });
    if (String(before.dev) !== device || String(before.ino) !== inode) throw changed(shown);
    const bytes = await file.readFile();
    const after = await file.stat({ bigint: true });
    if (after.mtimeNs !== before.mtimeNs || after.size !== before.size) throw changed(shown);
    return bytes;
  } finally {
    await file.close();
  }
}

function changed(name: string): FileRefused {
  return new FileRefused(`${name} changed while it was read.`, [
    "send the call again when nothing is writing to the file",
  ]);
}

function jsonOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isDeeper(value, limits.message_depth_max))
      throw new FileRefused(`${name} is nested more than ${limits.message_depth_max} levels deep.`, [
        "write the values as lists or tables with less nesting",
      ]);
    expectExact(text, name);
    return value;
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}.`, [
      "correct the file at this position",
    ]);
  }
}

/** Raises `FileRefused` for a number in a JSON text that parsing would change. */
function expectExact(text: string, name: string): void {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g)) {
    if (token.startsWith('"')) continue;
    if (/^-?\d+$/.test(token) ? Number.isSafeInteger(Number(token)) : Number.isFinite(Number(token))) continue;
    throw new FileRefused(`${name} contains the number ${token.slice(0, 40)}, which is too large to be exact.`, [
      "write it as a string if it is an identifier",
      "use a larger unit for amounts",
    ]);
  }
}

async function reply(): Promise<Reply> {
  const order = z.union([Order, ViewOrder]).parse(JSON.parse(await read(process.stdin)));
  try {
    if (!("files" in order)) return await contentOf(order);
    const contents: Content[] = [];
    for (const { name: _, ...file } of order.files) contents.push(await contentOf(file));
    return viewOf(order, contents);
  } catch (error) {
    if (error instanceof FileRefused) return { error: error.message, steps: [...error.steps] };
    throw error;
  }
}

const line = JSON.stringify(await reply());
const too_long: Reply = {
  error: `The file has more than ${engine_limits.table_chars_max / 1e6} million characters of values.`,
  steps: ["pass a range, or a part of the file", "omit the columns that the model does not need"],
};
process.stdout.write(line.length > engine_limits.table_chars_max ? JSON.stringify(too_long) : line);
