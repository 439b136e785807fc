import type { Config } from "../config.ts";
import type { EngineReport } from "../engines/engine.ts";
import { Engines } from "../engines/index.ts";
import { version } from "../version.ts";

/** Reports which engines are available; a missing engine is not an error. */
export async function doctor(config: Config, as_json: boolean): Promise<void> {
  const engines = new Engines(config);
  try {
    const report = {
      verdict: version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      isolation: isolation(),
      engines: await engines.probe(),
    };
    console.log(as_json ? JSON.stringify(report, null, 2) : forPeople(report));
  } finally {
    engines.close();
  }
}

interface Report {
  readonly verdict: string;
  readonly node: string;
  readonly platform: string;
  readonly isolation: string;
  readonly engines: readonly EngineReport[];
}

function isolation(): string {
  if (process.platform === "linux")
    return "process: every solve has its own process group, with a deadline and a memory limit";
  if (process.platform === "win32")
    return "process: every solve has its own process, with a deadline; memory is not monitored on Windows";
  return "process: every solve has its own process group, with a deadline and a memory limit (by ps)";
}

function forPeople(report: Report): string {
  const engines = report.engines.flatMap((engine) => [
    `${engine.found ? "✓" : "✗"} ${engine.name} ${engine.version ?? ""} ${engine.found ? `(${engine.kind})` : "not found"}`.trimEnd(),
    `    why        ${engine.why}`,
    `    isolation  ${engine.isolation}`,
    ...(engine.found ? [] : [`    to get it  ${engine.how_to_get}`]),
    ...(engine.kind === "wasm" ? [`    faster     ${engine.how_to_get}`] : []),
  ]);
  return [
    `Verdict ${report.verdict} on Node ${report.node}, ${report.platform}`,
    `Isolation: ${report.isolation}`,
    "",
    ...engines,
  ].join("\n");
}
