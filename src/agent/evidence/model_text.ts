import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import { cut } from "../../kernel/text/cut.ts";
import { agent_limits } from "../limits.ts";
import type { Session } from "../loop/session.ts";
import type { CallRecord } from "./calls.ts";
import { asRecord } from "./json.ts";
import { toolOf } from "./verdict.ts";

/** Returns the text of the formal model that a call solved, with its data; null if the server does not have it. */
export async function modelText(
  record: CallRecord,
  {
    records,
    session,
    deadline,
  }: { readonly records: readonly CallRecord[]; readonly session: Session; readonly deadline: Deadline },
): Promise<string | null> {
  const text = await wordsOf(record, session, deadline);
  if (text === null) return null;
  const notes = (["data", "data_files"] as const).flatMap((name) => {
    const value = dataOf(record, records, name);
    return value === undefined ? [] : [`\n\n% ${name}: ${shorten(JSON.stringify(value))}`];
  });
  return `${text}${notes.join("")}`;
}

async function wordsOf(record: CallRecord, session: Session, deadline: Deadline): Promise<string | null> {
  const { smtlib, code } = record.args;
  const sent = [smtlib, code].find((text) => typeof text === "string");
  if (typeof sent === "string") return shorten(sent);
  const { items } = await itemsOf(record, session, deadline);
  return items.length === 0 ? null : shorten(items.join("\n"));
}

/**
 * Returns the items of the model that a call solved; null if the server does not have them, or if they are too long.
 */
export async function modelItems(
  record: CallRecord,
  session: Session,
  deadline: Deadline,
): Promise<readonly string[] | null> {
  const { items, is_whole } = await itemsOf(record, session, deadline);
  return is_whole && items.length > 0 ? items : null;
}

/**
 * Returns the data that a model was solved with: the call's own data, or data kept from an earlier call for the same
 * model.
 */
export function dataOf(
  call: CallRecord,
  records: readonly CallRecord[],
  name: "data" | "data_files" = "data",
): unknown {
  if (call.args[name] !== undefined) return call.args[name];
  const before = records.filter(({ number }) => number <= call.number);
  const begun = before.findLastIndex(({ tool }) => tool === "solve" || tool === "clear_model");
  const { model_id } = call.args;
  const own = before
    .slice(Math.max(0, begun))
    .filter(({ tool, args }) => tool === "solve" || (tool === "solve_model" && args["model_id"] === model_id));
  return own.findLast(({ args, is_fault }) => args[name] !== undefined && !is_fault)?.args[name];
}

const Listed = z.object({
  item_count: z.int(),
  items: z.array(z.object({ index: z.int(), content: z.string() })),
});

interface ItemsOf {
  readonly items: readonly string[];
  readonly is_whole: boolean;
}

/**
 * Returns the items that were solved, even if the model has changed since: as the call sent them, or else from the
 * server.
 */
async function itemsOf(record: CallRecord, session: Session, deadline: Deadline): Promise<ItemsOf> {
  const { model, items, model_id } = asRecord(record.args);
  if (typeof model === "string") return { items: [model], is_whole: true };
  const texts = z.array(z.string()).safeParse(items).data;
  if (texts) return { items: texts, is_whole: true };
  const contents: string[] = [];
  while (toolOf(record) === "solve_model") {
    const page = { from_index: contents.length, ...(typeof model_id === "string" && { model_id }) };
    const { structured } = await session.call("get_model", page, deadline);
    const listed = Listed.safeParse(structured).data;
    if (!listed) break;
    contents.push(...listed.items.map(({ content }) => content));
    if (contents.length >= listed.item_count) return { items: contents, is_whole: true };
    if (listed.items.length === 0 || contents.join("\n").length > agent_limits.model_chars_max) break;
  }
  return { items: contents, is_whole: false };
}

function shorten(text: string): string {
  return cut(text, agent_limits.model_chars_max);
}
