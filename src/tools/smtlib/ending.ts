import type { Gone, Reply, Session } from "../../engines/smt/session.ts";
import { cancelled, endedFromOutside, Fault, memoryRefused } from "../../kernel/fault.ts";
import { again } from "../../kernel/step.ts";
import { limitReached, type Undecided, undecided } from "../../kernel/verdict.ts";

/**
 * Converts an `unknown` from Z3. A message about a limit that the script itself set must not look like Verdict's own.
 */
export function unknownFor(reason: string): Undecided {
  return /^(timeout|canceled|max\. resource limit exceeded)$/.test(reason)
    ? undecided("interrupted", `${reason} (a limit that the script sets)`)
    : undecided("incomplete", reason);
}

/** Returns what stays undecided after the process ended; undefined for an unexpected end. Raises `cancelled`. */
export function endedBy({ ending, stderr }: Gone): Undecided | undefined {
  if (ending.kind === "stopped") {
    switch (ending.why) {
      case "deadline":
        return limitReached("time");
      case "memory":
      case "output":
        return limitReached(ending.why);
      case "cancelled":
      case "closed":
        throw cancelled();
      default:
        return ending.why satisfies never;
    }
  }
  // Z3 reports exhausted memory on stderr or by its exit status: 101 for memory, 113 for the number of allocations.
  const exhausted = ending.kind === "exited" && (ending.code === 101 || ending.code === 113);
  return exhausted || stderr.includes("out of memory") ? limitReached("memory") : undefined;
}

/** Creates the fault for an unexpected end. */
export function crashed({ ending, stderr }: Gone, title: string): Fault {
  const how =
    ending.kind === "signalled"
      ? `was killed by ${ending.signal}`
      : ending.kind === "exited"
        ? `exited with code ${ending.code}`
        : ending.kind === "not_started"
          ? `could not be started (${ending.detail})`
          : "was stopped";
  const outside = endedFromOutside(title, how) ?? memoryRefused(title, stderr);
  if (outside) return outside;
  if (stderr !== "") console.error(`${title} ${how}: ${stderr}`);
  return new Fault("engine_failed", `${title} ${how} before it answered. Nothing was decided.`, [
    again("send the script again"),
    "if it fails again, make it smaller or less deeply nested",
    `run \`verdict doctor\` to see which ${title} is in use`,
  ]);
}

/** Thrown if a solver exits in the middle of its work; whatever it has found by then still counts. */
export class SolverGone extends Error {
  readonly gone: Gone;

  constructor(gone: Gone) {
    super("the solver is gone");
    this.gone = gone;
  }
}

/** Sends a text to a solver and returns its reply. Raises `SolverGone`. */
export async function replyOf(session: Session, text: string): Promise<Reply> {
  const reply = await session.ask(text);
  if (reply.kind === "gone") throw new SolverGone(reply);
  return reply;
}

/** Waits until a run ends, however it ends. */
export async function settled<Result>(run: Promise<Result>): Promise<PromiseSettledResult<Result>> {
  const [end] = await Promise.allSettled([run]);
  return end;
}

/** Returns the result of a run; undefined if it raised a fault, or if its time ran out before it started. */
export function resultIn<Result extends object>(
  end: PromiseSettledResult<Result | "expired"> | undefined,
): Result | undefined {
  return end?.status === "fulfilled" && end.value !== "expired" ? end.value : undefined;
}

/** Returns the result of a run that ended, or raises what the run raised. */
export function resultOf<Result>(end: PromiseSettledResult<Result>): Result {
  if (end.status === "rejected") throw end.reason;
  return end.value;
}
