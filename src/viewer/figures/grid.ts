import { isGrid, isNumbers, isScalars, type Scalar } from "../json.ts";
import type { ViewOf } from "../view.ts";
import type { Grid } from "./figure.ts";
import { baseOf, isPermutation, Unfit, type Values } from "./values.ts";

/** Guesses a queens board from a list that is named like queens and has one column per row. */
export function guessQueens(values: Values): ViewOf<"grid"> | undefined {
  const cells = values.find(/queen/i, (value) => isPermutation(value) && value.length > 3);
  return cells === undefined ? undefined : { kind: "grid", cells };
}

/** Guesses the clues for the rows and columns of a picture puzzle, which are shown beside it. */
export function guessClues(values: Values, name: string): Pick<ViewOf<"grid">, "rows" | "columns"> {
  const cells = values.get(name);
  if (!isGrid(cells) || lookOf(cells) !== "squares") return {};
  const clues = (side: RegExp, size: number) =>
    values.find(side, (value) => Array.isArray(value) && value.length === size && value.every(Array.isArray), [name]);
  const rows = clues(/^rows?(_|$)/i, cells.length);
  const columns = clues(/^col(umn)?s?(_|$)/i, cells[0]?.length ?? 0);
  return { ...(rows !== undefined && { rows }), ...(columns !== undefined && { columns }) };
}

/** Builds a board from a view. Raises `Unfit`. */
export function gridOf(view: ViewOf<"grid">, values: Values): Grid {
  const { cells, is_board } = cellsOf(view, values);
  const own = typeof view.cells === "string" && isGrid(values.get(view.cells)) ? view.cells : undefined;
  const title = view.title ?? (typeof view.cells === "string" ? view.cells : "A grid");
  const refs = [view.cells, view.rows, view.columns];
  return {
    ...{ kind: "grid", title, cells, look: is_board ? "queens" : lookOf(cells) },
    row_labels: withoutFiller(values.labels("rows", view.rows, cells.length, { of: view.cells })),
    column_labels: withoutFiller(
      values.labels("columns", view.columns, cells[0]?.length ?? 0, { of: view.cells, at: 1 }),
    ),
    ...(own !== undefined && { places: cells.map((row, y) => row.map((_, x) => [own, y, x])) }),
    uses: refs.filter((ref) => typeof ref === "string"),
  };
}

/**
 * Returns the rows of a grid, which are given directly, cut from a flat list, or given as a list of occupied columns.
 */
function cellsOf({ cells: ref, width }: ViewOf<"grid">, values: Values) {
  const value = values.value("cells", ref);
  if (isGrid(value)) return { cells: value, is_board: false };
  if (!isScalars(value) || value.length === 0) throw new Unfit("cells is not a grid: lists of equal length");
  if (width === undefined) return { cells: boardOf(value), is_board: true };
  if (value.length % width !== 0) throw new Unfit(`cells has ${value.length} entries: no rows of ${width}`);
  const rows = Array.from({ length: value.length / width }, (_, i) => value.slice(i * width, (i + 1) * width));
  return { cells: rows, is_board: false };
}

function boardOf(columns: readonly Scalar[]): readonly (readonly Scalar[])[] {
  const base = baseOf(columns);
  if (
    !isNumbers(columns) ||
    !columns.every((each) => Number.isInteger(each) && each >= base && each < columns.length + base)
  )
    throw new Unfit(
      "cells is a flat list, and not one column position for each row of a square board; give width to split it into rows",
    );
  return columns.map((column) => columns.map((_, i) => (i + base === column ? 1 : 0)));
}

/** Removes the zeros with which clues of different lengths are often padded. */
function withoutFiller(labels: readonly string[] | undefined): readonly string[] | undefined {
  return labels?.map((label) => label.replaceAll(/^(?:0 )+|(?: 0)+$/g, ""));
}

function lookOf(cells: readonly (readonly Scalar[])[]): Grid["look"] {
  const all = cells.flat();
  const size = cells.length;
  const box = Math.sqrt(size);
  const is_latin = all.every((each) => Number.isInteger(each) && Number(each) >= 1 && Number(each) <= size);
  if (
    Number.isInteger(box) &&
    size >= 4 &&
    cells[0]?.length === size &&
    is_latin &&
    cells.every((row) => new Set(row).size === size)
  )
    return "boxes";
  const is_picture = size > 3 && all.every((each) => each === 0 || each === 1 || typeof each === "boolean");
  return is_picture ? "squares" : "plain";
}
