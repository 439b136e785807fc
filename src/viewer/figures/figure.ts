import type { Scalar } from "../json.ts";

/** What all figures have. */
interface Common {
  readonly title: string;
  /** By what this meaning of the values was guessed; undefined where the `view` of the question gave it. */
  readonly guessed_by?: "name" | "shape" | undefined;
  /** The names of the values that it shows. */
  readonly uses: readonly string[];
  /** What it leaves out, as sentences. */
  readonly notes?: readonly string[];
}

/** Tasks over time. */
export interface Gantt extends Common {
  readonly kind: "gantt";
  readonly tasks: readonly Task[];
}

export interface Task {
  readonly label: string;
  /** The machine, room or person that does it; undefined where each task has a row of its own. */
  readonly row: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The name of a value, and keys and indices in it. */
export type Path = readonly (string | number)[];

/** A board. */
export interface Grid extends Common {
  readonly kind: "grid";
  readonly cells: readonly (readonly Scalar[])[];
  /** Sudokus have boxes, pictures have filled squares, and a board of queens shows their places. */
  readonly look: "plain" | "boxes" | "squares" | "queens";
  readonly row_labels?: readonly string[] | undefined;
  readonly column_labels?: readonly string[] | undefined;
  /** The place of a cell in the values, as a path; undefined if it shows none of them, or several. */
  readonly places?: readonly (readonly (Path | undefined)[])[] | undefined;
  /** The same cells before a change of the plan. */
  readonly before?: readonly (readonly Scalar[])[] | undefined;
  /** What the names of the columns begin with. */
  readonly corner?: string;
}

/** Vertices and edges; a route is a graph whose edges have directions. */
export interface Graph extends Common {
  readonly kind: "graph";
  readonly vertices: readonly Vertex[];
  readonly edges: readonly Edge[];
  readonly is_directed: boolean;
  /** Whether vertices without coordinates are put on a ring, in this order. */
  readonly is_ring: boolean;
}

export interface Vertex {
  readonly label: string;
  readonly at?: Point | undefined;
  /** Vertices with the same value have the same colour. */
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
  /** Edges of the same route have the same colour. */
  readonly route?: number | undefined;
  /** Whether it is one that the answer did not choose. */
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
