import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { cancelled } from "../../kernel/fault.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { limits } from "../../kernel/limits.ts";
import type { Children } from "../../kernel/process/child.ts";
import { runToEnd } from "../../kernel/process/run.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { engine_limits } from "../limits.ts";

export interface DratServices {
  readonly config: Pick<Config, "drat_host" | "proofs_directory">;
  readonly children: Children;
}

/**
 * Clauses as lists of literals, and a proof that they have no solution, in binary DRAT, compressed with zlib and
 * base64-encoded.
 */
export interface Refutation {
  readonly clauses: readonly (readonly number[])[];
  readonly proof: string;
}

const Checked = z.discriminatedUnion("verdict", [
  z.object({ verdict: z.literal("checked"), steps: z.number(), rat_steps: z.number() }),
  z.object({ verdict: z.literal("refused"), reason: z.string() }),
]);

/** The result of a check; `open` if the checker itself did not finish. */
export type CheckedProof = z.output<typeof Checked> | { readonly verdict: "open"; readonly reason: string };

/** The DRAT proof checker, a separate program that is started for each proof. */
export class Drat {
  readonly #services: DratServices;

  constructor(services: DratServices) {
    this.#services = services;
  }

  /** Checks a proof, within the caller's slot. Raises `cancelled`. */
  async check({ clauses, proof }: Refutation, deadline: Deadline): Promise<CheckedProof> {
    const program = { command: process.execPath, args: [this.#services.config.drat_host] };
    const bounds = { rss_bytes_max: engine_limits.proof_check_rss_bytes_max };
    const child = this.#services.children.start(program, bounds);
    child.write(JSON.stringify({ clauses, proof }));
    const { ending, stdout, stderr } = await runToEnd(child, deadline);
    if (deadline.signal.aborted) throw cancelled();
    const read = ending.kind === "exited" && ending.code === 0 ? Checked.safeParse(jsonOf(stdout)).data : undefined;
    if (read) return read;
    if (ending.kind === "stopped" && ending.why === "deadline") return open("checking it took too long");
    if (ending.kind === "stopped" && ending.why === "memory") return open("checking it took too much memory");
    if (stderr !== "") console.error(stderr.slice(0, limits.fault_quote_chars_max));
    return open("its checker failed");
  }

  /**
   * Saves the clauses (DIMACS) and the proof (binary DRAT) in the directory `VERDICT_PROOFS`, for other checkers such
   * as drat-trim. Returns the name of the two files without extensions, or undefined if no proof is wanted or it could
   * not be written.
   */
  async keep({ clauses, proof }: Refutation): Promise<string | undefined> {
    const { proofs_directory } = this.#services.config;
    if (proofs_directory === undefined) return undefined;
    const formula = dimacs(clauses);
    const name = `unsat-${createHash("sha256").update(formula).update(proof).digest("hex").slice(0, 16)}`;
    try {
      const bytes = await promisify(inflate)(Buffer.from(proof, "base64"), {
        maxOutputLength: engine_limits.proof_bytes_max,
      });
      await writeWhole(join(proofs_directory, `${name}.drat`), bytes);
      await writeWhole(join(proofs_directory, `${name}.cnf`), formula);
      return name;
    } catch (error) {
      console.error(error);
      return undefined;
    }
  }
}

function open(reason: string): CheckedProof {
  return { verdict: "open", reason };
}

/** Formats clauses as DIMACS. */
function dimacs(clauses: Refutation["clauses"]): string {
  let top = 0;
  for (const clause of clauses) for (const each of clause) top = Math.max(top, Math.abs(each));
  return [`p cnf ${top} ${clauses.length}`, ...clauses.map((clause) => [...clause, 0].join(" ")), ""].join("\n");
}
