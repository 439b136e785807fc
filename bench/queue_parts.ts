/** The parts of a server that gives calls to workers, for `queue.mjs`: its only tool sleeps. */
import { withJobs } from "../src/jobs/index.ts";
import { Jobs } from "../src/jobs/jobs.ts";
import { OwnJobs } from "../src/jobs/own_jobs.ts";
import { openRedis } from "../src/jobs/redis/index.ts";
import { quietContext } from "../src/kernel/tool.ts";
import { sleepTool } from "../test/support/sleep_tool.ts";

export async function openServer(url: string) {
  const backing = await openRedis({ url });
  const jobs = new Jobs({ store: backing.storeFor(""), handover_ms: 0, queue: backing.queue });
  const set = withJobs([{ name: "bench", guides: [], session: () => [sleepTool()] }], new OwnJobs(jobs, "bench"));
  const tools = new Map(set.session().map((tool) => [tool.name, tool]));
  return {
    call: async (name: string, args: unknown) => (await tools.get(name)?.call(args, quietContext()))?.structured,
    close: () => {
      jobs.close();
      backing.close();
    },
  };
}
