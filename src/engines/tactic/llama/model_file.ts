import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { basename } from "node:path";
import * as z from "zod/v4";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { engine_limits } from "../../limits.ts";
import type { LlamaModule } from "./api.ts";

const count = z.union([z.number(), z.bigint()]).transform(Number);
/** The number of attention heads; some architectures have one number per layer. */
const heads = z.union([count, z.array(count).transform((all) => Math.max(1, ...all))]);

const General = z.looseObject({
  architecture: z.string(),
  name: z.string().optional(),
  file_type: count.optional(),
});

const Architecture = z.looseObject({
  block_count: count,
  context_length: count.optional(),
  embedding_length: count,
  attention: z.looseObject({
    head_count: heads,
    head_count_kv: heads.optional(),
    key_length: count.optional(),
    value_length: count.optional(),
  }),
});

const Info = z.looseObject({
  metadata: z.looseObject({ general: General }),
  tensorInfo: z.array(z.looseObject({ fileOffset: count.optional() })).default([]),
});

/** The metadata of a GGUF file, read before the model is loaded. */
export interface ModelFile {
  readonly path: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly quantisation: string | null;
  readonly fingerprint: string;
  readonly context_tokens_max: number;
  /** The number of bytes that one token takes in one sequence's cache, which stores 16-bit numbers. */
  readonly cache_bytes_per_token: number;
}

/** Reads and checks a model's file. Raises `engine_missing`, and `engine_failed` for a file that can't be loaded. */
export async function readModelFile(llama: LlamaModule, path: string): Promise<ModelFile> {
  const size_bytes = await sizeOf(path);
  const { start, fingerprint } = await look(path, size_bytes);
  if (start !== "GGUF")
    throw unusable(path, "it is not a GGUF file", "download the .gguf file itself; the saved file might be a web page");
  const info = Info.safeParse(
    await llama.readGgufFileInfo(path, { sourceType: "filesystem", logWarnings: false }).catch(() => undefined),
  );
  if (!info.success)
    throw unusable(path, "its header can't be read: the file is truncated or damaged", "download it again");
  const { general, ...architectures } = info.data.metadata;
  const last = Math.max(0, ...info.data.tensorInfo.map(({ fileOffset }) => fileOffset ?? 0));
  if (last >= size_bytes)
    throw unusable(
      path,
      `it is truncated: ${size_bytes} bytes, but tensors begin at byte ${last}`,
      "download it again",
    );
  const shape = Architecture.safeParse(architectures[general.architecture]);
  if (!shape.success)
    throw unusable(path, `it does not describe its architecture ${general.architecture}`, "use another model");
  const type = general.file_type === undefined ? undefined : llama.GgufFileType[general.file_type];
  return {
    path,
    name: general.name ?? basename(path, ".gguf"),
    size_bytes,
    quantisation: type?.replace(/^(MOSTLY|ALL)_/, "") ?? quantisationIn(path),
    fingerprint,
    context_tokens_max: shape.data.context_length ?? engine_limits.tactic_context_tokens_default,
    cache_bytes_per_token: cacheBytes(shape.data),
  };
}

/**
 * Returns a text that changes if the file is replaced. It is synchronous, since a turn of the event loop takes ten
 * times as long.
 */
export function versionOf(path: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch (error) {
    throw unreadableModelFile(path, error);
  }
}

/** Returns the number of sequences that fit into memory. Raises `engine_failed` if not even one does. */
export function sequencesFor({ path, size_bytes, cache_bytes_per_token }: ModelFile, context_tokens: number): number {
  const one = cache_bytes_per_token * context_tokens;
  const memory = machineMemory() * engine_limits.tactic_memory_share;
  if (size_bytes + one > memory)
    throw unusable(
      path,
      `it needs ${gigabytes(size_bytes + one)}, but only ${gigabytes(memory)} are available on this machine`,
      "use a smaller quantisation (7B in Q4_K_M takes about 5 GB), or a server: VERDICT_LEAN_MODEL=ollama:NAME",
    );
  const budget = Math.min(engine_limits.tactic_cache_bytes_max, memory - size_bytes);
  return Math.max(1, Math.min(engine_limits.tactic_sequences_max, Math.floor(budget / one)));
}

function machineMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < totalmem() ? constrained : totalmem();
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function cacheBytes({ block_count, embedding_length, attention }: z.output<typeof Architecture>): number {
  const head = embedding_length / attention.head_count;
  const each = (attention.key_length ?? head) + (attention.value_length ?? head);
  return block_count * (attention.head_count_kv ?? attention.head_count) * each * 2;
}

function quantisationIn(path: string): string | null {
  return /[-.](I?Q\d\w*|F16|F32|BF16)[-.]/i.exec(basename(path))?.[1]?.toUpperCase() ?? null;
}

async function sizeOf(path: string): Promise<number> {
  try {
    const stats = await stat(path);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    throw unreadableModelFile(path, error);
  }
  throw unusable(path, "it is not a file", "name the .gguf file itself");
}

/**
 * Returns the beginning of a file and a hash of samples from it: two trainings of one model differ only in their
 * weights.
 */
async function look(path: string, size_bytes: number): Promise<{ start: string; fingerprint: string }> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw unreadableModelFile(path, error);
  });
  try {
    const { tactic_samples, tactic_sample_bytes } = engine_limits;
    const hash = createHash("sha256").update(`${size_bytes}\n`);
    const piece = Buffer.alloc(tactic_sample_bytes);
    const read = async (from: number) => {
      const { bytesRead } = await file.read(piece, 0, piece.length, from);
      return piece.subarray(0, bytesRead);
    };
    const last = Math.max(0, size_bytes - piece.length);
    for (let i = 0; i <= tactic_samples; i++) hash.update(await read(Math.floor((last * i) / tactic_samples)));
    return { start: (await read(0)).toString("latin1", 0, 4), fingerprint: hash.digest("hex").slice(0, 16) };
  } finally {
    await file.close();
  }
}

function unreadableModelFile(path: string, error: unknown): Fault {
  const code = errorCode(error);
  if (code !== "ENOENT")
    return unusable(path, `it can't be read (${code ?? "unknown error"})`, "check its permissions");
  return new Fault("engine_missing", `The model file ${path} does not exist (VERDICT_LEAN_MODEL).`, [
    "ask the user to check VERDICT_LEAN_MODEL: it has to be the path of a .gguf file",
    "the guide `lean` lists the models and their sizes",
  ]);
}

/** The fault for an unusable model file. It shows the path, which is the user's own setting and may be a mistake. */
function unusable(path: string, why: string, step: string): Fault {
  return new Fault("engine_failed", `The model file ${path} can't be used (VERDICT_LEAN_MODEL): ${why}.`, [
    `ask the user: ${step}`,
    "then call again: the daemon reads the file again",
  ]);
}
