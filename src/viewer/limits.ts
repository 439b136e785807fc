/** Bounds of a report: what a browser shows at once, and a reader reads. */
export const viewer_limits = {
  /** Entries of a list that a `view` itself holds, and characters of a name in it. */
  list_max: 10_000,
  name_chars_max: 200,
  columns_max: 50,
  /** Lists that are read from a model itself. */
  literals_max: 100,
  /** Cells of one table, bars of one chart. A browser lays these out in tenths of a second. */
  cells_max: 5_000,
  bars_max: 1_000,
  /** Cells that become fields at once. */
  editable_max: 2_000,
  /** Rows that have their names beside them; more of them are drawn thin. */
  names_max: 60,
  /** Of a graph; more can't be told apart. */
  vertices_max: 300,
  edges_max: 2_000,
  /** Steps of the forces that place a graph. */
  force_steps: 300,
  /** Values that get a colour of their own; more can't be told apart. */
  colours_max: 12,
  /** If there are more single values than these, those that are 0 or false are folded. */
  singles_max: 50,
  /** Single values with indices in their names: fewer are read as well in a list. */
  family_min: 6,
  /** Indices of a value in a table. */
  indices_max: 8,
  /** Lines of one source. */
  source_lines_max: 2_000,
} as const;
