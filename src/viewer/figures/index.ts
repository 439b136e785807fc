import { unless } from "../../kernel/unless.ts";
import { isGrid, type Tree } from "../json.ts";
import type { View } from "../view.ts";
import { barsOf, isForBars, tableOf } from "./bars.ts";
import type { Figure } from "./figure.ts";
import { ganttOf, guessGantt } from "./gantt.ts";
import { graphOf, guessGraph } from "./graph.ts";
import { gridOf, guessClues, guessQueens } from "./grid.ts";
import { guessRoute, routeOf } from "./route.ts";
import { type IndexNames, tablesOf } from "./tables.ts";
import { Unfit, Values } from "./values.ts";

export interface Figures {
  readonly figures: readonly Figure[];
  /** The reason why the question's `view` could not be used. */
  readonly unfit?: string | undefined;
}

/**
 * Returns the figures for an answer, according to the question's `view` if there is one; otherwise, they are guessed.
 */
export function figuresOf(
  values: Tree,
  parameters: Tree,
  view: View | undefined,
  index_names: IndexNames = {},
): Figures {
  const named = new Values(values, parameters, index_names);
  if (!view) return { figures: guess(named, values) };
  try {
    return { figures: [figureOf(view, named)] };
  } catch (thrown) {
    if (!(thrown instanceof Unfit)) throw thrown;
    return { figures: guess(named, values), unfit: thrown.message };
  }
}

/** Explains why a view does not fit these values; undefined if the view can be drawn. */
export function unfitFor(view: View, values: Tree, parameters: Tree): string | undefined {
  return figuresOf(values, parameters, view).unfit;
}

function figureOf(view: View, values: Values): Figure {
  switch (view.kind) {
    case "gantt":
      return ganttOf(view, values);
    case "grid":
      return gridOf(view, values);
    case "route":
      return routeOf(view, values);
    case "graph":
      return graphOf(view, values);
    case "bars":
      return barsOf(view, values);
    case "table":
      return tableOf(view, values);
    default:
      return view satisfies never;
  }
}

/** Guesses figures from the names and shapes of values; a rectangular list is drawn as a grid. */
function guess(named: Values, values: Tree): readonly Figure[] {
  // A figure that shows only data is omitted, since it says nothing about the answer.
  const shows = ({ uses }: Figure) => uses.some((name) => Object.hasOwn(values, name));
  const by_name = [guessGantt(named), guessRoute(named), guessGraph(named), guessQueens(named)].flatMap((view) =>
    view ? draw(view, named, "name").filter(shows) : [],
  );
  const used = new Set(by_name.flatMap(({ uses }) => uses));
  const left = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !used.has(name) && !isForBars(value)),
  );
  const tables = tablesOf(left, named.index_names);
  for (const name of tables.flatMap(({ uses }) => uses)) used.add(name);
  const by_shape = Object.entries(values).flatMap(([name, value]) => {
    if (used.has(name)) return [];
    if (isForBars(value)) return draw({ kind: "bars", values: name }, named, "shape");
    if (!isGrid(value)) return [];
    const clues = guessClues(named, name);
    return draw({ kind: "grid", cells: name, ...clues }, named, undefined);
  });
  return [...by_name, ...tables, ...by_shape];
}

function draw(view: View, values: Values, guessed_by: Figure["guessed_by"]): Figure[] {
  return unless(Unfit, () => [{ ...figureOf(view, values), guessed_by }]) ?? [];
}
