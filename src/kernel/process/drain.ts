import type { ChildProcess } from "node:child_process";

/** How long the pipes of an ended child can stay open: a grandchild can hold them. */
const drain_ms_max = 100;
/** Turns of the event loop in which what an ended child left in its pipes is read: they hold little. */
const drain_turns_max = 100;

/**
 * Goes on once the output of an ended process is read, or its pipes stayed open for too long; closes them.
 * `bytesRead` counts what was read so far.
 */
export function whenDrained(ended: ChildProcess, bytesRead: () => number, then: () => void): void {
  let is_over = false;
  const finish = () => {
    if (is_over) return;
    is_over = true;
    clearTimeout(timer);
    ended.off("close", finish);
    ended.stdout?.destroy();
    ended.stderr?.destroy();
    ended.stdin?.destroy();
    then();
  };
  const timer = setTimeout(() => whenQuiet(bytesRead, finish, drain_turns_max), drain_ms_max);
  ended.once("close", finish);
}

/**
 * Goes on once a turn of the event loop brought no more output. On a busy machine a timer can be due before its own
 * process has read what the child wrote: an output that is cut there would look like a whole one.
 */
function whenQuiet(bytesRead: () => number, then: () => void, turns: number): void {
  const bytes = bytesRead();
  setImmediate(() => {
    if (bytes === bytesRead() || turns === 0) then();
    else whenQuiet(bytesRead, then, turns - 1);
  });
}
