import * as z from "zod/v4";
import { incumbents_output } from "../../src/tools/model/solution/incumbents.ts";

/** The better solutions of an answer of `solve`; an empty list where it has fewer than two. */
export function incumbentsOf(answer: Readonly<Record<string, unknown>>) {
  const read = z.object({ incumbents: incumbents_output.optional() }).parse(answer);
  return read.incumbents ?? [];
}
