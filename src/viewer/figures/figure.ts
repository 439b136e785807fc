import type { Scalar } from "../json.ts";

/** The fields that all figures have. */
interface Common {
  readonly title: string;
  /**
   * Whether the meaning of the values was guessed by name or by shape; undefined if the question's `view` stated it.
   */
  readonly guessed_by?: "name" | "shape" | undefined;
  /** The names of the values that the figure shows. */
  readonly uses: readonly string[];
  /** Sentences about what was omitted. */
  readonly notes?: readonly string[];
}

/** A chart of tasks over time. */
export interface Gantt extends Common {
  readonly kind: "gantt";
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly label: string;
  /** The machine, room or person that performs the task; undefined if each task has its own row. */
  readonly row: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The path of a single value: a name, followed by keys and indices. */
export type Path = readonly (string | number)[];

/** A board of cells. */
export interface Grid extends Common {
  readonly kind: "grid";
  readonly cells: readonly (readonly Scalar[])[];
  /**
   * How the board looks: Sudokus have boxes, pictures have filled squares, and a queens board shows where the queens
   * are.
   */
  readonly look: "plain" | "boxes" | "squares" | "queens";
  readonly row_labels?: readonly string[] | undefined;
  readonly column_labels?: readonly string[] | undefined;
  /** The path of each cell in the values; undefined for a cell that shows no value or several values. */
  readonly places?: readonly (readonly (Path | undefined)[])[] | undefined;
  /** The board's cells before the plan was changed. */
  readonly before?: readonly (readonly Scalar[])[] | undefined;
  /** The common prefix of the column names. */
  readonly corner?: string;
}

/** A graph of vertices and edges; a route is a graph whose edges have directions. */
export interface Graph extends Common {
  readonly kind: "graph";
  readonly vertices: readonly Vertex[];
  readonly edges: readonly Edge[];
  readonly is_directed: boolean;
  /** Whether vertices without coordinates are placed on a ring, in this order. */
  readonly is_ring: boolean;
}

export interface Vertex {
  readonly label: string;
  readonly at?: Point | undefined;
  /** A value that determines the vertex's colour; vertices with the same value have the same colour. */
  readonly colour?: Scalar | undefined;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label?: string | undefined;
  /** The number of the edge's route; edges of the same route have the same colour. */
  readonly route?: number | undefined;
  /** Whether the edge is drawn faintly, since the answer did not choose it. */
  readonly is_faint?: boolean | undefined;
}

export interface Bars extends Common {
  readonly kind: "bars";
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

export interface Table extends Common {
  readonly kind: "table";
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Scalar[])[];
}

export type Figure = Gantt | Grid | Graph | Bars | Table;
