import { scaleLinear } from "d3-scale";
import type { Gantt, Task } from "../figures/figure.ts";
import { type Html, html } from "../html.ts";
import { shown } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import { colourOf, figureHtml, namesColumn, readersTable, restNote } from "./parts.ts";

interface Lane {
  readonly name: string;
  /** The lane's tasks, which do not overlap. */
  readonly tasks: Task[];
}

const axis_px = 22;

/** Draws tasks over time, in one lane per machine or per task. Widths are relative to the page; heights are fixed. */
export function ganttHtml(figure: Gantt): Html {
  const tasks = figure.tasks.slice(0, viewer_limits.bars_max);
  const lanes = lanesOf(tasks);
  const lane_px = lanes.length > viewer_limits.names_max ? 12 : 26;
  const from = Math.min(...tasks.map(({ start }) => start));
  const to = Math.max(...tasks.map(({ end }) => end));
  const scale = scaleLinear([Math.min(from, 0), to > from ? to : from + 1], [0, 100]).nice(6);
  const height = lanes.length * lane_px;
  const grid = scale.ticks(6).map((tick) => tickHtml(scale(tick), shown(tick), height));
  const colours = new Map([...new Set(figure.tasks.map(({ label }) => groupOf(label)))].map((each, i) => [each, i]));
  const has_rows = tasks.some(({ row }) => row !== undefined);
  const colourFor = ({ label }: Task) => (has_rows ? (colours.get(groupOf(label)) ?? 0) : 0);
  const bars = lanes.flatMap((lane, i) =>
    lane.tasks.map((task) => barHtml(task, { scale, y: i * lane_px + 2, height: lane_px - 4 }, colourFor(task))),
  );
  const description = `${figure.title}: ${figure.tasks.length} tasks from ${shown(from)} to ${shown(to)}`;
  const svg = html`<svg role="img" aria-label="${description}" width="100%" height="${height + axis_px}">${grid}${bars}</svg>`;
  const names =
    lane_px > 12
      ? namesColumn(
          lanes.map(({ name }) => name),
          lane_px,
        )
      : "";
  const span = html`<p class="note">From ${shown(from)} to ${shown(to)}.</p>`;
  const table = readersTable(
    ["task", "row", "start", "end"],
    figure.tasks.map(({ label, row, start, end }) => [label, row ?? "", start, end]),
  );
  return figureHtml(
    figure,
    html`<div class="plot">${names}${svg}</div>${restNote(figure.tasks.length, tasks.length, "tasks")}${span}${table}`,
  );
}

/**
 * Returns the job that an operation belongs to, since all operations of a job have the same colour: "2.1" and "2.3"
 * belong to job 2.
 */
function groupOf(label: string): string {
  return label.replace(/[.\-_ ]\w+$/, "");
}

/** Returns one lane per row, or several if tasks in a row overlap; without rows, one lane per task. */
function lanesOf(tasks: readonly Task[]): readonly Lane[] {
  if (tasks.every(({ row }) => row === undefined)) return tasks.map((task) => ({ name: task.label, tasks: [task] }));
  const rows = new Map<string, Lane[]>();
  for (const task of tasks.toSorted((a, b) => a.start - b.start)) {
    const name = task.row ?? task.label;
    const lanes = rows.get(name) ?? [];
    const free = lanes.find((lane) => (lane.tasks.at(-1)?.end ?? Number.NEGATIVE_INFINITY) <= task.start);
    if (free) free.tasks.push(task);
    else lanes.push({ name: lanes.length === 0 ? name : "", tasks: [task] });
    rows.set(name, lanes);
  }
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...rows].toSorted(([a], [b]) => compare(a, b)).flatMap(([, lanes]) => lanes);
}

function tickHtml(x: number, label: string, height: number): Html {
  const anchor = x < 2 ? "start" : x > 98 ? "end" : "middle";
  return html`<line x1="${x}%" x2="${x}%" y1="0" y2="${height + 4}" class="rule"/><text x="${x}%" y="${height + 17}" text-anchor="${anchor}" class="tick">${label}</text>`;
}

interface Place {
  readonly scale: (value: number) => number;
  readonly y: number;
  readonly height: number;
}

/** Draws a bar, with its name if there is room; a task of length zero becomes a thin mark. */
function barHtml({ label, start, end, row }: Task, { scale, y, height }: Place, colour: number): Html {
  const x = scale(start);
  const width = Math.max(scale(end) - x, 0.3);
  const fits = row !== undefined && height > 12 && width * 6 > label.length * 8;
  const text = fits ? html`<text x="6" y="${height / 2 + 4}" class="in">${label}</text>` : "";
  return html`<svg x="${round(x)}%" y="${y}" width="${round(width)}%" height="${height}"><title>${label}: ${shown(start)} to ${shown(end)}</title><rect width="100%" height="100%" rx="3" class="fill ${colourOf(colour)}"/>${text}</svg>`;
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
