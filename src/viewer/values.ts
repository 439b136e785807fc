import { changed_legend, changedHtml } from "./changes.ts";
import { gridHtml } from "./drawings/grid.ts";
import type { Path } from "./figures/figure.ts";
import { type Html, html } from "./html.ts";
import { isScalar, isScalars, type Tree, treeOf } from "./json.ts";
import { viewer_limits } from "./limits.ts";

/** How values are shown: with their old values after a change, and with their paths for an editor. */
export interface Showing {
  readonly before?: Tree | undefined;
  readonly is_editable?: boolean | undefined;
}

/** Shows values without figures: rows as tables, single values as a list. */
export function valuesHtml(values: Tree, showing: Showing = {}): Html {
  const all = Object.entries(values);
  const single = all.filter(([, value]) => isScalar(value));
  const others = all.filter(([, value]) => !isScalar(value));
  const shown = single.map(([name, value]) => ({ name, value, old: showing.before?.[name], place: [name] }));
  return html`${shown.length > 0 ? singles("Values", shown, showing) : ""}${others.map(([name, value]) => figure(name, value, showing))}`;
}

interface Single {
  readonly name: string;
  readonly value: unknown;
  readonly old: unknown;
  readonly place: Path;
}

function singles(caption: string, all: readonly Single[], showing: Showing): Html {
  const telling = all.length > viewer_limits.singles_max ? all.filter(({ value, old = value }) => value || old) : all;
  if (telling.length < all.length)
    return html`${singles(`${caption} that are not 0 or false`, telling, showing)}<details><summary>All ${all.length}</summary>${listed(caption, all, showing)}</details>`;
  return listed(caption, all, showing);
}

function listed(caption: string, values: readonly Single[], { is_editable }: Showing): Html {
  const shown = values.slice(0, viewer_limits.cells_max);
  const rows = shown.map(({ name, value, old = value, place }) => {
    const is_moved = old !== value;
    const at = is_editable ? html` data-at="${JSON.stringify(place)}"` : "";
    return html`<tr><th scope="row"><bdi>${name}</bdi></th><td${is_moved ? html` class="moved"` : ""}${at}>${changedHtml(text(value), is_moved ? plainText(old) : undefined)}</td></tr>`;
  });
  const legend = shown.some(({ value, old = value }) => old !== value) ? changed_legend : "";
  return html`<div class="tall"><table class="values"><caption><bdi>${caption}</bdi></caption>${rows}</table></div>${legend}${rest(values.length, "values")}`;
}

function figure(name: string, value: unknown, showing: Showing): Html {
  const old = showing.before?.[name];
  if (isScalars(value)) {
    const column_labels = value.map((_, i) => String(i + 1));
    const own = { kind: "grid", look: "plain", title: name, uses: [], cells: [value], column_labels } as const;
    const places = showing.is_editable ? [value.map((_, i) => [name, i])] : undefined;
    const is_moved = isScalars(old) && old.some((each, i) => each !== value[i]);
    return gridHtml({ ...own, places, before: is_moved ? [old] : undefined });
  }
  if (Array.isArray(value)) return list(name, value);
  const tree = treeOf(value) ?? {};
  const entries = Object.entries(tree);
  if (entries.every(([, each]) => isScalar(each))) {
    const before = treeOf(old);
    const all = entries.map(([key, each]) => ({ name: key, value: each, old: before?.[key], place: [name, key] }));
    return singles(name, all, showing);
  }
  return html`<figure><figcaption><bdi>${name}</bdi></figcaption><pre>${JSON.stringify(value, null, 2)}</pre></figure>`;
}

function list(name: string, values: readonly unknown[]): Html {
  const items = values
    .slice(0, viewer_limits.cells_max)
    .map((value) => html`<li><bdi>${JSON.stringify(value)}</bdi></li>`);
  return html`<figure><figcaption><bdi>${name}</bdi></figcaption><ol>${items}</ol>${rest(values.length, "entries")}</figure>`;
}

/** Says what a table or list omits. */
function rest(total: number, what: string): Html {
  const { cells_max } = viewer_limits;
  return total > cells_max ? html`<p class="note">The first ${cells_max} of ${total} ${what}.</p>` : html``;
}

function text(value: unknown): Html {
  return html`<bdi>${plainText(value)}</bdi>`;
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
