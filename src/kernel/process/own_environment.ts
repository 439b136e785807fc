import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { errorCode } from "../files/errno.ts";

/**
 * Removes the variables that `isKept` rejects from this process's own environment. Returns all the original variables.
 * Other processes of the same user can read a process's variables. On Linux, they read the block that it was started
 * with (`/proc/PID/environ`), which outlasts any later change.
 */
export function eraseEnvironment(own: NodeJS.ProcessEnv, isKept: (name: string) => boolean): NodeJS.ProcessEnv {
  const all = { ...own };
  for (const name of Object.keys(all)) if (!isKept(name)) delete own[name];
  if (process.platform !== "linux") return all;
  try {
    eraseBlock(isKept);
  } catch (error) {
    // Without /proc, no other process can read the block there either.
    if (errorCode(error) !== "ENOENT") console.error(`The environment of this process can still be read: ${error}`);
  }
  return all;
}

/**
 * Overwrites the entries of the block that the process was started with. libc keeps no pointer to a deleted variable.
 */
function eraseBlock(isKept: (name: string) => boolean): void {
  // The third field of proc_pid_stat(5) follows the program's name, which is in parentheses and can contain spaces.
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [start, end] = [Number(fields[50 - 3]), Number(fields[51 - 3])];
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const block = Buffer.alloc(end - start);
    readSync(memory, block, 0, block.length, start);
    for (let at = 0; at < block.length; ) {
      const next = block.indexOf(0, at) === -1 ? block.length : block.indexOf(0, at);
      const [name = ""] = block.toString("latin1", at, next).split("=", 1);
      if (!isKept(name)) block.fill(0, at, next);
      at = next + 1;
    }
    writeSync(memory, block, 0, block.length, start);
  } finally {
    closeSync(memory);
  }
}
