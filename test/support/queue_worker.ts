// A worker of tests and benches: its only tool sleeps. Arguments: as JSON, the address of Redis and the worker's options.
import * as z from "zod/v4";
import { openWorker } from "../../src/jobs/redis/index.ts";
import { sleepTool } from "./sleep_tool.ts";

const options = z
  .object({
    url: z.string(),
    at_once: z.int().default(1),
    lock_ms: z.int().default(2_000),
    stalled_ms: z.int().default(1_000),
    log: z.string().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? ""));
const { url, log, ...work } = options;
const { worker } = await openWorker({ url }, { ...work, capabilities: ["sleep"], session: () => [sleepTool(log)] });
process.once("SIGTERM", () => void worker.end(5_000).then(() => process.exit(0)));
console.error(worker.id);
await worker.run();
