import * as z from "zod/v4";
import { named_values } from "../../kernel/named.ts";
import { unless } from "../../kernel/unless.ts";

/** Parses MiniZinc's JSON stream, without side effects; tested on recorded output in test/fixtures/minizinc/. */

const Location = z.object({
  filename: z.string().nullish(),
  firstLine: z.number(),
  firstColumn: z.number(),
});

const Stack = z.array(z.object({ location: Location.optional() })).optional();

const STATUSES = [
  "ALL_SOLUTIONS",
  "OPTIMAL_SOLUTION",
  "UNSATISFIABLE",
  "UNSAT_OR_UNBOUNDED",
  "UNBOUNDED",
  "SATISFIED",
  "UNKNOWN",
  "ERROR",
] as const;

export type Status = (typeof STATUSES)[number];

const Message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("solution"), output: z.object({ json: named_values.optional() }) }),
  z.object({ type: z.literal("status"), status: z.enum(STATUSES) }),
  z.object({ type: z.literal("statistics"), statistics: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal("warning"), message: z.string(), location: Location.optional(), stack: Stack }),
  z.object({
    type: z.literal("error"),
    what: z.string().default("error"),
    message: z.string(),
    location: Location.optional(),
    stack: Stack,
  }),
  z.object({ type: z.literal("trace"), message: z.string() }),
  // Messages that Verdict itself writes for CP-SAT: a better solution, whose values follow at the end, and remarks on
  // the run.
  z.object({ type: z.literal("better"), objective: z.number(), bound: z.number().optional() }),
  z.object({ type: z.literal("cp_sat"), doubts: z.array(z.string()), workers: z.int() }),
]);

/** A position in one of a task's files; lines and columns start at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A warning or an error, with the positions that led to it, the innermost first. */
export interface Remark {
  readonly what: string;
  readonly message: string;
  readonly places: readonly Place[];
}

export interface Solution {
  /** The values by name, as MiniZinc writes them. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly objective: unknown;
  /** The bound on the objective, if the solver reported it with the solution. */
  readonly bound?: number;
  /** The text that the model's own output items wrote. */
  readonly text: string;
}

/** All messages of one run. */
export interface Answer {
  /** The status as MiniZinc reported it; undefined if there was none. */
  readonly status: Status | undefined;
  readonly solutions: readonly Solution[];
  readonly statistics: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Remark[];
  readonly errors: readonly Remark[];
  readonly traces: readonly string[];
  /** The reasons why the solver's claim alone does not establish an optimum or an unsat, if the solver reports any. */
  readonly doubts?: readonly string[];
  /** The number of workers that the solver used, if it reports that. */
  readonly workers?: number;
}

/** The status line that Chuffed prints directly if the first propagation already fails. */
const plain_status = /^=====(UNSATISFIABLE|UNKNOWN)=====$/;

/** The events that a run reports in progress. */
export interface Listener {
  /** Called for each better solution; its values may be missing until the end. */
  readonly onSolution?: ((solution: Solution) => void) | undefined;
}

/** Reads a run's output line by line; keeps only the last solutions, up to a limit. */
export class Reader {
  readonly #keep: number;
  readonly #listener: Listener;
  #status: Status | undefined;
  readonly #solutions: Solution[] = [];
  /** The length of each kept solution's output; `#forgotten` is the total length of those that are no longer kept. */
  readonly #chars: number[] = [];
  #forgotten = 0;
  #statistics: Record<string, unknown> = {};
  readonly #warnings: Remark[] = [];
  readonly #errors: Remark[] = [];
  readonly #traces: string[] = [];
  #cp_sat: Pick<Answer, "doubts" | "workers"> = {};
  #solutions_seen = 0;
  /** The latest bound: linear solvers write statistics before each solution. */
  #bound: number | undefined;
  /** The objective of a solution that was reported without its values. */
  #objective: number | undefined;

  constructor(keep: number, listener: Listener = {}) {
    this.#keep = keep;
    this.#listener = listener;
  }

  get solutions_seen(): number {
    return this.#solutions_seen;
  }

  /**
   * Reads a line. Returns how many characters are dropped: those of the line, or of earlier solutions that it replaces.
   */
  keep(line: string): number {
    const before = this.#forgotten;
    this.take(line);
    return this.#forgotten - before;
  }

  take(line: string): void {
    const plain = plain_status.exec(line.trim())?.[1];
    if (plain === "UNSATISFIABLE" || plain === "UNKNOWN") this.#status = plain;
    const message = messageIn(line);
    switch (message?.type) {
      case "solution":
        this.#chars.push(line.length);
        this.#takeSolution(message.output.json ?? {});
        return;
      case "status":
        this.#status = message.status;
        return;
      case "statistics":
        this.#statistics = { ...this.#statistics, ...message.statistics };
        this.#bound = boundIn(message.statistics);
        return;
      case "warning":
        if (!is_noise.test(message.message)) this.#warnings.push(remarkOf({ ...message, what: "warning" }));
        return;
      case "error":
        this.#errors.push(remarkOf(message));
        return;
      case "better":
        this.#objective = message.objective;
        this.#listener.onSolution?.({ values: {}, text: "", objective: message.objective, ...boundOf(message) });
        return;
      case "cp_sat":
        this.#cp_sat = { doubts: message.doubts, workers: message.workers };
        return;
      case "trace":
        this.#traces.push(message.message);
    }
  }

  answer(): Answer {
    return {
      status: this.#status,
      solutions: this.#solutions,
      statistics: this.#statistics,
      warnings: this.#warnings,
      errors: distinct(this.#errors),
      traces: this.#traces,
      ...this.#cp_sat,
    };
  }

  #takeSolution({ _objective: objective, _output: text, ...values }: Record<string, unknown>): void {
    const shown = typeof text === "string" ? text : "";
    const solution = { values, objective, text: shown, ...boundOf({ bound: this.#bound }) };
    this.#bound = undefined;
    this.#solutions_seen++;
    this.#solutions.push(solution);
    if (this.#solutions.length > this.#keep) {
      this.#solutions.shift();
      this.#forgotten += this.#chars.shift() ?? 0;
    }
    if (objective === undefined || objective !== this.#objective) this.#listener.onSolution?.(solution);
  }
}

function boundOf({ bound }: { readonly bound?: number | undefined }): Pick<Solution, "bound"> {
  return bound === undefined ? {} : { bound };
}

/** The solver's bound: the objective can't be better than this. */
export function boundIn({ objectiveBound }: Readonly<Record<string, unknown>>): number | undefined {
  return typeof objectiveBound === "number" && Number.isFinite(objectiveBound) ? objectiveBound : undefined;
}

/** Matches remarks about the implementation of a solver's library, which no change to the model can avoid. */
const is_noise = /overrides a global constraint file from the standard library|^Further warnings have been suppressed/;

function messageIn(line: string): z.output<typeof Message> | undefined {
  if (!line.startsWith("{")) return undefined;
  // The line was printed by a solver, or was cut off when the solver was stopped.
  return unless(SyntaxError, () => Message.safeParse(parseExactJson(line)).data);
}

interface Placed {
  readonly what: string;
  readonly message: string;
  readonly location?: z.output<typeof Location> | undefined;
  readonly stack?: z.output<typeof Stack>;
}

function remarkOf({ what, message, location, stack = [] }: Placed): Remark {
  const all = [location, ...stack.map((step) => step.location).reverse()];
  const places = all.flatMap((at) =>
    at?.filename ? [{ file: at.filename.replace(/^.*[/\\]/, ""), line: at.firstLine, column: at.firstColumn }] : [],
  );
  return { what, message: message.trim(), places };
}

/** Removes duplicates: some builds report the same error several times. */
function distinct(remarks: readonly Remark[]): Remark[] {
  return [...new Map(remarks.map((remark) => [JSON.stringify(remark), remark])).values()];
}

/** Strings, which are skipped, and numbers, some of which are too large. */
const strings_and_numbers = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Reads JSON; integers that a JavaScript number can't represent become strings instead of being rounded. */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const safe = text.replaceAll(strings_and_numbers, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(safe);
}

/** Writes a value that was read in this way, with the integers unchanged. */
export function writeExactJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(-?\d{16,})"/g, "$1");
}

/** The type of one parameter or variable, as MiniZinc reports it. */
const Type = z.object({
  type: z.string(),
  set: z.boolean().default(false),
  optional: z.boolean().default(false),
  dim: z.number().default(0),
  /** The index sets of an array: "int" or the name of an enum. */
  dims: z.array(z.string()).default([]),
  enum_type: z.string().optional(),
});

export type Type = z.output<typeof Type>;

const Interface = z.object({ type: z.literal("interface"), input: z.record(z.string(), Type) });
const Types = z.object({ var_types: z.object({ vars: z.record(z.string(), Type) }) });

/**
 * The parameters without a value, from the output of `--model-interface-only --model-types-only`; undefined if it has
 * none.
 */
export function readInterface(lines: readonly string[]): Readonly<Record<string, Type>> | undefined {
  const printed = lines.find((line) => line.startsWith('{"type": "interface"'));
  if (printed === undefined) return undefined;
  const { input } = Interface.parse(JSON.parse(printed));
  const vars = readTypes(lines);
  return Object.fromEntries(Object.entries(input).map(([name, type]) => [name, { ...type, ...vars[name] }]));
}

/** The types are printed over many lines, between others. */
export function readTypes(lines: readonly string[]): Readonly<Record<string, Type>> {
  const first = lines.findIndex((line) => line.startsWith('{"var_types"'));
  const last = lines.findIndex((line, i) => i > first && line.trim() === "}}");
  if (first < 0 || last < 0) return {};
  return Types.parse(JSON.parse(lines.slice(first, last + 1).join("\n"))).var_types.vars;
}
