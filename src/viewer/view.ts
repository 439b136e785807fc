import * as z from "zod/v4";
import { viewer_limits } from "./limits.ts";

const { list_max, name_chars_max } = viewer_limits;

/** The name of a value of the answer or of its data (`tasks.start`: a field of each of them), or the list itself. */
const named = z.union([z.string().min(1).max(name_chars_max), z.array(z.unknown()).max(list_max)], {
  error: ({ path }) => `view.${String(path?.at(-1) ?? "")} must be the name of a value, or a list.`,
});
const place = { x: named.optional(), y: named.optional(), points: named.optional(), labels: named.optional() };
const title = z.string().max(name_chars_max).optional();

/** A kind with its fields; a field that it does not have is named. */
function kindOf<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys"
      ? `view of kind ${kind} does not have ${issue.keys.join(", ")}; it has: ${Object.keys(shape).join(", ")}.`
      : undefined;
  return z.strictObject({ kind: z.literal(kind), title, ...shape }, { error });
}

/** What the values of an answer mean: how a page draws them. */
export const View = z
  .discriminatedUnion(
    "kind",
    [
      kindOf("gantt", {
        ...{ start: named, duration: named.optional(), end: named.optional() },
        ...{ rows: named.optional(), labels: named.optional() },
      }),
      kindOf("grid", {
        ...{ cells: named, width: z.int().min(1).max(list_max).optional() },
        ...{ rows: named.optional(), columns: named.optional() },
      }),
      kindOf("route", { next: named.optional(), order: named.optional(), ...place }),
      kindOf("graph", {
        ...{ edges: named.optional(), from: named.optional(), to: named.optional(), chosen: named.optional() },
        ...{ colors: named.optional(), directed: z.boolean().optional(), ...place },
      }),
      kindOf("bars", { values: named, labels: named.optional() }),
      kindOf("table", { columns: z.array(named).min(1).max(viewer_limits.columns_max) }),
    ],
    { error: "view.kind must be one of: gantt, grid, route, graph, bars, table." },
  )
  .superRefine((view, context) => {
    const missing = missingIn(view);
    if (missing !== undefined) context.addIssue({ code: "custom", message: missing, input: view });
  });

export type View = z.output<typeof View>;
export type ViewOf<Kind extends View["kind"]> = Extract<View, { kind: Kind }>;

/** A value by name, or a list. */
export type Named = z.output<typeof named>;

/** What a view needs besides: one of two fields. */
function missingIn(view: View): string | undefined {
  if (view.kind === "gantt" && view.duration === undefined && view.end === undefined)
    return "view of kind gantt needs duration or end in addition to start.";
  if (view.kind === "route" && (view.next === undefined) === (view.order === undefined))
    return "view of kind route needs next (the successor of each place) or order (the places as they are visited), and not both.";
  if (view.kind === "graph" && view.edges === undefined && (view.from === undefined || view.to === undefined))
    return "view of kind graph needs edges (pairs), or from and to.";
  return undefined;
}
