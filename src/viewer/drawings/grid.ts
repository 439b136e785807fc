import { changed_legend, changedHtml } from "../changes.ts";
import type { Grid, Path } from "../figures/figure.ts";
import { type Html, html } from "../html.ts";
import { type Scalar, shown } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import { coloursOf, figureHtml, restNote } from "./parts.ts";

/** Draws a board as a table, with a colour for each value if there are few different values. */
export function gridHtml(figure: Grid): Html {
  const { cells, look, row_labels, column_labels, corner = "", places, before } = figure;
  const colours =
    look === "plain"
      ? coloursOf(cells.flat().filter((cell) => cell !== null && cell !== ""))
      : new Map<Scalar, number>();
  const all = cells[0]?.length ?? 1;
  const width = Math.min(all, viewer_limits.cells_max);
  const rows_max = Math.max(1, Math.floor(viewer_limits.cells_max / width));
  const box = look === "boxes" ? Math.sqrt(cells.length) : undefined;
  const rows = cells.slice(0, rows_max).map((row, y) => {
    const head = row_labels === undefined ? "" : html`<th scope="row"><bdi>${row_labels[y] ?? ""}</bdi></th>`;
    return html`<tr${box !== undefined && y % box === 0 && y > 0 ? html` class="box"` : ""}>${head}${row.slice(0, width).map((cell, x) => cellHtml(cell, look, { colours, place: places?.[y]?.[x], old: before?.[y]?.[x] }))}</tr>`;
  });
  const heads = column_labels?.slice(0, width).map(
    (label) =>
      html`<th scope="col">${label
        .split(" ")
        .flatMap((part) => [html`<bdi>${part}</bdi>`, html`<br>`])
        .slice(0, -1)}</th>`,
  );
  const top =
    heads === undefined
      ? ""
      : html`<tr>${row_labels === undefined ? "" : html`<td class="corner">${corner}</td>`}${heads}</tr>`;
  const columns =
    box === undefined
      ? ""
      : html`${Array.from({ length: width / box }, () => html`<colgroup span="${box}"></colgroup>`)}`;
  const note = html`${restNote(cells.length, Math.min(cells.length, rows_max), "rows")}${restNote(all, width, "columns")}`;
  return figureHtml(
    figure,
    html`<div class="wide"><table class="grid ${look}">${columns}${top}${rows}</table></div>${before ? changed_legend : ""}${note}`,
  );
}

interface CellStyle {
  readonly colours: ReadonlyMap<Scalar, number>;
  readonly place: Path | undefined;
  /** The cell's old value; undefined if it is unknown. */
  readonly old: Scalar | undefined;
}

function cellHtml(cell: Scalar, look: Grid["look"], { colours, place, old }: CellStyle): Html {
  const is_on = cell === 1 || cell === true;
  const is_moved = old !== undefined && old !== cell;
  const colour = colours.get(cell);
  const own =
    look === "queens" || look === "squares" ? (is_on ? "on" : "off") : colour === undefined ? "" : `c${colour}`;
  const classes = [own, is_moved ? "moved" : ""].filter((each) => each !== "").join(" ");
  const at = place === undefined ? "" : html` data-at="${JSON.stringify(place)}"`;
  const value = changedHtml(contentOf(cell, look, is_on), is_moved ? textOf(old) : undefined);
  return html`<td${classes === "" ? "" : html` class="${classes}"`}${at}>${value}</td>`;
}

function contentOf(cell: Scalar, look: Grid["look"], is_on: boolean): Html {
  if (look === "queens") return is_on ? html`♛` : html`<span class="hidden_text">–</span>`;
  if (look === "squares") return html`<span class="hidden_text">${shown(cell)}</span>`;
  return html`<bdi>${textOf(cell)}</bdi>`;
}

function textOf(cell: Scalar): string {
  return cell === null ? "" : shown(cell);
}
