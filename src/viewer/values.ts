import { coloursOf } from "./drawings/parts.ts";
import { type Html, html } from "./html.ts";
import { isScalar, isScalars, type Scalar, type Tree } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/** Values as they are: rows as tables, single values as a list. */
export function valuesHtml(values: Tree): Html {
  const all = Object.entries(values);
  const single = all.filter(([, value]) => isScalar(value));
  const others = all.filter(([, value]) => !isScalar(value));
  return html`${single.length > 0 ? singles(single) : ""}${others.map(([name, value]) => figure(name, value))}`;
}

function singles(values: readonly (readonly [string, unknown])[]): Html {
  const shown = values.slice(0, viewer_limits.cells_max);
  const rows = shown.map(
    ([name, value]) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${text(value)}</td></tr>`,
  );
  return html`<table class="values"><caption>Values</caption>${rows}</table>${rest(values.length, "values")}`;
}

function figure(name: string, value: unknown): Html {
  if (isScalars(value)) return row(name, value);
  if (Array.isArray(value)) return list(name, value);
  return html`<figure><figcaption><bdi>${name}</bdi></figcaption><pre>${JSON.stringify(value, null, 2)}</pre></figure>`;
}

function row(name: string, cells: readonly Scalar[]): Html {
  const shown = cells.slice(0, viewer_limits.cells_max);
  const colours = coloursOf(shown);
  const heads = shown.map((_, i) => html`<th scope="col">${i + 1}</th>`);
  return html`<figure><figcaption><bdi>${name}</bdi></figcaption><div class="wide"><table class="grid"><tr>${heads}</tr><tr>${shown.map((cell) => cellOf(cell, colours))}</tr></table></div>${rest(cells.length, "values")}</figure>`;
}

function list(name: string, values: readonly unknown[]): Html {
  const items = values
    .slice(0, viewer_limits.cells_max)
    .map((value) => html`<li><bdi>${JSON.stringify(value)}</bdi></li>`);
  return html`<figure><figcaption><bdi>${name}</bdi></figcaption><ol>${items}</ol>${rest(values.length, "entries")}</figure>`;
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

function text(value: unknown): Html {
  return html`<bdi>${typeof value === "string" ? value : JSON.stringify(value)}</bdi>`;
}
