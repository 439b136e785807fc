/** Limits on a report: what a browser can display, and what a reader can read. */
export const viewer_limits = {
  /** Entries of a list given directly in a `view`, and the length of a name in it. */
  list_max: 10_000,
  name_chars_max: 200,
  columns_max: 50,
  /** Lists extracted from a model's text. */
  literals_max: 100,
  /** Cells of a table, or bars of a chart. A browser lays these out within tenths of a second. */
  cells_max: 5_000,
  bars_max: 1_000,
  /** Cells that become input fields at once. */
  editable_max: 2_000,
  /** Rows with labels; more are drawn thin. */
  names_max: 60,
  /** Vertices and edges of a graph; more can't be distinguished. */
  vertices_max: 300,
  edges_max: 2_000,
  /** Iterations of the force-directed layout. */
  force_steps: 300,
  /** Values with different colours; more can't be distinguished. */
  colours_max: 12,
  /** If there are more single values than this, those that are 0 or false are collapsed. */
  singles_max: 50,
  /** Single values with indices in their names; fewer are just as readable as a list. */
  family_min: 6,
  /** Indices of a value in a table. */
  indices_max: 8,
  /** Lines per source. */
  source_lines_max: 2_000,
} as const;
