import { beforeAll, describe, expect, it } from "vitest";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { type Held, held } from "../support/pinned.ts";
import { privatePython, real_setup_ms_max } from "../support/python.ts";

let python = "";
beforeAll(async () => {
  if (has_python) python = (await privatePython()).python;
}, real_setup_ms_max);

describe.skipIf(!has_python)("what the exploration computes by itself", () => {
  it("has the value and the type that CPython gives, wherever it is accepted", async () => {
    const answer: Held = await withEnoughTime(
      async (ms) => held(python, 20_251, 12, ms / 1000),
      ({ wrong, complete }) => wrong.length > 0 || complete > 1,
      2_000,
    );
    expect(answer.wrong).toEqual([]);
    expect(answer.control).toBe(true);
    expect(answer.complete).toBeGreaterThan(1);
  }, 600_000);
});
