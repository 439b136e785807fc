import { describe, expect, it } from "vitest";
import type { ClingoAnswer } from "../../src/engines/clingo/read.ts";
import {
  type Judgement,
  limitReached,
  type Proven,
  type Refuted,
  type Sat,
  type Undecided,
  undecided,
  type Verdict,
} from "../../src/kernel/verdict.ts";
import type { Verdict as ProverVerdict } from "../../src/prover/index.ts";
import type { SearchVerdict } from "../../src/tools/lean/search/drive.ts";
import type { SolveVerdict } from "../../src/tools/model/language.ts";
import type { SmtVerdict } from "../../src/tools/smtlib/run.ts";

interface Values {
  readonly x: number;
}

const late = limitReached("time");
const gave_up = undecided("incomplete", "incomplete quantifiers");

describe("one answer", () => {
  it("has no form for a decision without its evidence, nor for an undecided one without a reason", () => {
    // tsc reads these lines: each is an error, so that what they say can't be said.
    // @ts-expect-error a sat has a witness
    const without_model: Sat<Values> = { kind: "sat" };
    // @ts-expect-error null is not a witness
    const null_model: Verdict<Values> = { kind: "sat", witness: null };
    // @ts-expect-error a witness is an object, so nobody can declare a sat without one
    type NoWitness = Sat<undefined>;
    // @ts-expect-error an undecided question has a cause and a reason
    const silent: Undecided = { kind: "undecided" };
    // @ts-expect-error a cause alone gives no reason
    const wordless: Undecided = { kind: "undecided", cause: "incomplete" };
    // @ts-expect-error the list of causes is closed
    const other_cause: Undecided = { kind: "undecided", cause: "tired", reason: "it was late" };
    // @ts-expect-error words of the wire are not kinds
    const on_the_wire: Verdict<Values> = { kind: "timeout" };
    // @ts-expect-error an unsat has no witness
    const both: Verdict<Values> = { kind: "unsat", witness: { x: 1 } };
    // @ts-expect-error what is undecided shows no witness either
    const undecided_model: Verdict<Values> = { ...late, kind: "undecided", witness: { x: 1 } };
    // @ts-expect-error a proof says how it is known
    const trust_me: Proven<Values> = { kind: "proven" };
    // @ts-expect-error a refutation shows its counterexample
    const somewhere: Refuted<Values> = { kind: "refuted" };
    // @ts-expect-error the sentence of a limit is the kernel's
    const own_words = () => undecided("time", "it took long");
    // @ts-expect-error the witness has to be looked for behind the kind
    const unasked = (verdict: Verdict<Values>) => verdict.witness;
    const all = [without_model, null_model, silent, wordless, other_cause, on_the_wire, both, undecided_model];
    expect([...all, trust_me, somewhere, own_words, unasked] satisfies (object | NoWitness)[]).toHaveLength(12);
  });

  it("is what the outcomes of engines and toolsets are built on", () => {
    // @ts-expect-error a script's sat has its model, or says why none is shown
    const script: SmtVerdict = { kind: "sat", objectives: [] };
    // @ts-expect-error a solution has values, or says why none are shown
    const model: SolveVerdict = { kind: "sat", best: { value: 1, proved: true } };
    // @ts-expect-error what conflicts belongs to unsat
    const core: SolveVerdict = { ...late, core: { names: ["a"] } };
    // @ts-expect-error clingo's answer sets have a last one
    const sets: Pick<ClingoAnswer & { kind: "sat" }, "kind" | "witness"> = { kind: "sat" };
    // @ts-expect-error the prover alone refutes nothing
    const refuted: ProverVerdict = { kind: "refuted", counterexample: [] };
    // @ts-expect-error an input that may refute a claim is shown
    const candidate: ProverVerdict = undecided("unconfirmed", "there is an input");
    // @ts-expect-error a proof in Lean has its script
    const lean: SearchVerdict = { kind: "proven", proof: {} };
    expect([script, model, core, sets, refuted, candidate, lean]).toHaveLength(7);
  });

  it("names a member that a switch forgot", () => {
    function word(judgement: Judgement<Values, Values>): string {
      switch (judgement.kind) {
        case "proven":
          return "holds";
        case "undecided":
          return judgement.reason;
        default:
          // @ts-expect-error refuted is left
          return judgement satisfies never;
      }
    }
    expect(word(gave_up)).toBe("incomplete quantifiers");
  });
});
