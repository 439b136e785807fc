import * as z from "zod/v4";
import { annotated, defineTool, type Tool } from "../../kernel/tool.ts";
import { model_id } from "./arguments.ts";
import { lastSolution } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { model_limits } from "./limits.ts";

const output = z.object({ status: z.literal("ok"), solve_time: z.number(), solve_status: z.string() });

/** `get_solve_time`: returns how long the last solve took. */
export function getSolveTime(store: Store): Tool {
  return defineTool({
    name: "get_solve_time",
    description: "Seconds that the last solve_model took.",
    annotations: annotated("Show the solve time", "reads"),
    input: z.strictObject({ model_id }),
    output,
    listed_output: ["status", "solve_time"],
    limit_ms: () => model_limits.change_ms_max,
    question: "of_session",
    async run({ model_id }) {
      const { solve_time, status } = lastSolution(store.at(model_id));
      return { status: "ok" as const, solve_time, solve_status: status };
    },
    render: ({ solve_time, solve_status }) => [`${solve_time} s (${solve_status})`],
  });
}
