import type { Fault } from "../../kernel/fault.ts";
import { inShell } from "../../kernel/step.ts";
import type { Source } from "../../viewer/sources.ts";

/** Exit codes of `verdict solve`. 1, 2 and 3 mean the same as for `verdict check`. */
export const exit_codes = {
  solved: 0,
  unsatisfiable: 1,
  fault: 2,
  undecided: 3,
  /** A solution, but without the requested proof of optimality or of the exact number. */
  not_proved: 4,
  /** The shell's convention for a program ended by Ctrl-C. */
  interrupted: 130,
} as const;

/** The exit code for an answer of `solve` or `solve_smtlib`. */
export function exitCodeOf(answer: Readonly<Record<string, unknown>>): number {
  switch (answer["status"]) {
    case "sat":
      return answer["optimal"] === false || isInexact(answer["count"]) || isUnpassed(answer["checker"])
        ? exit_codes.not_proved
        : exit_codes.solved;
    case "unsat":
      return exit_codes.unsatisfiable;
    default:
      return exit_codes.undecided;
  }
}

/** Whether the checker found a violation or did not check everything. */
function isUnpassed(checker: unknown): boolean {
  return typeof checker === "object" && checker !== null && "status" in checker && checker.status !== "passed";
}

function isInexact(count: unknown): boolean {
  return typeof count === "object" && count !== null && "exact" in count && count.exact === false;
}

/** An answer's text for a shell: positions refer to files, and limits appear as flags. */
export function shownInFiles(text: readonly string[], files: readonly Source[]): string {
  return text
    .flatMap((part, i) => (i === 0 ? part : `\n${part}`).split("\n"))
    .map((line) => (line.startsWith("| ") ? line : inFiles(line, files)))
    .join("\n");
}

function inFiles(line: string, files: readonly Source[]): string {
  return line
    .replaceAll(
      /\bitem (\d+), line (\d+)(?:, column (\d+))?( \([^:]*\))?:/gi,
      (whole, item: string, at: string, column?: string, cases = "") => {
        const file = files[Number(item)];
        return file ? `${file.name}:${at}:${column === undefined ? "" : `${column}:`}${cases && `${cases}:`}` : whole;
      },
    )
    .replaceAll("Raise timeout_ms", "Raise --timeout")
    .replaceAll(/get_solution with name "\w+"(?: and from_index \d+)? shows (?:all|more)/g, "--json prints all");
}

/** A fault for a shell: `FILE:LINE:COLUMN: message`. */
export function faultInFiles(fault: Fault, files: readonly Source[]): Fault {
  const steps = fault.all_steps.map(inShell);
  const { position, what } = fault;
  const file = files[position?.item ?? 0];
  if (!position || !file) return fault.with({ steps });
  return fault.with({ message: `${file.name}:${position.line}:${position.column}: ${what}`, steps });
}
