import * as z from "zod/v4";
import type { Python } from "../../../engines/python/index.ts";
import type { JobEnd, ProgramError } from "../../../engines/python/talk.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Values } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { CheckerResult, Shown } from "./result.ts";

/** The Python operations that checkers need. */
export type CheckerPython = Pick<Python, "check" | "turn" | "prepare">;

/** The name of the process that runs checkers, and of the profile with which they are read. */
export const checker_program = "checker";

/** A process's report on one case: `solve` in `checker/language.py`. */
const Said = z.object({ case: z.int().nonnegative(), texts: z.array(z.string()), more: z.boolean() });
export type Said = z.output<typeof Said>;

/** A case for the checker: the index of an answer, with some of its parts replaced. */
export interface Case {
  readonly answer: number;
  readonly changes: readonly { readonly path: readonly (string | number)[]; readonly to: unknown }[];
}

export interface Cases {
  readonly answers: readonly Values[];
  readonly cases: readonly Case[];
  /** Whether an exception in this case counts as a violation. Otherwise, the first exception ends the run. */
  readonly goes_on?: boolean;
}

/** The checker's reports on the cases up to the first one that it did not check, and why it did not check that one. */
export interface Run {
  readonly said: readonly Said[];
  readonly reason?: string;
}

export interface Checker {
  readonly text: string;
  /** The index of the checker's item. */
  readonly item: number;
  /** The data of the call. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Runs a checker on cases in a separate process. Raises `cancelled`. */
export async function runChecker(
  python: CheckerPython,
  { text, item, data }: Checker,
  { answers, cases, goes_on = false }: Cases,
  deadline: Deadline,
): Promise<Run> {
  const said: Said[] = [];
  const request = { answers, cases, goes_on };
  const bounded = deadline.atMost(model_limits.checker_ms_max);
  try {
    const reply = await python.turn(
      bounded,
      () => {},
      (run) =>
        run(checker_program, { items: [text], request, data, workers: 1 }, bounded, (result) => {
          const read = Said.safeParse(result);
          // The process ran a client's text, so a report with another form or index is not from Verdict's own code.
          if (read.success && read.data.case === said.length && said.length < cases.length) said.push(read.data);
        }),
      checker_program,
    );
    const reason = reply === "expired" ? no_time : endWords(reply.end, item);
    return said.length === cases.length ? { said } : { said, reason: reason ?? "it did not check all values." };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "cancelled") throw thrown;
    return { said, reason: thrown.message };
  }
}

/** Summarises the checker's reports on the answers. */
export function resultOf(answers: readonly Shown[], { said, reason }: Run): CheckerResult {
  const broken = said.filter(({ texts }) => texts.length > 0);
  const violations = broken.flatMap(({ case: index, texts, more }) =>
    [...texts, ...(more ? ["… and more"] : [])].map((text) => `${answers[index]?.name ?? ""}${text}`),
  );
  return {
    violations: violations.slice(0, model_limits.violations_max),
    status: broken.length > 0 ? "violated" : reason === undefined ? "passed" : "failed",
    violated: broken.length,
    checked: said.length,
    ...(reason !== undefined && { reason }),
  };
}

const no_time =
  "no time was left, or no process was free, to run it; raise timeout_ms, or call solve_model again (the first call starts Python).";

/** Returns why a checker did not finish, with its line; undefined if it did. */
function endWords(end: JobEnd, item: number): string | undefined {
  switch (end.kind) {
    case "result":
      return undefined;
    case "error":
      return errorWords(end.error, item);
    case "deadline":
      return "it did not finish in time; bound its loops.";
    case "memory":
      return "it ran out of memory; yield short strings, and build no large lists.";
    case "output":
      return "it printed too much; yield its messages instead.";
    case "died":
      return `its process exited: ${end.how}.`;
    default:
      return end satisfies never;
  }
}

function errorWords({ kind, type, message, line, steps, log }: ProgramError, item: number): string {
  if (log) console.error(log);
  const where = line === undefined ? "" : `item ${item}, line ${line}: `;
  const what = kind === "memory" ? "it ran out of memory" : kind === "refused" ? message : `${type}: ${message}`;
  return `${where}${what.replace(/\.?$/, ".")}${steps.length > 0 ? ` Steps: ${steps.join("; ")}.` : ""}`;
}
