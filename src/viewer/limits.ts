/** The limits for a report: what a browser can display, and what a reader can read. */
export const viewer_limits = {
  /** The maximum number of entries in a list that a `view` gives directly, and the maximum length of a name. */
  list_max: 10_000,
  name_chars_max: 200,
  columns_max: 50,
  /** The maximum number of lists extracted from a model's text. */
  literals_max: 100,
  /** The maximum number of cells in a table, or bars in a chart. A browser lays these out within tenths of a second. */
  cells_max: 5_000,
  bars_max: 1_000,
  /** The maximum number of cells that become input fields at once. */
  editable_max: 2_000,
  /** The maximum number of labelled rows; if there are more rows, they are drawn thin. */
  names_max: 60,
  /** The maximum number of vertices and edges in a graph; more could not be distinguished. */
  vertices_max: 300,
  edges_max: 2_000,
  /** The number of iterations for a force-directed layout. */
  force_steps: 300,
  /** The maximum number of values with different colours; more could not be distinguished. */
  colours_max: 12,
  /**
   * The maximum number of single values that are all shown; if there are more, those that are 0 or false are collapsed.
   */
  singles_max: 50,
  /**
   * The minimum number of single values, with indices in their names, that form a table; fewer are just as readable as
   * a list.
   */
  family_min: 6,
  /** The maximum number of indices that a value in a table has. */
  indices_max: 8,
  /** The maximum number of lines shown per source. */
  source_lines_max: 2_000,
} as const;
