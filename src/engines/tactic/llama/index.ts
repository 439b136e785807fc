import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { TacticSettings } from "../../../config.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";
import { cut } from "../../../kernel/text/cut.ts";
import type { Backend, Sample, SampleOrder, Samples, Score } from "../backend.ts";
import { continued, type Prompt } from "../prompt.ts";
import type { ModelInfo } from "../protocol.ts";
import { type Context, type Llama, loadLlama, type Model, type Sequence, type Token } from "./api.ts";
import { type ModelFile, readModelFile, sequencesFor } from "./model_file.ts";
import { Clock, copyState, draw, Pace, prefill, score } from "./sequences.ts";

export interface LlamaSettings {
  readonly path: string;
  /** The directory in which llama.cpp is installed. */
  readonly directory: string;
  readonly tactics: TacticSettings;
  readonly scratch_directory: string;
}

/**
 * Loads a model into this process; `progress` receives the share that has been loaded. Raises `engine_missing`,
 * `engine_failed`.
 */
export async function openLlama(
  settings: LlamaSettings,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Backend> {
  const module = await loadLlama(settings.directory);
  const file = await readModelFile(module, settings.path);
  const context_tokens = Math.min(settings.tactics.context_tokens, file.context_tokens_max);
  const sequences = sequencesFor(file, context_tokens);
  const { threads, gpu } = settings.tactics;
  let complaint = "";
  const llama = await module.getLlama({
    gpu: gpu === "off" ? false : (gpu ?? "auto"),
    build: "never",
    skipDownload: true,
    progressLogs: false,
    // Threads that outnumber the free cores wait for each other, which on busy cores can take a thousand times longer
    // than using one thread.
    maxThreads: threads ?? availableParallelism(),
    logger: (level, message) => {
      if (level === "error" || level === "fatal") complaint = message.trim();
    },
  });
  try {
    const model = await llama.loadModel({ modelPath: file.path, onLoadProgress: progress, loadSignal: signal });
    const context = await model.createContext({
      contextSize: context_tokens,
      sequences,
      threads: threads ?? Math.max(1, llama.cpuMathCores - 1),
      batchSize: 512,
    });
    const taken = Array.from({ length: sequences }, () => context.getSequence());
    return new LlamaBackend({ llama, model, context, sequences: taken, file, scratch: ramDisk(settings) });
  } catch (error) {
    await llama.dispose();
    if (error instanceof Fault || signal.aborted) throw error;
    throw notLoaded(file, complaint || (error instanceof Error ? error.message : String(error)));
  }
}

interface Parts {
  readonly llama: Llama;
  readonly model: Model;
  readonly context: Context;
  readonly sequences: readonly Sequence[];
  readonly file: ModelFile;
  readonly scratch: string;
}

/** A model in this process. It handles one request at a time, using its sequences in parallel. */
class LlamaBackend implements Backend {
  readonly model: ModelInfo;
  readonly #parts: Parts;
  readonly #pace = new Pace();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { name, quantisation, fingerprint } = parts.file;
    this.model = {
      name,
      backend: "llama.cpp",
      size_bytes: parts.model.size,
      quantisation,
      fingerprint,
      context_tokens: parts.sequences[0]?.contextSize ?? null,
      scores: "exact",
    };
  }

  async sample(order: SampleOrder, deadline: Deadline): Promise<Samples> {
    const { model, scratch } = this.#parts;
    const timing = { clock: new Clock(deadline), pace: this.#pace };
    const prompt = this.#tokens(order.prompt);
    this.#fit(prompt.length, order.tokens_max);
    const drawings = drawingsOf(order);
    const sequences = this.#parts.sequences.slice(0, drawings.length);
    const [first, ...others] = sequences;
    if (first && others.length > 0 && prompt.length > 1) {
      if ((await prefill(first, prompt.slice(0, -1), timing)) === undefined) return { samples: [], expired: true };
      await copyState(first, others, scratch);
    }
    const drawn = await forEachOn(sequences, drawings, (sequence, drawing) =>
      draw(model, sequence, prompt, drawing, timing),
    );
    const samples = drawn.flatMap((each): Sample[] => (each ? [{ ...each, score: null }] : []));
    return { samples, expired: samples.length < drawings.length };
  }

  async score(prompt: Prompt, texts: readonly string[], deadline: Deadline): Promise<readonly Score[] | "expired"> {
    const timing = { clock: new Clock(deadline), pace: this.#pace };
    const head = this.#tokens(prompt);
    const { model, sequences, scratch } = this.#parts;
    const end = model.tokens.eos;
    const fulls = texts.map((text) => [...this.#tokens(continued(prompt, text)), ...(end === null ? [] : [end])]);
    this.#fit(Math.max(...fulls.map(({ length }) => length)), 0);
    const [first, ...others] = sequences.slice(0, fulls.length);
    // After sampling, the other sequences have already read the prompt; if they have not, copying is cheaper than
    // reading it.
    const behind = others.filter(({ nextTokenIndex }) => nextTokenIndex < head.length - 1);
    if (first && behind.length > 0 && head.length > 1) {
      if ((await prefill(first, head.slice(0, -1), timing)) === undefined) return "expired";
      await copyState(first, behind, scratch);
    }
    const scores = await forEachOn(sequences, fulls, (sequence, full) => score(sequence, head, full, timing));
    const known = scores.filter((each) => each !== undefined);
    return known.length < fulls.length ? "expired" : known;
  }

  async close(): Promise<void> {
    await this.#parts.context.dispose();
    await this.#parts.model.dispose();
    await this.#parts.llama.dispose();
  }

  #tokens(prompt: Prompt): readonly Token[] {
    return prompt.flatMap(({ text, special }) => this.#parts.model.tokenize(text, special));
  }

  /**
   * Raises `invalid_input` if the tokens exceed the context: llama.cpp would silently drop the beginning of the state.
   */
  #fit(prompt_tokens: number, tokens_max: number): void {
    const room = this.model.context_tokens ?? 0;
    if (prompt_tokens + tokens_max <= room) return;
    const [what, shorter] =
      tokens_max > 0
        ? [
            `The state has ${prompt_tokens} tokens; with ${tokens_max} for a tactic that`,
            "or give a smaller max_tokens",
          ]
        : [`The state with a tactic has ${prompt_tokens} tokens; that`, "or send a shorter tactic"];
    throw new Fault("invalid_input", `${what} is more than the ${room} of the context.`, [
      "send only the first goal, and clear hypotheses that are not needed",
      shorter,
      "the user can raise VERDICT_LEAN_CONTEXT, at the cost of memory",
    ]);
  }
}

function drawingsOf({ count, temperature, tokens_max, seed, greedy_first, single_line }: SampleOrder) {
  // At temperature 0, all samples are identical.
  return Array.from({ length: temperature === 0 ? 1 : count }, (_, i) => ({
    temperature: i === 0 && greedy_first ? 0 : temperature,
    seed: seed + i,
    tokens_max,
    single_line,
  }));
}

/**
 * Processes all items on the sequences in parallel, one item at a time on each sequence; the results are in the items'
 * order.
 */
async function forEachOn<Item, Result>(
  sequences: readonly Sequence[],
  items: readonly Item[],
  work: (sequence: Sequence, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lanes = sequences.map(async (sequence) => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(sequence, item);
    }
  });
  // All sequences must finish before other work uses them.
  const ends = await Promise.allSettled(lanes);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return results;
}

/** The directory for copies of states: a RAM disk, if the system has one. */
function ramDisk({ scratch_directory }: LlamaSettings): string {
  return process.platform === "linux" && existsSync("/dev/shm") ? "/dev/shm" : scratch_directory;
}

function notLoaded(file: ModelFile, why: string): Fault {
  const shown = cut(why.replaceAll(file.path, "the file"), limits.fault_quote_chars_max);
  return new Fault("engine_failed", `The model file ${file.path} could not be loaded (VERDICT_LEAN_MODEL): ${shown}.`, [
    "ask the user to download the file again: it might be incomplete",
    "or to name another model in VERDICT_LEAN_MODEL: a newer architecture needs a newer llama.cpp",
  ]);
}
