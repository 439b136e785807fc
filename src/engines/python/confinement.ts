import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Program } from "../../kernel/process/child.ts";
import type { EngineReport } from "../engine.ts";
import type { Ready } from "./talk.ts";

/** The protections that only the operating system can provide: `WALLS` in `sandbox/walls.py`, which tests them. */
const walls = ["files", "network", "processes"] as const;

/** The ways to solve the problem nevertheless. */
const ways = [
  "run Verdict on Linux 5.13 or newer, or in its container image, where the system can confine programs fully",
  "or state the problem in minizinc, asp or SMT-LIB (solve_smtlib): these run no program",
  "or, if you trust everybody who writes programs, start Verdict with --allow-unconfined or VERDICT_ALLOW_UNCONFINED=1 (not over HTTP)",
];

/** The system protections that a process's jobs lack. */
function missingWalls(ready: Ready): string[] {
  return walls.filter((wall) => !ready.walls.includes(wall));
}

/** Raises `engine_missing` if a system protection is missing, unless the user allows programs to run without it. */
export function expectWalls(ready: Ready, config: Config): void {
  const missing = missingWalls(ready);
  if (missing.length > 0 && !config.allow_unconfined) throw new Fault("engine_missing", offBecause(missing), ways);
}

function offBecause(missing: readonly string[]): string {
  return `Programs are off: this system has no wall around ${missing.join(", ")}, and the checks inside Python are not a security boundary.`;
}

/**
 * Adds a process's sandbox layers and system protections to the report on a Python engine; `ready` is undefined if no
 * process could be started.
 */
export function withIsolation(report: EngineReport, ready: Ready | undefined, config: Config): EngineReport {
  if (report.kind !== "python") return report;
  if (!ready) return { ...report, isolation: "not tried: no process could be started" };
  const missing = missingWalls(ready);
  const behind = `a separate process for each job, behind: ${ready.isolation.join(", ")}`;
  if (missing.length === 0)
    return { ...report, isolation: `${behind}; the system's walls around ${walls.join(", ")} hold` };
  if (config.allow_unconfined)
    return { ...report, isolation: `${behind}; NO WALL around ${missing.join(", ")} (--allow-unconfined)` };
  return {
    ...report,
    found: false,
    kind: "none",
    why: offBecause(missing),
    how_to_get: ways.join("; "),
    isolation: "off",
  };
}

/** Wraps a program for macOS, where the system's sandbox program starts it. The program can read the given paths. */
export function behindWalls(program: Program, places: readonly string[], { sandbox_exec }: Config): Program {
  if (sandbox_exec === undefined) return program;
  const readable = [...new Set([...places, dirname(program.command)])];
  const parameters = readable.flatMap((place, at) => ["-D", `PLACE_${at}=${place}`]);
  const { command, args } = program;
  return {
    ...program,
    command: sandbox_exec,
    args: [...parameters, "-p", profileOf(readable.length), command, ...args],
  };
}

/**
 * A profile for sandbox-exec, in Apple's sandbox profile language: everything not listed is denied, including forks. It
 * allows starting a program from the given places, since the program itself is started after the sandbox is in force.
 */
function profileOf(places: number): string {
  const own = Array.from({ length: places }, (_, at) => `(subpath (param "PLACE_${at}"))`).join(" ");
  const system = ["/usr/lib", "/usr/share/zoneinfo", "/System/Library", "/Library/Apple", "/private/var/db/dyld"];
  const readable = `${own} ${system.map((place) => `(subpath "${place}")`).join(" ")}`;
  return [
    "(version 1)",
    "(deny default)",
    "(allow file-read-metadata)",
    `(allow file-read* file-map-executable ${readable} (literal "/dev/random") (literal "/dev/urandom"))`,
    '(allow file-read* file-write-data (literal "/dev/null"))',
    `(allow process-exec ${own})`,
    "(allow signal (target self))",
    "(allow sysctl-read)",
  ].join("\n");
}
