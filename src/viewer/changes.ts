import * as z from "zod/mini";
import { tableOf } from "./drawings/parts.ts";
import type { IndexNames } from "./figures/tables.ts";
import { type Html, html } from "./html.ts";
import { isScalar, type Scalar, shown, type Tree } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/** The `keep` field in an answer, and in a `what_if` row. */
const Keep = z.object({
  number: z.number(),
  changes: z.array(z.object({ at: z.string(), old: z.unknown(), new: z.unknown() })),
  least: z.optional(z.boolean()),
  not_kept: z.optional(z.array(z.string())),
});

/** A `what_if` row; the field `why_not` has the same form. */
const Row = z.object({
  name: z.optional(z.string()),
  status: z.string(),
  message: z.string(),
  objective: z.optional(z.unknown()),
  difference: z.optional(z.nullable(z.number())),
  broken: z.optional(z.array(z.object({ item: z.number(), line: z.number(), text: z.string() }))),
  keep: z.optional(Keep),
});

/** Returns the values before the changes that an answer lists; undefined if it lists none. */
export function valuesBefore(answer: Tree, values: Tree, index_names: IndexNames = {}): Tree | undefined {
  const keep = Keep.safeParse(answer["keep"]).data;
  if (!keep || keep.changes.length === 0) return undefined;
  const before: Tree = structuredClone(values);
  for (const { at, old } of keep.changes) if (isScalar(old)) setAt(before, at, old, index_names);
  return before;
}

/** Sets a value at a path such as `shift[Anna,Fri]`; an invalid path changes nothing. */
function setAt(values: Tree, at: string, value: Scalar, index_names: IndexNames): void {
  const [, name = at, inside] = Object.hasOwn(values, at) ? [] : (/^([^[\]]+)\[(.*)\]$/.exec(at) ?? []);
  let holder: unknown = values;
  let key = name;
  for (const [depth, step] of (inside?.split(/\s*,\s*|\]\[/) ?? []).entries()) {
    holder = partOf(holder, key);
    const index = index_names[name]?.[depth]?.indexOf(step) ?? -1;
    key = Array.isArray(holder) && index >= 0 ? String(index) : step;
  }
  if (isScalar(partOf(holder, key))) put(holder, key, value);
}

/** Returns a part of a list or an object; undefined if it does not exist. A list's length does not count as a part. */
export function partOf(holder: unknown, key: string | number): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return undefined;
  if (Array.isArray(holder) && key === "length") return undefined;
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

/** Replaces an existing part of a list or an object. */
export function put(holder: unknown, key: string | number, value: unknown): void {
  if (typeof holder === "object" && holder !== null && partOf(holder, key) !== undefined)
    Object.defineProperty(holder, key, { value });
}

/**
 * Shows a value, and its old value if it changed. Hidden words say so too, since some readers can't distinguish the
 * colours.
 */
export function changedHtml(value: Html, old: string | undefined): Html {
  if (old === undefined) return value;
  return html`<span class="hidden_text">was </span><s><bdi>${old === "" ? "–" : old}</bdi></s> → <b>${value}</b>`;
}

/** The legend for the marks on changed values. */
export const changed_legend = html`<p class="note"><span class="key moved"></span> old → new: changed from the plan that was kept</p>`;

/** Shows, as a table, the changes to the plan that should be kept. */
export function changesHtml(answer: Tree): Html {
  const keep = Keep.safeParse(answer["keep"]).data;
  if (!keep) return html``;
  const { number, changes, not_kept = [] } = keep;
  const rows = changes.map(({ at, old, new: value }) => [at, cell(old), cell(value)]);
  const more = number - changes.length;
  return html`<h2>${number === 0 ? "Nothing changed from the plan that was kept" : `Changed from the plan that was kept: ${number}`}</h2>${rows.length > 0 ? tableOf(["value", "old", "new"], rows) : ""}${more > 0 ? html`<p class="note">${more} more changes.</p>` : ""}${not_kept.length > 0 ? html`<p class="note">Not kept: ${not_kept.slice(0, viewer_limits.names_max).join(", ")}</p>` : ""}`;
}

/** Shows the `what_if` cases as a table, and why the values in question are impossible. */
export function casesHtml(answer: Tree): Html {
  const cases = z.array(Row).safeParse(answer["what_if"]).data ?? [];
  const why_not = Row.safeParse(answer["why_not"]).data;
  const table = (title: string, rows: readonly z.output<typeof Row>[]) =>
    rows.length === 0
      ? ""
      : html`<h2>${title}</h2>${tableOf(["case", "status", "objective", "difference", "what comes of it"], rows.map(cellsOf))}`;
  return html`${table("What if", cases)}${table("Why not", why_not ? [{ name: "in question", ...why_not }] : [])}`;
}

function cellsOf({
  name = "",
  status,
  message,
  objective,
  difference,
  broken = [],
  keep,
}: z.output<typeof Row>): Scalar[] {
  const lines = broken.map(({ item, line, text }) => `forbidden by item ${item}, line ${line}: ${text}`);
  const changes = keep?.changes.map((each) => `${each.at}: ${shown(each.old)} → ${shown(each.new)}`) ?? [];
  const sign = (difference ?? 0) > 0 ? "+" : "";
  return [
    name,
    status,
    cell(objective),
    difference == null ? "" : `${sign}${difference}`,
    [message, ...lines, ...changes].join("; "),
  ];
}

function cell(value: unknown): Scalar {
  return value === undefined || value === null ? "" : isScalar(value) ? value : JSON.stringify(value);
}
