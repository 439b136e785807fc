import type { Config } from "../../config.ts";
import type { Program } from "../../kernel/process/child.ts";
import { programsOnPath } from "../places.ts";

/**
 * How to start it. A native clingo keeps its answer sets in a buffer until it ends, so that a killed
 * one leaves nothing behind; where the system has `stdbuf`, each line comes at once.
 */
export function nativeProgram(config: Config, command: string, args: readonly string[]): Program {
  const [stdbuf] = programsOnPath(config, "stdbuf");
  return stdbuf === undefined ? { command, args } : { command: stdbuf, args: ["-oL", command, ...args] };
}
