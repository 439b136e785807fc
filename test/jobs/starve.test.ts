import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/v4";
import { treeOf } from "../../src/kernel/process/process_tree.ts";
import { connect } from "../support/client.ts";
import { quickest_z3 } from "../support/engines.ts";
import { emptyDirectory } from "../support/jobs.ts";
import { cpuSeconds, sees_processes } from "../support/processes.ts";
import { open_question } from "../support/scripts.ts";

/** Real solvers in a real server: calls do not wait for jobs. */
async function opened(handover_ms: number) {
  const { client, pid, close } = await connect({
    era: "auto",
    env: { VERDICT_DATA: emptyDirectory(), VERDICT_HANDOVER_MS: String(handover_ms), VERDICT_Z3: quickest_z3 },
    args: ["--tools", "smtlib,jobs"],
  });
  onTestFinished(close);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: 200_000 });
    return z.looseObject({ status: z.string() }).parse(result.structuredContent);
  };
  /** Solvers that have worked for longer than a spare does. */
  const spare_s_max = quickest_z3 === "wasm" ? 4 : 0.3;
  const atWork = () => treeOf(pid ?? 0).filter((each) => each !== pid && cpuSeconds(each) > spare_s_max).length;
  return { call, atWork };
}

const quick = { smtlib: "(declare-const x Int)(assert (> x 3))(assert (< x 5))", engine: "z3", timeout_ms: 100_000 };

describe.runIf(sees_processes)("jobs in the background", () => {
  it("leave all processors' slots to calls, however many there are", async () => {
    const { call, atWork } = await opened(0);
    for (let i = 0; i < 12; i++) await call("start_job", { tool: "solve_smtlib", arguments: open_question });
    await expect.poll(atWork, { timeout: 150_000, interval: 100 }).toBeGreaterThanOrEqual(2);
    for (let i = 0; i < 3; i++) expect(await call("solve_smtlib", quick)).toMatchObject({ status: "sat" });
    const { jobs } = await call("list_jobs");
    expect(jobs).toEqual(Array.from({ length: 12 }, () => expect.objectContaining({ state: "running" })));
  });

  it("do so too where they were calls: the next ones need no slot of theirs", async () => {
    const { call } = await opened(2_000);
    const long = Array.from({ length: 6 }, () => call("solve_smtlib", open_question));
    let answer = await call("solve_smtlib", quick);
    // On a busy machine it may itself become a job before it is solved.
    while (answer.status === "running") answer = await call("get_job", { job_id: answer["job_id"] });
    expect(answer).toMatchObject({ status: "sat" });
    for (const each of long) expect(await each).toMatchObject({ status: "running" });
  });
});
