import { expect, it } from "vitest";
import * as z from "zod/v4";
import { Questions } from "../../src/commands/gate/questions.ts";
import { Fault, type FaultCode } from "../../src/kernel/fault.ts";
import { defineTool } from "../../src/kernel/tool.ts";

const pair = { code: "", base: "", function_a: "f", function_b: "f", notes: [], assumed_types: {}, uses: null };

/** What becomes of a comparison whose call ends with a fault. */
function comparedWith(code: FaultCode) {
  const tool = defineTool({
    name: "compare_versions",
    description: "",
    annotations: {
      title: "",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    input: z.object({ code: z.string(), base: z.string(), timeout_seconds: z.number() }),
    output: z.object({}),
    limit_ms: () => 10_000,
    run: async () => {
      throw new Fault(code, "The reason.", ["the step"]);
    },
    render: () => [""],
  });
  return new Questions([tool], undefined, new AbortController().signal).compare(pair, 1);
}

// What ran out of time on a busy machine was not rejected: `--allow not-checked` must not hide it.
it.each([
  ["timeout", "undecided"],
  ["busy", "undecided"],
  ["input_rejected", "not_checked"],
  ["forbidden", "not_checked"],
  ["engine_failed", "error"],
] as const)("a comparison whose call ends with %s is %s", async (code, status) => {
  expect(await comparedWith(code)).toMatchObject({ status, why: "The reason." });
});
