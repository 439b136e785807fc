import * as z from "zod/v4";
import type { Finished } from "../../kernel/process/run.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { type Limit, limitReached, type Sat, type Undecided, type Unsat } from "../../kernel/verdict.ts";
import { exit_codes } from "./exit_codes.ts";
import { type Message, messagesIn } from "./messages.ts";

/** An answer set, or the consequences of several: the shown atoms, and the costs from the highest priority down. */
export interface Witness {
  readonly atoms: readonly string[];
  readonly costs: readonly number[];
}

interface Read {
  /** The version, such as "5.8.1"; undefined if clingo printed none. */
  readonly version: string | undefined;
  readonly messages: readonly Message[];
  readonly statistics: Readonly<Record<string, unknown>>;
}

/** The result of a clingo run, given how the process ended. */
export type ClingoAnswer = Read &
  (
    | AnswerSets
    | Unsat<never>
    | Undecided
    /** clingo rejected the program, or it crashed. */
    | { readonly kind: "error"; readonly how: string }
  );

/** The answer sets that were found; the last one is the witness. */
interface AnswerSets extends Sat<Witness> {
  /** All answer sets, including the last one. */
  readonly witnesses: readonly Witness[];
  /**
   * Why the search ended: the search space was exhausted, the requested number of answer sets was found, or a limit was
   * reached.
   */
  readonly search: "exhausted" | "enough" | Limit;
  /** Whether the last witnesses were proved to have optimal costs. */
  readonly optimum: boolean;
}

const Witnessed = z
  .object({ Value: z.array(z.string()).default([]), Costs: z.array(z.number()).default([]) })
  .transform(({ Value, Costs }): Witness => ({ atoms: Value, costs: Costs }));

const count = z.number().optional();
const Summary = z.object({
  Result: z.string(),
  Models: z.object({ Number: z.number() }),
  Stats: z
    .object({
      Core: z.object({ Choices: count, Conflicts: count, Restarts: count }).optional(),
      LP: z.object({ Atoms: count, Rules: z.object({ Original: count }).optional() }).optional(),
    })
    .optional(),
});
type Summary = z.output<typeof Summary>;

/**
 * Reads clingo's output with `--outf=2`. A process that was stopped, ran out of memory or crashed has proved nothing,
 * but the answer sets that it had printed completely are still valid.
 */
export function readClingo({ ending, stdout, stderr }: Finished): ClingoAnswer {
  const witnesses = witnessesIn(stdout);
  const summary = summaryOf(stdout);
  const read = {
    version: /^\s*\{\s*"Solver": "clingo version ([^"\s]+)"/.exec(stdout)?.[1],
    messages: messagesIn(stderr),
    statistics: summary ? statisticsOf(summary) : {},
  };
  const witness = witnesses.at(-1);
  const cut = (limit: Limit): ClingoAnswer =>
    witness
      ? { ...read, kind: "sat", witness, witnesses, search: limit, optimum: false }
      : { ...read, ...limitReached(limit) };
  const broken = (how: string): ClingoAnswer => ({ ...read, kind: "error", how });
  switch (ending.kind) {
    case "stopped":
      if (ending.why === "deadline") return cut("time");
      return ending.why === "memory" || ending.why === "output" ? cut(ending.why) : broken("it was stopped");
    case "signalled":
      return broken(`it was terminated by ${ending.signal}`);
    case "not_started":
      return broken(`it could not be started (${ending.detail})`);
    case "exited": {
      const { code } = ending;
      const result = summary?.Result;
      if (code === exit_codes.out_of_memory) return cut("memory");
      if (code === exit_codes.unsat && result === "UNSATISFIABLE" && !witness) return { ...read, kind: "unsat" };
      const satisfiable = result === "SATISFIABLE" || result === "OPTIMUM FOUND";
      if ((code !== exit_codes.sat && code !== exit_codes.exhausted) || !satisfiable || !witness)
        return broken(`it exited with code ${code}`);
      const search = code === exit_codes.exhausted ? "exhausted" : "enough";
      return { ...read, kind: "sat", witness, witnesses, search, optimum: result === "OPTIMUM FOUND" };
    }
  }
}

/** Returns every completely printed witness; the output may be cut off anywhere. */
export function witnessesIn(stdout: string): Witness[] {
  const list = '"Witnesses": [';
  const start = stdout.indexOf(list);
  if (start < 0) return [];
  const { objects, rest } = objectsIn(stdout, start + list.length);
  // clingo closes a witness when it prints the next item. With its costs, a witness is complete.
  const last = /"Costs": \[[^\]]*\]\s*$/.test(rest) ? [`${rest}}`] : [];
  return [...objects, ...last].map((text) => Witnessed.parse(JSON.parse(text)));
}

/**
 * Returns the complete objects of the JSON list whose contents begin at this position, and the beginning of a truncated
 * object.
 */
function objectsIn(text: string, start: number): { objects: string[]; rest: string } {
  const objects: string[] = [];
  const interesting = /["{}\]]/g;
  let depth = 0;
  let begin = start;
  interesting.lastIndex = start;
  for (let match = interesting.exec(text); match; match = interesting.exec(text)) {
    const [sign] = match;
    if (sign === '"') {
      const end = endOfString(text, match.index);
      if (end === undefined) return { objects, rest: "" };
      interesting.lastIndex = end;
    } else if (sign === "{") {
      if (depth++ === 0) begin = match.index;
    } else if (sign === "}") {
      if (--depth === 0) objects.push(text.slice(begin, match.index + 1));
    } else if (depth === 0) return { objects, rest: "" };
  }
  return { objects, rest: depth === 1 ? text.slice(begin) : "" };
}

/** Returns the end of the JSON string that begins at this position; undefined if the string was cut off. */
function endOfString(text: string, start: number): number | undefined {
  const string = /"(?:[^"\\]|\\.)*"/y;
  string.lastIndex = start;
  return string.test(text) ? string.lastIndex : undefined;
}

/** The part of the output that exists only if clingo finished. */
function summaryOf(stdout: string): Summary | undefined {
  // If the JSON is truncated or invalid, only its complete witnesses count.
  return Summary.safeParse(jsonOf(stdout)).data;
}

/** Selects the statistics that show how hard the program was; clingo reports more. */
function statisticsOf({ Models, Stats = {} }: Summary): Record<string, unknown> {
  const { Core, LP } = Stats;
  const all = {
    models: Models.Number,
    choices: Core?.Choices,
    conflicts: Core?.Conflicts,
    restarts: Core?.Restarts,
    rules: LP?.Rules?.Original,
    atoms: LP?.Atoms,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Reads lines of output as they arrive and reports the costs of each witness. */
export function costWatch(onCosts: (costs: readonly number[]) => void): (line: string) => void {
  let next = false;
  return (line) => {
    // The list can be empty if the question asked for the atoms that hold in some or all answer sets.
    if (next && cost_line.test(line)) onCosts(line.split(",").map(Number));
    next = line.trim() === '"Costs": [';
  };
}

const cost_line = /^\s*-?\d+(?:\s*,\s*-?\d+)*\s*$/;
