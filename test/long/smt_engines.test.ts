import { describe, expect, it } from "vitest";
import { rightAnswers } from "../support/differential.ts";
import { openBench, quickest_z3 } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { pythonData } from "../support/python.ts";
import { agreeing } from "../support/random_smt.ts";
import { assertPrinted } from "../support/seeded.ts";

describe("many random scripts", () => {
  const bench = fixture(async () => openBench(quickest_z3, undefined, { VERDICT_DATA: await pythonData("smt") }));

  it("are answered by cvc5 as trying all values does", async () => {
    await assertPrinted("cvc5 against brute force", rightAnswers(bench, "cvc5"), 500);
  });

  it("of several logics are answered alike by all engines", async () => {
    let confirmed = 0;
    const count = (more: number) => {
      confirmed += more;
    };
    await assertPrinted("Z3, cvc5 and Bitwuzla", agreeing(bench, count), 1_000);
    console.log(`${confirmed} answers confirmed by a second or third engine`);
    expect(confirmed).toBeGreaterThan(0);
  });
});
