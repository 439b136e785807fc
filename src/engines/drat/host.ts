/**
 * The proof checker as a program: it reads one request on stdin and answers on stdout. It is built into a separate
 * file, dist/drat_check.mjs, and only runs in a child process, whose time and memory the caller limits.
 */
import { text } from "node:stream/consumers";
import { inflateSync } from "node:zlib";
import * as z from "zod/v4";
import { engine_limits } from "../limits.ts";
import { type Checked, check } from "./check.ts";
import { variable_max } from "./steps.ts";

/** The clauses, and the solver's proof, which is compressed and base64-encoded. */
const Request = z.object({
  clauses: z.array(z.array(z.int().min(-variable_max).max(variable_max))),
  proof: z.string(),
});

async function main(): Promise<void> {
  const request = Request.safeParse(JSON.parse(await text(process.stdin)));
  process.stdout.write(JSON.stringify(request.success ? answer(request.data) : refusal("the request is malformed")));
}

function answer({ clauses, proof }: z.output<typeof Request>): Checked {
  if (clauses.some((clause) => clause.includes(0))) return refusal("a clause contains the literal 0");
  let bytes: Uint8Array;
  try {
    bytes = inflateSync(Buffer.from(proof, "base64"), { maxOutputLength: engine_limits.proof_bytes_max });
  } catch {
    return refusal("the proof is damaged: it can't be decompressed within its size limit");
  }
  return check(clauses, bytes);
}

function refusal(reason: string): Checked {
  return { verdict: "refused", reason };
}

void main();
