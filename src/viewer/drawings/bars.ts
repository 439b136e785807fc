import { scaleLinear } from "d3-scale";
import type { Bars } from "../figures/figure.ts";
import { type Html, html } from "../html.ts";
import { shown } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import { figureHtml, namesColumn, readersTable, restNote } from "./parts.ts";

const [row_px, height_px] = [24, 180];

/** Draws numbers by size: as one horizontal bar each if there are few, otherwise as adjacent columns. */
export function barsHtml(figure: Bars): Html {
  const bars = figure.bars.slice(0, viewer_limits.bars_max);
  const values = bars.map(({ value }) => value);
  const scale = scaleLinear([Math.min(0, ...values), Math.max(0, ...values, Number.EPSILON)], [0, 100]);
  const drawing = bars.length > viewer_limits.names_max ? columns(bars, scale) : lines(bars, scale);
  const description = `${figure.title}: ${figure.bars.length} numbers from ${shown(Math.min(...values))} to ${shown(Math.max(...values))}`;
  const table = readersTable(
    ["name", "value"],
    figure.bars.map(({ label, value }) => [label, value]),
  );
  return figureHtml(
    figure,
    html`${drawing(description)}${restNote(figure.bars.length, bars.length, "values")}${table}`,
  );
}

type Scale = (value: number) => number;

function lines(bars: Bars["bars"], scale: Scale): (description: string) => Html {
  // The number is placed after its bar, so even the longest bar must leave room for a number.
  const at = (value: number) => scale(value) * 0.85;
  const rects = bars.map(({ label, value }, i) => {
    const [from, to] = [Math.min(at(0), at(value)), Math.max(at(0), at(value))];
    const bar = html`<rect x="${from}%" y="${i * row_px + 3}" width="${Math.max(to - from, 0.2)}%" height="${row_px - 6}" rx="2" class="fill c0"/>`;
    return html`<g><title>${label}: ${shown(value)}</title>${bar}<text x="${to}%" dx="5" y="${i * row_px + row_px / 2 + 4}" class="tick">${shown(value)}</text></g>`;
  });
  const names = namesColumn(
    bars.map(({ label }) => label),
    row_px,
  );
  return (description) =>
    html`<div class="plot">${names}<svg role="img" aria-label="${description}" width="100%" height="${bars.length * row_px}">${rects}</svg></div>`;
}

function columns(bars: Bars["bars"], scale: Scale): (description: string) => Html {
  const y = (value: number) => height_px * (1 - scale(value) / 100);
  const step = 100 / bars.length;
  const rects = bars.map(({ label, value }, i) => {
    const [top, bottom] = [Math.min(y(0), y(value)), Math.max(y(0), y(value))];
    return html`<rect x="${Math.round(i * step * 1000) / 1000}%" y="${round(top)}" width="${Math.round(step * 900) / 1000}%" height="${round(Math.max(bottom - top, 1))}" class="fill c0"><title>${label}: ${shown(value)}</title></rect>`;
  });
  const values = bars.map(({ value }) => value);
  const ticks = [Math.max(...values), ...(Math.min(...values) < 0 ? [Math.min(...values)] : [])];
  const marks = ticks.map(
    (value) =>
      html`<text x="2" y="${round(Math.min(Math.max(y(value) + 12, 12), height_px - 2))}" class="halo">${shown(value)}</text>`,
  );
  return (description) =>
    html`<svg role="img" aria-label="${description}" width="100%" height="${height_px}">${rects}<line x1="0" x2="100%" y1="${round(y(0))}" y2="${round(y(0))}" class="axis"/>${marks}</svg>`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
