import { gridHtml } from "./drawings/grid.ts";
import { type Html, html } from "./html.ts";
import { isScalar, isScalars, type Tree, treeOf } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/** Values as they are: rows as tables, single values as a list. */
export function valuesHtml(values: Tree): Html {
  const all = Object.entries(values);
  const single = all.filter(([, value]) => isScalar(value));
  const others = all.filter(([, value]) => !isScalar(value));
  return html`${single.length > 0 ? singles("Values", single) : ""}${others.map(([name, value]) => figure(name, value))}`;
}

function singles(caption: string, all: readonly (readonly [string, unknown])[]): Html {
  const telling = all.length > viewer_limits.singles_max ? all.filter(([, value]) => Boolean(value)) : all;
  if (telling.length < all.length)
    return html`${singles(`${caption} that are not 0 or false`, telling)}<details><summary>All ${all.length}</summary>${listed(caption, all)}</details>`;
  return listed(caption, all);
}

function listed(caption: string, values: readonly (readonly [string, unknown])[]): Html {
  const shown = values.slice(0, viewer_limits.cells_max);
  const rows = shown.map(
    ([name, value]) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${text(value)}</td></tr>`,
  );
  return html`<div class="tall"><table class="values"><caption><bdi>${caption}</bdi></caption>${rows}</table></div>${rest(values.length, "values")}`;
}

function figure(name: string, value: unknown): Html {
  if (isScalars(value)) {
    const column_labels = value.map((_, i) => String(i + 1));
    return gridHtml({ kind: "grid", look: "plain", title: name, uses: [], cells: [value], column_labels });
  }
  if (Array.isArray(value)) return list(name, value);
  const entries = Object.entries(treeOf(value) ?? {});
  if (entries.every(([, each]) => isScalar(each))) return singles(name, entries);
  return html`<figure><figcaption><bdi>${name}</bdi></figcaption><pre>${JSON.stringify(value, null, 2)}</pre></figure>`;
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

function text(value: unknown): Html {
  return html`<bdi>${typeof value === "string" ? value : JSON.stringify(value)}</bdi>`;
}
