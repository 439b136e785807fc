import type { Grid } from "../figures/figure.ts";
import { type Html, html } from "../html.ts";
import { type Scalar, shown } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import { coloursOf, figureHtml, restNote } from "./parts.ts";

/** A board as a table, with a colour for each value where there are few. */
export function gridHtml(figure: Grid): Html {
  const { cells, look, row_labels, column_labels, corner = "" } = figure;
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
    return html`<tr${box !== undefined && y % box === 0 && y > 0 ? html` class="box"` : ""}>${head}${row.slice(0, width).map((cell) => cellHtml(cell, look, colours))}</tr>`;
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
    html`<div class="wide"><table class="grid ${look}">${columns}${top}${rows}</table></div>${note}`,
  );
}

function cellHtml(cell: Scalar, look: Grid["look"], colours: ReadonlyMap<Scalar, number>): Html {
  const is_on = cell === 1 || cell === true;
  if (look === "queens") return is_on ? html`<td class="on">♛</td>` : html`<td><span class="hidden_text">–</span></td>`;
  if (look === "squares")
    return html`<td class="${is_on ? "on" : "off"}"><span class="hidden_text">${shown(cell)}</span></td>`;
  const colour = colours.get(cell);
  return html`<td${colour === undefined ? "" : html` class="c${colour}"`}><bdi>${cell === null ? "" : shown(cell)}</bdi></td>`;
}
