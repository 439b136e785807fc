import { describe, expect, it } from "vitest";
import { openMiniZincOnce, quickest_minizinc } from "../support/minizinc.ts";

const benchOf = openMiniZincOnce();

describe("findings on a model in MiniZinc", () => {
  const bench = benchOf(quickest_minizinc);

  const model =
    "int: n; array[1..n] of int: a; array[1..n] of int: b; array[1..n] of int: c; var 1..n: x; var 1..n: y;\nconstraint y > 1;";

  it("are the last warnings of a solve, at most three, and all of them are in get_model", async () => {
    const data = { n: 2, a: [1, 2], b: [1, 2], c: [1, 2] };
    const answer = await bench.call("solve", { language: "minizinc", model, data });
    expect(answer).toMatchObject({ status: "sat" });
    const findings = [
      "Item 0, line 1, column 29: nothing uses the parameter a.",
      "Item 0, line 1, column 52: nothing uses the parameter b.",
      "Item 0, line 1, column 75: nothing uses the parameter c.",
      "Item 0, line 1, column 88: no constraint or objective contains x: it can have any value in its domain.",
    ];
    expect(JSON.stringify(answer["warnings"])).toContain(JSON.stringify(findings.slice(0, 3)).slice(1, -1));
    expect(JSON.stringify(answer["warnings"])).not.toContain(findings[3]);
    expect(await bench.call("get_model")).toMatchObject({ findings });
  });
});
