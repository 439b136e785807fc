import { isScalar, isScalars, type Scalar, treeOf } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import type { ViewOf } from "../view.ts";
import type { Bars, Table } from "./figure.ts";
import { Unfit, type Values } from "./values.ts";

/** Whether there are too many different numbers to use colours, so that bars show their sizes better. */
export function isForBars(value: unknown): boolean {
  const all = isScalars(value) ? value : Object.values(treeOf(value) ?? {});
  if (!isScalars(all)) return false;
  const different = new Set(all.filter((each) => typeof each === "number"));
  return (
    different.size > viewer_limits.colours_max ||
    (different.size > 2 && [...different].some((each) => !Number.isInteger(each)))
  );
}

/** Builds a bar chart from a view. Raises `Unfit`. */
export function barsOf(view: ViewOf<"bars">, values: Values): Bars {
  const value = values.value("values", view.values);
  const tree = treeOf(value);
  const numbers = values.numbers("values", view.values);
  const labels =
    values.labels("labels", view.labels, numbers.length, { of: view.values }) ?? (tree && Object.keys(tree));
  const bars = numbers.flatMap((each, i) =>
    each === undefined ? [] : [{ label: labels?.[i] ?? String(i + 1), value: each }],
  );
  const lost = numbers.length - bars.length;
  return {
    ...{ kind: "bars", title: view.title ?? (typeof view.values === "string" ? view.values : "Bars"), bars },
    uses: [view.values, view.labels].filter((ref) => typeof ref === "string"),
    notes: lost > 0 ? [`${lost} values are not finite numbers and are not drawn.`] : [],
  };
}

/** Builds a table from a view. Raises `Unfit`. */
export function tableOf(view: ViewOf<"table">, values: Values): Table {
  const columns = view.columns.map((ref, i) => cellsOf(values.value(`columns[${i}]`, ref)));
  const lengths = new Set(columns.map(({ length }) => length));
  if (lengths.size > 1) throw new Unfit(`the columns have different lengths: ${[...lengths].join(", ")}`);
  const [first = []] = columns;
  return {
    ...{ kind: "table", title: view.title ?? "A table" },
    columns: view.columns.map((ref, i) => (typeof ref === "string" ? ref : String(i + 1))),
    rows: first.map((_, row) => columns.map((column) => column[row] ?? null)),
    uses: view.columns.filter((ref) => typeof ref === "string"),
  };
}

function cellsOf(value: unknown): readonly Scalar[] {
  if (isScalar(value)) return [value];
  const all = Array.isArray(value) ? value : Object.values(treeOf(value) ?? {});
  return all.map((each) => (isScalar(each) ? each : JSON.stringify(each)));
}
