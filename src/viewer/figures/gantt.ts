import { isScalars } from "../json.ts";
import type { ViewOf } from "../view.ts";
import type { Gantt, Task } from "./figure.ts";
import { Unfit, type Values } from "./values.ts";

const names = {
  start: /^s$|start|begin/i,
  duration: /^d$|dur|len|processing/i,
  end: /^e$|end|finish/i,
  rows: /^(m|machines?|resources?|rooms?|workers?|stations?|crews?|who|lines?|assign(ed|ment)?s?)$/i,
  labels: /^(labels?|names?|tasks?|jobs?|titles?)$/i,
};

/** Guesses tasks from number lists of equal length, one named like starts and another like durations or ends. */
export function guessGantt(values: Values): ViewOf<"gantt"> | undefined {
  const start = values.find(names.start, (value) => sizeOf(value) > 1 && isNumeric(value));
  if (start === undefined) return undefined;
  const size = sizeOf(values.get(start));
  const mate = (name: RegExp) => values.find(name, (value) => sizeOf(value) === size && isNumeric(value), [start]);
  const duration = mate(names.duration);
  const end = duration === undefined ? mate(names.end) : undefined;
  if (duration === undefined && end === undefined) return undefined;
  const rows = values.find(names.rows, (value) => sizeOf(value) === size, [start]);
  const labels = values.find(names.labels, (value) => isScalars(value) && value.length === size);
  return {
    kind: "gantt",
    start,
    ...(duration !== undefined && { duration }),
    ...(end !== undefined && { end }),
    ...(rows !== undefined && { rows }),
    ...(labels !== undefined && { labels }),
  };
}

/** Builds a chart of tasks from a view. Raises `Unfit`. */
export function ganttOf(view: ViewOf<"gantt">, values: Values): Gantt {
  const starts = values.numbers("start", view.start);
  const durations = view.duration === undefined ? undefined : values.numbers("duration", view.duration);
  const ends = view.end === undefined ? undefined : values.numbers("end", view.end);
  for (const [field, list] of Object.entries({ duration: durations, end: ends }))
    if (list && list.length !== starts.length)
      throw new Unfit(`start has ${starts.length} numbers, but ${field} has ${list.length}`);
  const rows = rowNames(view, values, starts.length) ?? jobsOf(values.value("start", view.start));
  const labels =
    values.labels("labels", view.labels, starts.length, { of: view.start }) ??
    starts.map((_, i) => labelOf(i, values, view));
  const tasks = starts.flatMap((start, i): Task[] => {
    const duration = durations?.[i];
    const end = ends?.[i] ?? (start === undefined || duration === undefined ? undefined : start + duration);
    if (start === undefined || end === undefined) return [];
    return [{ label: labels[i] ?? "", row: rows?.[i], start, end }];
  });
  const lost = starts.length - tasks.length;
  if (tasks.length === 0) throw new Unfit("no task has a finite start and a duration or an end");
  if (tasks.some(({ start, end }) => end < start)) throw new Unfit("some tasks end before they start");
  const refs = [view.start, view.duration, view.end, view.rows, view.labels];
  return {
    kind: "gantt",
    title: view.title ?? titleOf(view),
    tasks,
    uses: refs.filter((ref) => typeof ref === "string"),
    notes: lost > 0 ? [`${lost} tasks without a finite start and end are not drawn.`] : [],
  };
}

function titleOf({ start, duration, end }: ViewOf<"gantt">): string {
  const mate = duration ?? end;
  if (typeof start !== "string") return "A schedule";
  return `A schedule of ${start}${typeof mate === "string" ? ` and ${mate}` : ""}`;
}

/** Returns the names of the rows; a number is prefixed with the name of its list: "machine 2". */
function rowNames({ rows: ref }: ViewOf<"gantt">, values: Values, size: number): readonly string[] | undefined {
  if (ref === undefined) return undefined;
  const names = values.labels("rows", values.list("rows", ref).slice(), size);
  const what = typeof ref === "string" ? ref.replace(/s$/, "") : "row";
  return names?.map((name) => (/^\d+$/.test(name) ? `${what} ${name}` : name));
}

/** Returns the row of each task in a list of lists, in which each inner list is a row: a job with its operations. */
function jobsOf(starts: unknown): readonly string[] | undefined {
  if (!Array.isArray(starts) || !starts.every(Array.isArray)) return undefined;
  return starts.flatMap((row, i) => row.map(() => `job ${i + 1}`));
}

/** Names a task that has no name: by its index, or in a list of lists by the indices of its job and operation. */
function labelOf(i: number, values: Values, view: ViewOf<"gantt">): string {
  const starts = values.value("start", view.start);
  if (!Array.isArray(starts) || !starts.every(Array.isArray)) return `task ${i + 1}`;
  let left = i;
  const job = starts.findIndex((row) => {
    left -= row.length;
    return left < 0;
  });
  return `${job + 1}.${left + (starts[job]?.length ?? 0) + 1}`;
}

/** The number of single values in a list, or in a list of lists. */
function sizeOf(value: unknown): number {
  return Array.isArray(value) ? value.flat().length : 0;
}

function isNumeric(value: unknown): boolean {
  return Array.isArray(value) && value.flat().every((each) => typeof each === "number");
}
