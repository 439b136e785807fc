import type { Config } from "../../config.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import type { Children } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import type { Slots } from "../../kernel/process/slots.ts";
import { again } from "../../kernel/step.ts";
import { engine_limits } from "../limits.ts";
import { type Content, type Order, Reply } from "./table.ts";

export interface TableServices {
  readonly config: Pick<Config, "table_host">;
  readonly children: Children;
  readonly slots: Slots;
}

/** The reader of data files: a program of its own, started for each file. */
export class Tables {
  readonly #services: TableServices;

  constructor(services: TableServices) {
    this.#services = services;
  }

  /**
   * What a file has, read in the slot of a solver. Raises `input_rejected` for a file that is no data, `timeout`,
   * `engine_failed`, `busy` and `cancelled`.
   */
  async read(order: Order, deadline: Deadline): Promise<Content> {
    return this.#services.slots.run(deadline, () => this.#read(order, deadline));
  }

  async #read(order: Order, deadline: Deadline): Promise<Content> {
    const { children, config } = this.#services;
    const child = children.start(
      {
        command: process.execPath,
        args: [`--max-old-space-size=${engine_limits.table_heap_mb_max}`, config.table_host],
      },
      { rss_bytes_max: engine_limits.table_rss_bytes_max, stdout_bytes_max: 4 * engine_limits.table_chars_max },
    );
    child.write(JSON.stringify(order));
    const { ending, stdout, stderr } = await runToEnd(child, deadline.atMost(engine_limits.table_ms_max));
    if (deadline.signal.aborted) throw cancelled();
    if (ending.kind === "exited" && ending.code === 0) {
      const reply = Reply.parse(JSON.parse(stdout));
      if ("content" in reply) return reply.content;
      throw new Fault("input_rejected", reply.refused.error, reply.refused.steps);
    }
    const smaller = "save the part that the model needs as a smaller CSV file";
    if (ending.kind === "stopped" && ending.why === "deadline")
      throw new Fault("timeout", `${order.shown} was not read in time.`, [again("send the call again"), smaller]);
    if (/heap out of memory/.test(stderr) || (ending.kind === "stopped" && ending.why === "memory"))
      throw new Fault("input_rejected", `${order.shown} is too large to be read.`, [smaller]);
    console.error(stderr.slice(0, 2_000));
    throw new Fault("engine_failed", `The program that reads ${order.shown} failed.`, [
      again("send the call again"),
      "save the file as CSV in UTF-8",
    ]);
  }
}
