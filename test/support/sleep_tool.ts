import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/v4";
import { cancelled } from "../../src/kernel/fault.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";

/** Work that only takes time, for tests and benches of queues; `log` is a file of those that began and ended. */
export function sleepTool(log?: string): Tool {
  const note = (what: string, n: number) => log !== undefined && appendFileSync(log, `${what} ${n} ${process.pid}\n`);
  return defineTool({
    name: "sleep",
    description: "Takes its time.",
    annotations: {
      title: "Sleep",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    input: z.strictObject({ n: z.int(), ms: z.number(), pad: z.string().default("") }),
    output: z.object({ status: z.literal("ok"), n: z.int(), twice: z.int(), pid: z.int(), pad_chars: z.int() }),
    limit_ms: ({ ms }) => ms + 60_000,
    needs: () => "sleep",
    async run({ n, ms, pad }, { signal, onEvent }) {
      note("began", n);
      onEvent(`began ${n}`);
      await sleep(ms, undefined, { signal }).catch(() => {
        note("stopped", n);
        throw cancelled();
      });
      note("ended", n);
      return { status: "ok" as const, n, twice: 2 * n, pid: process.pid, pad_chars: pad.length };
    },
    render: ({ n, twice }) => [`twice ${n} is ${twice}`],
  });
}
