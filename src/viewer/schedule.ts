import { type Html, html } from "./html.ts";
import { viewer_limits } from "./limits.ts";

interface Tasks {
  readonly names: readonly [string, string];
  readonly bars: readonly { readonly start: number; readonly length: number }[];
}

const row_px = 14;

/** A chart of tasks over time, where the values have starts with lengths or ends; undefined where they have none. */
export function scheduleHtml(values: Readonly<Record<string, unknown>>): Html | undefined {
  const tasks = tasksIn(values);
  if (!tasks) return undefined;
  const shown = tasks.bars.slice(0, viewer_limits.bars_max);
  const from = Math.min(...shown.map(({ start }) => start));
  const to = Math.max(...shown.map(({ start, length }) => start + length));
  const scale = 100 / Math.max(to - from, Number.EPSILON);
  const bars = shown.map(({ start, length }, i) => {
    const y = i * row_px + 1;
    const title = `task ${i + 1}: ${start} to ${start + length}`;
    return html`<rect x="${(start - from) * scale}%" y="${y}" width="${Math.max(length * scale, 0.2)}%" height="${row_px - 2}" class="bar"><title>${title}</title></rect>`;
  });
  const rest = tasks.bars.length - shown.length;
  const [starts, ends] = tasks.names;
  return html`<figure class="schedule"><figcaption>a schedule of ${starts} and ${ends}, from ${from} to ${to} <small>(a guess by their names)</small></figcaption>
<svg role="img" aria-label="schedule of ${shown.length} tasks" width="100%" height="${shown.length * row_px}">${bars}</svg>${rest > 0 ? html`<p class="note">${rest} more tasks are not drawn.</p>` : ""}</figure>`;
}

/** Lists of numbers of equal length, of which one is named as starts, and another as lengths or ends. */
function tasksIn(values: Readonly<Record<string, unknown>>): Tasks | undefined {
  const lists = Object.entries(values).flatMap(([name, value]) => (isNumbers(value) ? [{ name, value }] : []));
  const starts = lists.find(({ name }) => /^s$|start|begin/i.test(name));
  if (!starts) return undefined;
  const mates = lists.filter(({ name, value }) => name !== starts.name && value.length === starts.value.length);
  const lengths = mates.find(({ name }) => /^d$|dur|len|processing/i.test(name));
  const ends = mates.find(({ name }) => /^e$|end|finish/i.test(name));
  const mate = lengths ?? ends;
  if (!mate) return undefined;
  const bars = starts.value.map((start, i) => {
    const other = mate.value[i] ?? 0;
    return { start, length: mate === lengths ? other : other - start };
  });
  return bars.every(({ length }) => length >= 0) ? { names: [starts.name, mate.name], bars } : undefined;
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 1 && value.every((each) => typeof each === "number");
}
