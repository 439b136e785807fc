import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { gate_limits } from "./limits.ts";

const Kept = z.object({ structured: z.record(z.string(), z.unknown()) });

/**
 * Returns everything that affects an answer, apart from the question. A new build can answer differently, so the hash of
 * its files is included.
 */
export async function cacheContext(
  { prover_file, prover_check }: Pick<Config, "prover_file" | "prover_check">,
  environment: { readonly directory: string } | undefined,
): Promise<unknown> {
  const build = await readFile(join(dirname(prover_file), "build.txt"), "utf8");
  return [build, environment && basename(environment.directory), prover_check];
}

/**
 * Caches tools' answers in the data directory, by a hash of the question. The question contains the code of both
 * versions with all its dependencies; everything else that affects the answer is in `context`.
 */
export class AnswerCache {
  readonly #directory: string;
  readonly #context: unknown;
  #has_written = false;

  constructor(data_directory: string, context: unknown) {
    this.#directory = join(data_directory, "gate");
    this.#context = context;
  }

  /** The cached answer to this question, if there is one. */
  async get(question: unknown): Promise<Record<string, unknown> | undefined> {
    const file = this.#fileOf(question);
    try {
      const { structured } = Kept.parse(JSON.parse(await readFile(file, "utf8")));
      const now = new Date();
      await utimes(file, now, now);
      return structured;
    } catch (error) {
      // The answer was not cached, or another version cached it.
      if (errorCode(error) !== undefined || error instanceof SyntaxError || error instanceof z.ZodError)
        return undefined;
      throw error;
    }
  }

  /** Caches an answer. If the disk is full or read-only, the answer is lost, and the next run asks again. */
  async keep(question: unknown, structured: Record<string, unknown>): Promise<void> {
    const text = JSON.stringify({ structured });
    if (Buffer.byteLength(text) > gate_limits.cached_bytes_max) return;
    try {
      await writeWhole(this.#fileOf(question), text, { is_flushed: false });
      this.#has_written = true;
    } catch (error) {
      console.error("An answer could not be cached for the next run:", error instanceof Error ? error.message : error);
    }
  }

  /** Deletes the least recently used answers if there are too many. */
  async bound(): Promise<void> {
    if (!this.#has_written) return;
    const names = (await readdir(this.#directory)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
    if (names.length <= gate_limits.cached_max) return;
    const used = await Promise.all(
      names.map(async (name) => ({ name, at: await timeOf(join(this.#directory, name)) })),
    );
    const oldest = used.toSorted((a, b) => a.at - b.at).slice(0, names.length - gate_limits.cached_max);
    await Promise.all(oldest.map(({ name }) => rm(join(this.#directory, name), { force: true })));
  }

  #fileOf(question: unknown): string {
    const hash = createHash("sha256")
      .update(JSON.stringify([this.#context, question]))
      .digest("hex");
    return join(this.#directory, `${hash}.json`);
  }
}

async function timeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    // Another run has already deleted the file.
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  }
}
