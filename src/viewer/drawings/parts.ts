import type { Figure } from "../figures/figure.ts";
import { type Html, html } from "../html.ts";
import { type Scalar, shown } from "../json.ts";
import { viewer_limits } from "../limits.ts";

const by = { name: "a guess by the names of the values", shape: "a guess by their shape" };

/** Shows a figure with its title and notes. */
export function figureHtml(
  { title, guessed_by, notes = [] }: Pick<Figure, "title" | "guessed_by" | "notes">,
  drawing: Html,
): Html {
  const guess = guessed_by === undefined ? "" : html` <small>(${by[guessed_by]})</small>`;
  return html`<figure><figcaption><bdi>${title}</bdi>${guess}</figcaption>${drawing}${notes.map((note) => html`<p class="note">${note}</p>`)}</figure>`;
}

/** Shows a drawing's data as a table, for readers who can't see the drawing or who want the numbers. */
export function readersTable(columns: readonly string[], rows: readonly (readonly Scalar[])[]): Html {
  return html`<details class="numbers"><summary>As a table</summary>${tableOf(columns, rows)}</details>`;
}

export function tableOf(columns: readonly string[], rows: readonly (readonly Scalar[])[]): Html {
  const heads = columns.map((column) => html`<th scope="col"><bdi>${column}</bdi></th>`);
  const rows_max = Math.max(1, Math.floor(viewer_limits.cells_max / columns.length));
  const lines = rows
    .slice(0, rows_max)
    .map((row) => html`<tr>${row.map((cell) => html`<td><bdi>${shown(cell)}</bdi></td>`)}</tr>`);
  return html`<div class="wide"><table class="rows"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>${restNote(rows.length, Math.min(rows.length, rows_max), "rows", "in the table")}`;
}

/** Returns a note on how much a drawing omits. */
export function restNote(total: number, drawn: number, what: string, where = "drawn"): Html {
  return total > drawn ? html`<p class="note">${total - drawn} more ${what} are not ${where}.</p>` : html``;
}

/** Labels rows of equal height to the left of a drawing. For screen readers, the data table has these labels. */
export function namesColumn(names: readonly string[], height: number): Html {
  return html`<div class="names" aria-hidden="true" style="line-height:${height}px">${names.map((name) => html`<div style="height:${height}px"><bdi>${name}</bdi></div>`)}</div>`;
}

/** Returns the CSS class of a colour; the colours repeat after the last one. */
export function colourOf(number: number): string {
  return `c${number % viewer_limits.colours_max}`;
}

/** Values that name a colour, mapped to similar colours in `style.ts`. */
const named = new Map(
  Object.entries({ blue: 0, red: 1, green: 2, purple: 3, orange: 6, cyan: 7, pink: 8, violet: 10, yellow: 11 }),
);

/** Returns a colour for each value if there are only a few different ones; none if all values are equal. */
export function coloursOf(values: readonly Scalar[]): ReadonlyMap<Scalar, number> {
  const different = [...new Set(values)];
  if (different.length < 2 || different.length > viewer_limits.colours_max) return new Map();
  const own = different.flatMap((value) => named.get(String(value).toLowerCase()) ?? []);
  if (own.length === different.length) return new Map(different.map((value, i) => [value, own[i] ?? 0]));
  if (different.every((each) => typeof each === "number")) different.sort((a, b) => Number(a) - Number(b));
  return new Map(different.map((value, i) => [value, i]));
}
