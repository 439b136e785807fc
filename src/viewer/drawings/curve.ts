import { scaleLinear } from "d3-scale";
import { type Html, html } from "../html.ts";
import { shown, type Tree, treeOf } from "../json.ts";
import { figureHtml, readersTable } from "./parts.ts";

interface Step {
  readonly seconds: number;
  readonly objective: number;
  /** The bound on the objective known at that time. */
  readonly bound?: number;
}

/** A step line, on which each value lasts until the next. */
type Line = readonly { readonly seconds: number; readonly value: number }[];

const [plot_px, axis_px] = [150, 22];

/** Draws how the objective improved during the search, and its bound; empty if the objective did not change. */
export function curveHtml(answer: Tree): Html {
  const steps = stepsIn(answer["incumbents"]);
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || steps.length < 2) return html``;
  const end = endOf(answer, last);
  const solve_time = answer["solve_time"];
  const to = Math.max(last.seconds, typeof solve_time === "number" ? solve_time : 0, 0.001);
  const bounds = boundsOver(steps, end, to);
  // A process takes time to start. If that took longer than the search, the picture begins shortly before the first
  // solution.
  const from = 2 * first.seconds > to ? Math.max(0, first.seconds - (to - first.seconds) / 10) : 0;
  const x = scaleLinear([from, to], [0, 100]);
  const heights = [...steps.map(({ objective }) => objective), ...(end ? [end.value] : [])];
  // The first bounds can be so far off that the solutions would look like one flat line, so the picture crops them.
  const [least, most] = [Math.min(...heights), Math.max(...heights)];
  const near = bounds.map(({ value }) => Math.min(Math.max(value, 2 * least - most), 2 * most - least));
  const y = scaleLinear([Math.min(least, ...near), Math.max(most, ...near)], [plot_px - 8, 14]).nice(3);
  const path = (line: Line) => pathOf([...line, { seconds: to, value: line.at(-1)?.value ?? 0 }], x, y);
  const ticks = x.ticks(5).map((tick) => xTick(x(tick), shown(tick)));
  const levels = y.ticks(3).map((level) => yTick(y(level), shown(level)));
  const named = end ? boundName(y(end.value), `${end.name} ${shown(end.value)}`, first.objective > last.objective) : "";
  const bounded =
    bounds.length > 0 ? html`<path d="${path(bounds)}" class="bound" vector-effect="non-scaling-stroke"/>` : "";
  const objectives = steps.map(({ seconds, objective: value }) => ({ seconds, value }));
  const description = `The objective from ${shown(first.objective)} to ${shown(last.objective)} in ${steps.length} steps${end ? `, ${end.name} ${shown(end.value)}` : ""}`;
  const svg = html`<svg role="img" aria-label="${description}" width="100%" height="${plot_px + axis_px}">${levels}${ticks}<svg width="100%" height="${plot_px}" viewBox="0 0 100 ${plot_px}" preserveAspectRatio="none">${bounded}<path d="${path(objectives)}" class="edge c0" vector-effect="non-scaling-stroke"/></svg>${named}</svg>`;
  const [bottom = 0, top = 0] = y.domain();
  const is_cut = bounds.some(({ value }) => value < bottom || value > top);
  const notes = is_cut ? ["Earlier bounds are outside the picture; the table lists them."] : [];
  return figureHtml({ title: "The search: objective over seconds", notes }, html`${svg}${tableOf(steps)}`);
}

function tableOf(steps: readonly Step[]): Html {
  const has_bounds = steps.some(({ bound }) => bound !== undefined);
  const rows = steps.map(({ seconds, objective, bound = null }) => [
    seconds,
    objective,
    ...(has_bounds ? [bound ?? "not known"] : []),
  ]);
  return readersTable(["seconds", "objective", ...(has_bounds ? ["bound"] : [])], rows);
}

function stepsIn(incumbents: unknown): readonly Step[] {
  return (Array.isArray(incumbents) ? incumbents : []).flatMap((each: unknown) => {
    const { seconds, objective, bound } = treeOf(each) ?? {};
    const is_step = isNumber(seconds) && isNumber(objective);
    return is_step ? [{ seconds, objective, ...(isNumber(bound) && { bound }) }] : [];
  });
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

interface End {
  readonly value: number;
  readonly name: string;
}

/** Returns the final bound on the objective: the proved optimum, or the solver's bound. */
function endOf(answer: Tree, last: Step): End | undefined {
  const { objective, objective_bound } = answer;
  if (answer["optimal"] === true)
    return { value: isNumber(objective) ? objective : last.objective, name: "proved best" };
  return isNumber(objective_bound) ? { value: objective_bound, name: "bound" } : undefined;
}

/**
 * Returns the bound over time, which is the best one known so far at each point; if none was reported, only the final
 * one.
 */
function boundsOver(steps: readonly Step[], end: End | undefined, to: number): Line {
  if (!end) return [];
  const known = steps.flatMap(({ seconds, bound }) => (bound === undefined ? [] : [{ seconds, value: bound }]));
  if (known.length === 0) return [{ seconds: steps[0]?.seconds ?? 0, value: end.value }];
  const is_least = (steps[0]?.objective ?? 0) > (steps.at(-1)?.objective ?? 0);
  let best = is_least ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const line = known.map(({ seconds, value }) => {
    best = is_least ? Math.max(best, value) : Math.min(best, value);
    return { seconds, value: best };
  });
  return [...line, { seconds: to, value: end.value }];
}

/** Writes a path of steps between the values. */
function pathOf(line: Line, x: (seconds: number) => number, y: (value: number) => number): string {
  const at = (value: number) => Math.round(value * 100) / 100;
  return line
    .map(({ seconds, value }, i) =>
      i === 0 ? `M${at(x(seconds))},${at(y(value))}` : `H${at(x(seconds))}V${at(y(value))}`,
    )
    .join("");
}

function xTick(x: number, label: string): Html {
  const anchor = x < 2 ? "start" : x > 98 ? "end" : "middle";
  return html`<line x1="${x}%" x2="${x}%" y1="${plot_px}" y2="${plot_px + 4}" class="axis"/><text x="${x}%" y="${plot_px + 17}" text-anchor="${anchor}" class="tick">${label}</text>`;
}

function yTick(y: number, label: string): Html {
  return html`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="rule"/><text x="2" y="${y - 3}" class="tick">${label}</text>`;
}

/** Draws the bound's label on the side where there are no solutions. */
function boundName(y: number, label: string, is_least: boolean): Html {
  const baseline = is_least && y < plot_px - 18 ? y + 14 : y - 4;
  return html`<text x="100%" y="${baseline}" text-anchor="end" class="halo">${label}</text>`;
}
