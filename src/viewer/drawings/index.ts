import type { Figure } from "../figures/figure.ts";
import type { Html } from "../html.ts";
import { barsHtml } from "./bars.ts";
import { ganttHtml } from "./gantt.ts";
import { graphHtml } from "./graph.ts";
import { gridHtml } from "./grid.ts";
import { figureHtml, tableOf } from "./parts.ts";

/** Draws a figure as HTML and SVG, which look the same on a static page and in a chat. */
export function drawingOf(figure: Figure): Html {
  switch (figure.kind) {
    case "gantt":
      return ganttHtml(figure);
    case "grid":
      return gridHtml(figure);
    case "graph":
      return graphHtml(figure);
    case "bars":
      return barsHtml(figure);
    case "table":
      return figureHtml(figure, tableOf(figure.columns, figure.rows));
    default:
      return figure satisfies never;
  }
}
