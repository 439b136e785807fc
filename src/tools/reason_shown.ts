import type { Undecided } from "../kernel/verdict.ts";

/** The `reason` of an answer that was not decided, as clients know it: limits have words of their own. */
export function reasonShown({ cause, reason }: Undecided): string {
  switch (cause) {
    case "time":
      return "timeout";
    case "memory":
      return "memory limit";
    case "output":
      return "output limit";
    case "interrupted":
    case "incomplete":
    case "unsupported":
    case "unbounded":
    case "doubted":
    case "unconfirmed":
      return reason;
    default:
      return cause satisfies never;
  }
}
