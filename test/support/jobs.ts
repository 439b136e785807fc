import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as z from "zod/v4";
import { FileStore } from "../../src/jobs/files/file_store.ts";
import { withJobs } from "../../src/jobs/index.ts";
import type { JobHead } from "../../src/jobs/job.ts";
import { freshId } from "../../src/jobs/job.ts";
import { Jobs } from "../../src/jobs/jobs.ts";
import { OwnJobs } from "../../src/jobs/own_jobs.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { type Answer, type CallContext, defineTool, quietContext, type Tool } from "../../src/kernel/tool.ts";
import { removeDirectory } from "./directories.ts";

/** An empty directory of this test. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "verdict-jobs-"));
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** An empty data directory that outlives one test; whoever makes it removes it. */
export function emptyDataDirectory(): string {
  return mkdtempSync(join(tmpdir(), "verdict-jobs-"));
}

/** A server's jobs in a directory, for one owner. */
export function openJobs(directory: string, { handover_ms = 20, owner = "ann", clock = Date.now } = {}) {
  const store = new FileStore(directory, clock);
  const jobs = new Jobs({ store, handover_ms, clock });
  onTestFinished(() => jobs.close());
  return { store, jobs, own: new OwnJobs(jobs, owner) };
}

/** Calls the tools of a session of this owner by name: `slow`, and those of jobs. */
export function callsOf(own: OwnJobs, slow: Tool) {
  const set = withJobs([{ name: "test", guides: [], session: () => [slow] }], own);
  const tools = new Map(set.session().map((tool) => [tool.name, tool]));
  return (name: string, args: unknown = {}, context: CallContext = quietContext()): Promise<Answer> => {
    const match = tools.get(name);
    if (!match) throw new Error(`no tool ${name}`);
    return match.call(args, context);
  };
}

/** The head of a job of a process that has ended. */
export function headOfDead(changes: Partial<JobHead> = {}): JobHead {
  return {
    version: 1,
    id: freshId(),
    owner: "ann",
    tool: "slow",
    state: "running",
    server: { id: "gone", host: "elsewhere", pid: 1, started: null },
    created_ms: Date.now(),
    ended_ms: null,
    ran_s: 1,
    doing: "working",
    best_so_far: null,
    events: [],
    restarted_as: null,
    ...changes,
  };
}

/** A tool whose call ends when the test says so, or when it is cancelled. */
export function slowTool(): {
  tool: Tool;
  context(): CallContext;
  /** Ends the latest call. */
  answer(value: number): void;
  fail(thrown: unknown): void;
  /** How often it was called. */
  readonly calls: number;
} {
  let ends = withResolvers();
  let heard: CallContext | undefined;
  let calls = 0;
  const tool = defineTool({
    name: "slow",
    description: "Ends when it is told to.",
    annotations: {
      title: "Slow",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    input: z.strictObject({ n: z.number().default(1), timeout_ms: z.number().max(600_000).default(30_000) }),
    output: z.object({ status: z.enum(["ok"]), value: z.number(), timeout_ms: z.number() }),
    limit_ms: ({ timeout_ms }) => timeout_ms,
    needs: () => "slow",
    async run({ timeout_ms }, context) {
      heard = context;
      calls++;
      const mine = withResolvers();
      ends = mine;
      context.signal.addEventListener("abort", () =>
        mine.reject(new Fault("cancelled", "It was cancelled.", ["send it again"])),
      );
      return { status: "ok" as const, value: await mine.promise, timeout_ms };
    },
    render: ({ value }) => [`the value is ${value}`, "a remark"],
  });
  return {
    tool,
    context: () => {
      if (!heard) throw new Error("the tool was not called");
      return heard;
    },
    get calls() {
      return calls;
    },
    answer: (value) => ends.resolve(value),
    fail: (thrown) => ends.reject(thrown),
  };
}

interface Resolvers {
  readonly promise: Promise<number>;
  resolve(value: number): void;
  reject(thrown: unknown): void;
}

/** Node 20 has no Promise.withResolvers. */
function withResolvers(): Resolvers {
  let resolve: (value: number) => void = () => {};
  let reject: (thrown: unknown) => void = () => {};
  const promise = new Promise<number>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
