import type { Undecided } from "../kernel/verdict.ts";

/** Returns the `reason` that clients see in an undecided answer; each limit has a fixed wording. */
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
