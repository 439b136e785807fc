import { describe, expect, it } from "vitest";
import { SlowNote } from "../../src/engines/wasm/slow_note.ts";

describe("the note about a slow embedded engine", () => {
  it("comes once, with the first slow answer, and names the engine", () => {
    const note = new SlowNote();
    expect(note.about("z3 5.1.0 (wasm)", 1_000)).toEqual([]);
    expect(note.about("z3 5.1.0 (native)", 60_000)).toEqual([]);
    expect(note.about("minizinc 2.10.0, Gecode (wasm)", 20_400).join()).toMatch(
      /^This took 20 s in the embedded build of minizinc; .*`verdict doctor`/,
    );
    expect(note.about("minizinc 2.10.0, Gecode (wasm)", 60_000)).toEqual([]);
  });
});
