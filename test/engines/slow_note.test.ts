import { describe, expect, it } from "vitest";
import { SlowNote } from "../../src/engines/wasm/slow_note.ts";

describe("the note about a slow embedded engine", () => {
  it("comes once, with the first slow answer, and names the engine", () => {
    const note = new SlowNote(() => false);
    expect(note.about("z3 5.1.0 (wasm)", 1_000)).toEqual([]);
    expect(note.about("z3 5.1.0 (native)", 60_000)).toEqual([]);
    expect(note.about("minizinc 2.10.0, Gecode (wasm)", 20_400).join()).toMatch(
      /^This took 20 s in the embedded build of minizinc; .*`verdict doctor`/,
    );
    expect(note.about("minizinc 2.10.0, Gecode (wasm)", 60_000)).toEqual([]);
  });

  it("does not come on a busy machine, nor about CP-SAT in Python", () => {
    expect(new SlowNote(() => true).about("z3 5.1.0 (wasm)", 60_000)).toEqual([]);
    expect(new SlowNote(() => false).about("minizinc 2.10.0, cp-sat with 2 workers (wasm)", 60_000)).toEqual([]);
  });
});
