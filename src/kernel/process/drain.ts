import type { ChildProcess } from "node:child_process";

/** How long to wait for an ended child's pipes to close: a grandchild can hold them open. */
const drain_ms_max = 100;
/** The maximum number of event-loop turns for reading what an ended child left in its pipes. Pipes hold little. */
const drain_turns_max = 100;

/**
 * Calls `then` once an ended process's output has been read, or its pipes have stayed open for too long, and closes the
 * pipes. `bytesRead` counts the bytes read so far.
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
 * Calls `then` once a turn of the event loop has brought no more output. On a busy machine, a timer can be due before
 * this process has read what the child wrote. Output that is cut off at that point would look complete.
 */
function whenQuiet(bytesRead: () => number, then: () => void, turns: number): void {
  const bytes = bytesRead();
  setImmediate(() => {
    if (bytes === bytesRead() || turns === 0) then();
    else whenQuiet(bytesRead, then, turns - 1);
  });
}
