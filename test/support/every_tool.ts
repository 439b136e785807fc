import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { Tactics } from "../../src/engines/tactic/index.ts";
import { FileStore } from "../../src/jobs/files/file_store.ts";
import { local_owner } from "../../src/jobs/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { toolset_names } from "../../src/tools/index.ts";
import { fakeServer, sendJson } from "./completions.ts";
import { removeDirectory } from "./directories.ts";
import { headOfDead } from "./jobs.ts";
import { freePort } from "./ports.ts";
import { pythonData } from "./python.ts";

/** Arguments of a tool that give an answer, and others that give a fault. */
export interface Sample {
  readonly answer: Record<string, unknown>;
  readonly fault: Record<string, unknown>;
}

const code = "def f(x: int) -> int:\n    return x // 2\n\ndef g(x: int) -> int:\n    return x >> 1\n";
const proof_state = "p : Prop\n⊢ p → p";

/** A job that has ended, in the directory of `everyToolHome`. */
const kept_job = "jabcdefghijkmnpqrstuv";

/** Every tool of every toolset once, in an order in which each has what it needs. */
export const samples: Readonly<Record<string, Sample>> = {
  solve_smtlib: { answer: { smtlib: "(assert false)(check-sat)" }, fault: { smtlib: "(assert" } },
  solve: {
    answer: { language: "z3", model: "y = Int('y')\ns = Solver()\ns.add(y == 3)" },
    fault: { model: "import socket" },
  },
  clear_model: { answer: { language: "z3" }, fault: { language: "cobol" } },
  add_item: { answer: { item: "x = Int('x')\ns = Solver()\ns.add(x == 3)" }, fault: { item: "import socket" } },
  replace_item: {
    answer: { index: 0, new_item: "x = Int('x')\ns = Solver()\ns.add(x == 4)\nexport_solution(s, {'x': x})" },
    fault: { index: 0, new_item: "x = (" },
  },
  get_model: { answer: {}, fault: { from_index: 99 } },
  solve_model: { answer: {}, fault: { model_id: "nowhere" } },
  check_plan: { answer: { values: { x: 1 } }, fault: { values: { nobody: 1 } } },
  get_solution: { answer: { name: "x" }, fault: { name: "y" } },
  get_solve_time: { answer: {}, fault: { model_id: "nowhere" } },
  compare_models: {
    answer: { language: "z3", model: "x = Int('x')\ns = Solver()\ns.add(2 * x == 8)" },
    fault: { model: "import socket", language: "z3" },
  },
  read_data: { answer: { files: ["numbers.csv"] }, fault: { files: ["nowhere.csv"] } },
  delete_item: { answer: { index: 0 }, fault: { index: 99 } },
  symbolic_check: { answer: { code, function_name: "f" }, fault: { code, function_name: "h" } },
  find_path_to_exception: {
    answer: { code, function_name: "f", exception_type: "ValueError" },
    fault: { code, function_name: "f", exception_type: "NoSuchError" },
  },
  compare_functions: {
    answer: { code, function_a: "f", function_b: "g" },
    fault: { code: "def f(", function_a: "f", function_b: "g" },
  },
  analyze_branches: { answer: { code, function_name: "f" }, fault: { code: "import socket", function_name: "f" } },
  bfs_daemon_status: { answer: {}, fault: { verbose: true } },
  bfs_suggest_tactics: { answer: { proof_state }, fault: { proof_state: "no goals" } },
  bfs_evaluate_tactic: { answer: { proof_state, tactic: "intro h" }, fault: { proof_state: {}, tactic: "intro h" } },
  bfs_record_outcome: { answer: {}, fault: { items: [{ snippet: "simp" }] } },
  bfs_search_step: { answer: { proof_state }, fault: { search_id: "nowhere" } },
  get_memo: { answer: {}, fault: { page: 2 } },
  start_job: {
    answer: { tool: "solve_smtlib", arguments: { smtlib: "(assert true)(check-sat)" } },
    fault: { tool: "solve_smtlib", arguments: { smtlib: 3 } },
  },
  get_job: { answer: { job_id: kept_job }, fault: { job_id: "nowhere" } },
  cancel_job: { answer: { job_id: kept_job }, fault: { job_id: "nowhere" } },
  list_jobs: { answer: {}, fault: { page: 2 } },
  edit_memo: { answer: { start_line: 1, content: "a note" }, fault: { start_line: 99, content: "far" } },
};

export const all_toolsets = ["--tools", toolset_names.join(",")];

/** What a server needs so that every tool can answer: a data directory, Python, and a model server for Lean. */
export async function everyToolHome(): Promise<{ env: Record<string, string>; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "verdict-tools-"));
  const files = join(directory, "files");
  mkdirSync(files);
  writeFileSync(join(files, "numbers.csv"), "name,number\na,1\n");
  symlinkSync(join(await pythonData(), "python"), join(directory, "python"));
  const jobs = new FileStore(join(directory, "jobs"));
  const head = { ...headOfDead(), id: kept_job, owner: local_owner, tool: "solve_smtlib", state: "done" as const };
  await jobs.begin(head, null);
  await jobs.end(head, { answer: { structured: { status: "sat", output: "; sat" }, text: ["; sat"] } });
  const model = await fakeServer((_, { prompt, echo }, response) => {
    const head = String(prompt).indexOf(":::") + 3;
    const logprobs = { token_logprobs: [null, -0.5, -1], text_offset: [0, head, head + 7] };
    sendJson(response, { choices: [echo ? { text: "", logprobs } : { text: "intro h", finish_reason: "stop" }] });
  });
  const env = {
    VERDICT_DATA: directory,
    VERDICT_DATA_DIR: files,
    VERDICT_LEAN_MODEL: "openai:tactics",
    VERDICT_LEAN_URL: model.url,
    TACTIC_SERVER_PORT: String(await freePort()),
  };
  const close = async () => {
    const config = readConfig({ tools: "lean" }, { ...process.env, ...env });
    await new Tactics(config).stop(new Deadline(60_000));
    model.close();
    removeDirectory(directory);
  };
  return { env, close };
}
