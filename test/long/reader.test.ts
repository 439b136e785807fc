import fc from "fast-check";
import { describe, it } from "vitest";
import { nativeZ3 } from "../support/engines.ts";
import { endsAgree } from "../support/reader.ts";

const z3 = nativeZ3();

describe.skipIf(!z3)("the reader of S-expressions, at length", () => {
  it("ends each command where Z3 ends it", async () => {
    await fc.assert(endsAgree(z3 ?? ""), { numRuns: 5_000 });
  });
});
