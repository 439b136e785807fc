import { extname } from "node:path";
import * as z from "zod/v4";
import { isObject, readArguments } from "../../../kernel/arguments.ts";
import { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Answer, EarlyContext, Tool } from "../../../kernel/tool.ts";
import { type DataFile, data_files, dataOf, type Files, fileIn, notesOn, type ReadFile, readFiles } from "./files.ts";

/** The languages whose native data files become items. */
const own_texts: Readonly<Record<string, string>> = { ".dzn": "minizinc", ".lp": "asp" };

const Called = z.looseObject({
  data_files,
  data: z.record(z.string(), z.unknown()).optional(),
  items: z.array(z.string()).optional(),
});

/**
 * Wraps a tool so that data files are read before the call, and the tool receives their values. A call that is sent to
 * another process or turned into a job is therefore self-contained.
 */
export function withFiles(tool: Tool, files: Files): Tool {
  // A call that was prepared for another process may still run in this one, so its files are read only once.
  const reads = new WeakMap<object, Promise<WithValues>>();
  const read = (args: unknown, context: EarlyContext): Promise<WithValues> => {
    if (!isObject(args) || (args["data_files"] === undefined && args["items"] === undefined))
      return Promise.resolve({ args, found: [] });
    const known =
      reads.get(args) ?? valuesFor(tool, args, files, new Deadline(tool.limit_ms(args, context), context.signal));
    reads.set(args, known);
    return known;
  };
  return {
    ...tool,
    async call(args, context) {
      tool.check(args, context);
      const { args: whole, found } = await read(args, context);
      return noted(await tool.call(whole, context), found);
    },
    async question(args, context) {
      return tool.question((await read(args, context)).args, context);
    },
    async remoteCall(args, context) {
      const { args: whole, found } = await read(args, context);
      const call = await tool.remoteCall(whole, context);
      if (!call) return null;
      const settle: typeof call.settle = (result) => {
        const answer = call.settle(result);
        return answer && noted(answer, found);
      };
      return { ...call, settle };
    },
  };
}

/** A call with its files replaced by values, and the files that were read. */
interface WithValues {
  readonly args: unknown;
  readonly found: readonly ReadFile[];
}

async function valuesFor(tool: Tool, args: object, files: Files, deadline: Deadline): Promise<WithValues> {
  const called = Called.parse(readArguments(tool, args));
  const { data_files: named = [], ...rest } = withoutFileItems(called);
  if (named.length === 0) return { args, found: [] };
  const found = await readFiles(named, files, deadline);
  const parts = found.filter((file) => isPart(file, rest["language"]));
  const data = { ...dataOf(found.filter((file) => !parts.includes(file))), ...called.data };
  return { args: { ...rest, ...withParts(rest, parts), data }, found };
}

interface WithFileNames extends Readonly<Record<string, unknown>> {
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly data_files: readonly DataFile[];
}

/** Moves the files that a call names among its items to `data_files`. */
function withoutFileItems({ items = [], data_files: named = [], ...rest }: z.output<typeof Called>): WithFileNames {
  const code: string[] = [];
  const files: DataFile[] = [];
  for (const item of items) {
    const file = fileIn(item);
    if (file === undefined) code.push(item);
    else files.push(file);
  }
  return { ...rest, data_files: [...named, ...files], ...(code.length > 0 && { items: code }) };
}

/** Inserts the notes on the files before the answer's other warnings. */
function noted(answer: Answer, found: readonly ReadFile[]): Answer {
  const notes = notesOn(found);
  if (notes.length === 0) return answer;
  const { warnings } = answer.structured;
  const [first, ...remarks] = answer.text;
  return {
    ...answer,
    structured: { ...answer.structured, warnings: [...notes, ...(Array.isArray(warnings) ? warnings : [])] },
    text: [first, ...notes, ...remarks],
  };
}

/**
 * Whether a file is part of a call's model rather than data. If the call names no language, the file's extension
 * decides.
 */
export function isPart({ path, content }: ReadFile, language: unknown): boolean {
  const own = own_texts[extname(path).toLowerCase()];
  return content.kind === "text" && own !== undefined && (language === undefined || language === own);
}

/** Returns a call's items, including the parts of its model that are files. Raises `invalid_argument`. */
function withParts({ model, items }: Readonly<Record<string, unknown>>, parts: readonly ReadFile[]): object {
  const [first] = parts;
  if (!first) return {};
  const own = typeof model === "string" ? [model] : Array.isArray(items) ? items : undefined;
  if (!own)
    throw new Fault("invalid_argument", `${first.path} is part of a model, but this call has no model.`, [
      "send the whole model with solve, and this file in its data_files",
      "or add its text with add_item",
    ]);
  const texts = parts.flatMap(({ content }) => (content.kind === "text" ? [content.text] : []));
  return { model: undefined, items: [...own, ...texts] };
}
