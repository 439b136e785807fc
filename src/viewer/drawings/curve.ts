import { scaleLinear } from "d3-scale";
import { curveStepAfter, line } from "d3-shape";
import { type Html, html } from "../html.ts";
import { shown, type Tree, treeOf } from "../json.ts";
import { figureHtml, readersTable } from "./parts.ts";

interface Step {
  readonly seconds: number;
  readonly objective: number;
}

const [plot_px, axis_px] = [150, 22];

/** How the objective became better while the search went on, and its bound; nothing where it did not change. */
export function curveHtml(answer: Tree): Html {
  const steps = stepsIn(answer["incumbents"]);
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || steps.length < 2) return html``;
  const bound = boundOf(answer, last);
  const solve_time = answer["solve_time"];
  const to = Math.max(last.seconds, typeof solve_time === "number" ? solve_time : 0, 0.001);
  const x = scaleLinear([0, to], [0, 100]);
  const heights = [...steps.map(({ objective }) => objective), ...(bound ? [bound.value] : [])];
  const y = scaleLinear([Math.min(...heights), Math.max(...heights)], [plot_px - 8, 14]).nice(3);
  const path = line<Step>(
    ({ seconds }) => x(seconds),
    ({ objective }) => y(objective),
  ).curve(curveStepAfter);
  const drawn = path([...steps, { seconds: to, objective: last.objective }]) ?? "";
  const ticks = x.ticks(5).map((tick) => xTick(x(tick), shown(tick)));
  const levels = y.ticks(3).map((level) => yTick(y(level), shown(level)));
  const bounded = bound ? boundHtml(y(bound.value), `${bound.name} ${shown(bound.value)}`) : "";
  const description = `The objective from ${shown(first.objective)} to ${shown(last.objective)} in ${steps.length} steps${bound ? `, ${bound.name} ${shown(bound.value)}` : ""}`;
  const svg = html`<svg role="img" aria-label="${description}" width="100%" height="${plot_px + axis_px}">${levels}${ticks}<svg width="100%" height="${plot_px}" viewBox="0 0 100 ${plot_px}" preserveAspectRatio="none"><path d="${drawn}" class="edge c0" vector-effect="non-scaling-stroke"/></svg>${bounded}</svg>`;
  const table = readersTable(
    ["seconds", "objective"],
    steps.map(({ seconds, objective }) => [seconds, objective]),
  );
  return figureHtml({ title: "The search: objective over seconds" }, html`${svg}${table}`);
}

function stepsIn(incumbents: unknown): readonly Step[] {
  return (Array.isArray(incumbents) ? incumbents : []).flatMap((each: unknown) => {
    const { seconds, objective } = treeOf(each) ?? {};
    return typeof seconds === "number" && typeof objective === "number" ? [{ seconds, objective }] : [];
  });
}

/** What the objective can't pass: the proved optimum, or a bound that the solver gave. */
function boundOf(answer: Tree, last: Step): { readonly value: number; readonly name: string } | undefined {
  const { objective, objective_bound } = answer;
  if (answer["optimal"] === true)
    return { value: typeof objective === "number" ? objective : last.objective, name: "proved best" };
  return typeof objective_bound === "number" && Number.isFinite(objective_bound)
    ? { value: objective_bound, name: "bound" }
    : undefined;
}

function xTick(x: number, label: string): Html {
  const anchor = x < 2 ? "start" : x > 98 ? "end" : "middle";
  return html`<line x1="${x}%" x2="${x}%" y1="${plot_px}" y2="${plot_px + 4}" class="axis"/><text x="${x}%" y="${plot_px + 17}" text-anchor="${anchor}" class="tick">${label}</text>`;
}

function yTick(y: number, label: string): Html {
  return html`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="rule"/><text x="2" y="${y - 3}" class="tick">${label}</text>`;
}

function boundHtml(y: number, label: string): Html {
  return html`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="bound"/><text x="100%" y="${y - 4}" text-anchor="end" class="halo">${label}</text>`;
}
