import type { Config } from "../../config.ts";
import type { Program } from "../../kernel/process/child.ts";
import { programsOnPath } from "../places.ts";

/**
 * How to start it. A native clingo buffers its answer sets until it ends, so a killed one would lose them; with
 * `stdbuf`, each line arrives at once.
 */
export function nativeProgram(config: Config, command: string, args: readonly string[]): Program {
  const [stdbuf] = programsOnPath(config, "stdbuf");
  return stdbuf === undefined ? { command, args } : { command: stdbuf, args: ["-oL", command, ...args] };
}
