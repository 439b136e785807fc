// The agent beside its model and its tools: scripted conversations answer at once, so that what is left of a step is ours.
// `npm run bench -- agent`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, median, ms, row } from "./measure.mjs";

const rounds = 5;

/** The results of the problems in SMT-LIB, which no engine of Python has to be started for. */
function scriptedRun(directory, round) {
  const out = join(directory, `${round}.jsonl`);
  const scripts = "scripted:test/fixtures/conversations";
  const args = [cli, "bench-agent", "problems", "--model", scripts, "--only", "smtlib_", "--out", out];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 300_000 });
  if (status !== 0) throw new Error(`the scripted problems failed: ${stderr}`);
  return readFileSync(out, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export function agentRows() {
  const directory = mkdtempSync(join(tmpdir(), "verdict-bench-agent-"));
  try {
    const results = Array.from({ length: rounds }, (_, round) => scriptedRun(directory, round)).flat();
    const overheads = results.map(({ seconds, tool_seconds, steps }) => ((seconds - tool_seconds) * 1000) / steps);
    const typical = median(overheads);
    row("agent: a step beside model and tools, with its share of connections", "≤ 30 ms", ms(typical), typical <= 30);
    row(`agent: the same, the slowest of ${results.length} problems`, "–", ms(Math.max(...overheads)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
