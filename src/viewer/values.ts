import { type Html, html } from "./html.ts";
import { viewer_limits } from "./limits.ts";

type Scalar = string | number | boolean | null;

/** The values of an answer: grids and rows as tables, single values as a list. */
export function valuesHtml(values: Readonly<Record<string, unknown>>): Html {
  const all = Object.entries(values);
  const single = all.filter(([, value]) => isScalar(value));
  const others = all.filter(([, value]) => !isScalar(value));
  return html`${single.length > 0 ? singles(single) : ""}${others.map(([name, value]) => figure(name, value))}`;
}

function singles(values: readonly (readonly [string, unknown])[]): Html {
  const shown = values.slice(0, viewer_limits.cells_max);
  const rows = shown.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${text(value)}</td></tr>`);
  return html`<table class="values"><caption>values</caption>${rows}</table>${rest(values.length, "values")}`;
}

function figure(name: string, value: unknown): Html {
  if (isGrid(value)) return grid(name, value);
  if (Array.isArray(value) && value.every(isScalar)) return row(name, value);
  if (Array.isArray(value)) return list(name, value);
  return html`<figure><figcaption>${name}</figcaption><pre>${JSON.stringify(value, null, 2)}</pre></figure>`;
}

function grid(name: string, rows: readonly (readonly Scalar[])[]): Html {
  const colours = coloursOf(rows.flat());
  const rows_max = Math.max(1, Math.floor(viewer_limits.cells_max / Math.max(1, rows[0]?.length ?? 1)));
  const shown = rows.slice(0, rows_max).map((cells) => html`<tr>${cells.map((cell) => cellOf(cell, colours))}</tr>`);
  const note = rows.length > rows_max ? html`<p class="note">The first ${rows_max} of ${rows.length} rows.</p>` : "";
  return html`<figure><figcaption>${name}</figcaption><div class="wide"><table class="grid">${shown}</table></div>${note}</figure>`;
}

function row(name: string, cells: readonly Scalar[]): Html {
  const shown = cells.slice(0, viewer_limits.cells_max);
  const colours = coloursOf(shown);
  const heads = shown.map((_, i) => html`<th scope="col">${i + 1}</th>`);
  return html`<figure><figcaption>${name}</figcaption><div class="wide"><table class="grid"><tr>${heads}</tr><tr>${shown.map((cell) => cellOf(cell, colours))}</tr></table></div>${rest(cells.length, "values")}</figure>`;
}

function list(name: string, values: readonly unknown[]): Html {
  const items = values
    .slice(0, viewer_limits.cells_max)
    .map((value) => html`<li><bdi>${JSON.stringify(value)}</bdi></li>`);
  return html`<figure><figcaption>${name}</figcaption><ol>${items}</ol>${rest(values.length, "entries")}</figure>`;
}

/** What a table or list leaves out. */
function rest(total: number, what: string): Html {
  const { cells_max } = viewer_limits;
  return total > cells_max ? html`<p class="note">The first ${cells_max} of ${total} ${what}.</p>` : html``;
}

function cellOf(value: Scalar, colours: ReadonlyMap<Scalar, number>): Html {
  const colour = colours.get(value);
  return colour === undefined ? html`<td>${text(value)}</td>` : html`<td class="c${colour}">${text(value)}</td>`;
}

/** A colour for each of a few different values; none where all are the same. */
function coloursOf(values: readonly Scalar[]): ReadonlyMap<Scalar, number> {
  const different = [...new Set(values)];
  if (different.length < 2 || different.length > viewer_limits.colours_max) return new Map();
  return new Map(different.map((value, i) => [value, i]));
}

function text(value: unknown): Html {
  return html`<bdi>${typeof value === "string" ? value : JSON.stringify(value)}</bdi>`;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isGrid(value: unknown): value is readonly (readonly Scalar[])[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const [first] = value;
  return (
    Array.isArray(first) &&
    first.length > 0 &&
    value.every((each) => Array.isArray(each) && each.length === first.length && each.every(isScalar))
  );
}
