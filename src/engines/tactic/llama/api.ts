import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A token in a model's vocabulary. */
export type Token = number;

/**
 * An input for a controlled evaluation: a token, optionally with the parts of the following distribution that are
 * requested.
 */
export type Probe = Token | readonly [Token, { readonly generateNext: ProbeOptions }];

interface ProbeOptions {
  readonly totalLogitWeight: true;
  readonly options: { readonly temperature: 0 };
  readonly logits: { readonly filter: { readonly tokens: readonly Token[]; readonly includeSelected: true } };
}

interface Probed {
  readonly next: { readonly logits?: ReadonlyMap<Token, number>; readonly totalLogitWeight?: number };
}

interface SamplingOptions {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
  readonly yieldEogToken: true;
}

/** The part of node-llama-cpp's sequences that Verdict uses. */
export interface Sequence {
  readonly contextSize: number;
  readonly nextTokenIndex: number;
  adaptStateToTokens(tokens: readonly Token[], shift: false): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  evaluateWithMetadata(
    tokens: readonly Token[],
    metadata: Record<string, never>,
    options: SamplingOptions,
  ): AsyncIterable<{ readonly token: Token }>;
  controlledEvaluate(input: readonly Probe[]): Promise<readonly (Probed | undefined)[]>;
  saveStateToFile(path: string): Promise<unknown>;
  loadStateFromFile(path: string, risk: { readonly acceptRisk: true }): Promise<unknown>;
}

export interface Context {
  getSequence(): Sequence;
  dispose(): Promise<void>;
}

export interface Model {
  readonly size: number;
  readonly trainContextSize: number;
  readonly tokens: { readonly eos: Token | null };
  tokenize(text: string, special?: boolean): readonly Token[];
  detokenize(tokens: readonly Token[]): string;
  isEogToken(token: Token): boolean;
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly threads: number;
    readonly batchSize: number;
  }): Promise<Context>;
  dispose(): Promise<void>;
}

export interface Llama {
  readonly gpu: string | false;
  readonly cpuMathCores: number;
  loadModel(options: {
    readonly modelPath: string;
    readonly onLoadProgress: (share: number) => void;
    readonly loadSignal: AbortSignal;
  }): Promise<Model>;
  dispose(): Promise<void>;
}

export interface LlamaModule {
  getLlama(options: {
    readonly gpu: string | false;
    readonly build: "never";
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly maxThreads: number;
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readGgufFileInfo(
    path: string,
    options: { readonly sourceType: "filesystem"; readonly logWarnings: false },
  ): Promise<unknown>;
  readonly GgufFileType: Readonly<Record<number, string>>;
}

/** Loads the package from the directory in which it was installed. */
export async function loadLlama(directory: string): Promise<LlamaModule> {
  const entry = join(directory, "node_modules", "node-llama-cpp", "dist", "index.js");
  const loaded: LlamaModule = await import(pathToFileURL(entry).href);
  return loaded;
}
