import { mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { engine_limits } from "../../src/engines/limits.ts";
import type { Build } from "../../src/engines/minizinc/index.ts";
import { keptFiles } from "../../src/engines/minizinc/native.ts";
import { decide } from "../../src/evidence/minizinc/decide.ts";
import { ask } from "../../src/evidence/minizinc/question.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { removeDirectory } from "../support/directories.ts";

/** MiniZinc lists each value of a domain that has gaps: a model of four lines can be gigabytes when it is compiled. */

it("a compiled model that is too large is not read", () => {
  const directory = mkdtempSync(join(tmpdir(), "verdict-large-"));
  for (const [name, bytes] of [
    ["small", 3],
    ["large", engine_limits.minizinc_compiled_bytes_max + 1],
  ] as const) {
    writeFileSync(join(directory, name), "var");
    truncateSync(join(directory, name), bytes);
  }
  expect(keptFiles(directory, ["small", "large", "none"])).toEqual({ small: "var", large: null });
  removeDirectory(directory);
});

it.each(["UNSATISFIABLE", "OPTIMAL_SOLUTION"])(
  "nothing is believed of a model that was not read: %s",
  async (status) => {
    const build: Build = {
      kind: "native",
      version: "2.10.0",
      why: "",
      command: "",
      solvers: [{ id: "gecode", names: ["gecode"] }],
    };
    const deadline = new Deadline(60_000);
    const question = { source: "var 1..3: x; solve maximize x;", data: [], solver: "gecode", time_ms: 1_000 };
    const solution = { type: "solution", output: { json: { x: 3, _objective: 3 } }, sections: [] };
    const reply = await ask(
      async (_task, _deadline, onLine) => {
        if (status !== "UNSATISFIABLE") onLine(JSON.stringify(solution));
        onLine(JSON.stringify({ type: "status", status }));
        return { ending: { kind: "exited", code: 0 }, stderr: "", kept_files: { "model.fzn": null } };
      },
      build,
      question,
      deadline,
    );
    const decision = decide(reply);
    if (decision.kind === "sat") expect(decision.proved).toBe(false);
    else expect(decision).toMatchObject({ kind: "undecided", cause: "doubted" });
  },
);
