// This module uses zod's mini variant, since the page in a chat includes this schema.
import * as z from "zod/mini";
import { viewer_limits } from "./limits.ts";

const { list_max, name_chars_max } = viewer_limits;

/**
 * The name of a value in the answer or its data, or the list itself; `tasks.start` is the field `start` of each task.
 */
const named = z.union(
  [z.string().check(z.minLength(1), z.maxLength(name_chars_max)), z.array(z.unknown()).check(z.maxLength(list_max))],
  {
    error: ({ path }) => `view.${String(path?.at(-1) ?? "")} must be the name of a value, or a list.`,
  },
);
const some = z.optional(named);
const place = { x: some, y: some, points: some, labels: some };
const title = z.optional(z.string().check(z.maxLength(name_chars_max)));

/** Creates the schema for a kind with its fields; the error names an unknown field. */
function kindOf<Kind extends string, Shape extends z.core.$ZodShape>(kind: Kind, shape: Shape) {
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys"
      ? `view of kind ${kind} does not have ${issue.keys.join(", ")}; it has: ${Object.keys(shape).join(", ")}.`
      : undefined;
  return z.strictObject({ kind: z.literal(kind), title, ...shape }, { error });
}

/** The meaning of an answer's values, which determines how a page draws them. */
export const View = z
  .discriminatedUnion(
    "kind",
    [
      kindOf("gantt", {
        ...{ start: named, duration: some, end: some },
        ...{ rows: some, labels: some },
      }),
      kindOf("grid", {
        ...{ cells: named, width: z.optional(z.int().check(z.minimum(1), z.maximum(list_max))) },
        ...{ rows: some, columns: some },
      }),
      kindOf("route", { next: some, order: some, ...place }),
      kindOf("graph", {
        ...{ edges: some, from: some, to: some, chosen: some },
        ...{ colors: some, directed: z.optional(z.boolean()), ...place },
      }),
      kindOf("bars", { values: named, labels: some }),
      kindOf("table", { columns: z.array(named).check(z.minLength(1), z.maxLength(viewer_limits.columns_max)) }),
    ],
    { error: "view.kind must be one of: gantt, grid, route, graph, bars, table." },
  )
  .check(({ value, issues }) => {
    const missing = missingIn(value);
    if (missing !== undefined) issues.push({ code: "custom", message: missing, input: value });
  });

export type View = z.output<typeof View>;
export type ViewOf<Kind extends View["kind"]> = Extract<View, { kind: Kind }>;

/** The name of a value, or a list. */
export type Named = z.output<typeof named>;

/** Describes a missing field, since some kinds need one of two fields. */
function missingIn(view: View): string | undefined {
  if (view.kind === "gantt" && view.duration === undefined && view.end === undefined)
    return "view of kind gantt needs duration or end in addition to start.";
  if (view.kind === "route" && (view.next === undefined) === (view.order === undefined))
    return "view of kind route needs next (the successor of each place) or order (the places in visiting order), not both.";
  if (view.kind === "graph" && view.edges === undefined && (view.from === undefined || view.to === undefined))
    return "view of kind graph needs edges (pairs), or from and to.";
  return undefined;
}
