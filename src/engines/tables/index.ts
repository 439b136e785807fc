import type { Config } from "../../config.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled, Fault } from "../../kernel/fault.ts";
import type { Children } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import type { Slots } from "../../kernel/process/slots.ts";
import { again } from "../../kernel/step.ts";
import { engine_limits } from "../limits.ts";
import { Content, type Order, Refused, View, type ViewOrder } from "./table.ts";

export interface TableServices {
  readonly config: Pick<Config, "table_host">;
  readonly children: Children;
  readonly slots: Slots;
}

/**
 * The reader of data files: a separate program that is started for each file, or once for all files that are shown
 * together.
 */
export class Tables {
  readonly #services: TableServices;

  constructor(services: TableServices) {
    this.#services = services;
  }

  /**
   * Returns a file's contents, read in a solver slot. Raises `input_rejected` for a file that is not data, `timeout`,
   * `engine_failed`, `busy` and `cancelled`.
   */
  async read(order: Order, deadline: Deadline): Promise<Content> {
    return Content.parse(await this.#reply(order, order.shown, deadline));
  }

  /**
   * Returns the parts of files that are to be shown; other rows never leave the program that reads the files. Raises
   * the same faults as `read`.
   */
  async view(order: ViewOrder, deadline: Deadline): Promise<View> {
    return View.parse(await this.#reply(order, order.files.map(({ shown }) => shown).join(", "), deadline));
  }

  async #reply(order: Order | ViewOrder, shown: string, deadline: Deadline): Promise<unknown> {
    return this.#services.slots.run(deadline, () => this.#run(order, shown, deadline));
  }

  async #run(order: Order | ViewOrder, shown: string, deadline: Deadline): Promise<unknown> {
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
      const reply: unknown = JSON.parse(stdout);
      const { data: refused } = Refused.safeParse(reply);
      if (refused) throw new Fault("input_rejected", refused.error, refused.steps);
      return reply;
    }
    const smaller = "save the part that the model needs as a smaller CSV file";
    if (ending.kind === "stopped" && ending.why === "deadline")
      throw new Fault("timeout", `${shown} was not read in time.`, [again("send the call again"), smaller]);
    if (/heap out of memory/.test(stderr) || (ending.kind === "stopped" && ending.why === "memory"))
      throw new Fault("input_rejected", `${shown} is too large to be read.`, [smaller]);
    console.error(stderr.slice(0, 2_000));
    throw new Fault("engine_failed", `The program that reads ${shown} failed.`, [
      again("send the call again"),
      "save the file as CSV in UTF-8",
    ]);
  }
}
