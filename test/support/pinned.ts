import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import * as z from "zod/v4";

const Held = z.object({
  seed: z.number(),
  /** Functions that were explored, with the number of accepted ones, and of those explored to their end. */
  functions: z.number(),
  believed: z.number(),
  complete: z.number(),
  pins: z.number(),
  /** Accepted, explored to the end, and not what CPython does. */
  wrong: z.array(z.unknown()),
  /** Whether a function that is known to differ was seen to. */
  control: z.boolean(),
  /** The same of what `claims.py` refuses: what the refusal is good for. */
  refused_and_wrong: z.number(),
});
export type Held = z.output<typeof Held>;

/** Functions of random operators, builtins and patterns on all types that are trusted, each on pinned inputs. */
export function held(python: string, seed: number, functions: number, seconds = 2): Held {
  const { stdout, stderr } = spawnSync(
    python,
    ["-I", "test/fixtures/symbolic/pinned.py", "python", String(seed), String(functions), String(seconds)],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return Held.parse(JSON.parse(stdout));
}
