import type { JobEnd } from "../../../../../engines/python/talk.ts";

/** How a process ended that a signal from outside ended: that shows nothing about the model. Empty for any other end. */
export function lostBy(end: JobEnd): string {
  return end.kind === "died" && end.from_outside ? ` (${end.how}; send the call again)` : "";
}
