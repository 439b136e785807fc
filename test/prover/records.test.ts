import { describe, expect, it } from "vitest";
import type { Goal } from "../../src/prover/index.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Block, blocksOf } from "../support/proofs.mjs";
import { prove_ms_max, shareProver } from "../support/prover.ts";
import { agreement, soundClaims } from "../support/prover_properties.ts";
import { record_pairs } from "../support/record_programs.ts";

const seed = 20_261_129;

/** What a block claims: `meets f`, `equal f g`, `never f ValueError`. */
function goalOf({ note }: Block): Goal {
  const [kind, first = "", second = ""] = note.split(" ");
  if (kind === "equal") return { kind: "equivalent", function_a: first, function_b: second };
  if (kind === "never") return { kind: "never_raises", function: first, exceptions: [second] };
  return { kind: "meets_contract", function: first };
}

describe.skipIf(!has_python)("the prover, with classes of the text", () => {
  const bench = fixture(shareProver);

  it("ends every call of random programs as CPython does", async () => {
    const sum = await agreement(12, seed, record_pairs);
    console.log("calls of random programs with classes:", sum);
    expect(sum.agreed).toBeGreaterThan(1_000);
    expect(sum.raised).toBeGreaterThan(200);
    expect(sum.open + sum.refused).toBeLessThan(sum.agreed / 6);
  }, 900_000);

  it("claims nothing about random programs that a call refutes", async () => {
    const sum = await withEnoughTime(
      (ms) => soundClaims(bench.engines, 6, seed, ms, record_pairs),
      ({ proven }) => proven > 2,
    );
    console.log("claims about random programs with classes:", sum);
    expect(sum.proven).toBeGreaterThan(2);
    expect(sum.refuted).toBeGreaterThan(2);
  });

  it("has enough of both", () => {
    expect(blocksOf("records").length).toBeGreaterThanOrEqual(14);
    expect(blocksOf("records_wrong").length).toBeGreaterThanOrEqual(8);
  });

  it.each(blocksOf("records"))("proves $title", async (block) => {
    const verdict = await withEnoughTime(
      (ms) => bench.prove(block.code, goalOf(block), ms),
      ({ kind }) => kind === "proven",
      prove_ms_max,
    );
    expect(verdict).toMatchObject({ kind: "proven" });
  });

  it.each(blocksOf("records_wrong"))("does not prove $title", async (block) => {
    const verdict = await bench.prove(block.code, goalOf(block));
    expect(verdict.kind).toBe("undecided");
  });
});
