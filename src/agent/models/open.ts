import type { LanguageModel } from "ai";
import type { ModelSettings } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import type { Role } from "../loop/budget.ts";
import { boundedFetch } from "./answers.ts";
import { readConversation, scriptedRole } from "./scripted.ts";

/** A provider and the name of one of its models, such as `anthropic:NAME`. */
interface ModelName {
  readonly provider: string;
  readonly id: string;
}

/** Opens the model for a role. A provider's model serves every role; a script has separate turns for each role. */
type OpenModel = (role: Role) => LanguageModel;

type Open = (id: string, settings: ModelSettings) => Promise<OpenModel>;

/** All providers, one per line. A provider's package is loaded when it is first used. */
const providers: Readonly<Record<string, Open>> = {
  anthropic: async (id, { keys }) => {
    const apiKey = keyOf("ANTHROPIC_API_KEY", keys.anthropic);
    const model = (await import("@ai-sdk/anthropic")).createAnthropic({ apiKey, fetch: boundedFetch(apiKey) })(id);
    return () => model;
  },
  openai: async (id, { keys }) => {
    const apiKey = keyOf("OPENAI_API_KEY", keys.openai);
    const model = (await import("@ai-sdk/openai")).createOpenAI({ apiKey, fetch: boundedFetch(apiKey) })(id);
    return () => model;
  },
  google: async (id, { keys }) => {
    const apiKey = keyOf("GOOGLE_GENERATIVE_AI_API_KEY", keys.google);
    const model = (await import("@ai-sdk/google")).createGoogleGenerativeAI({ apiKey, fetch: boundedFetch(apiKey) })(
      id,
    );
    return () => model;
  },
  ollama: (id, { ollama_url }) => compatible("ollama", id, ollama_url, "ollama"),
  compatible: (id, { url, key }) => compatible("compatible", id, url ?? missingUrl(), key),
  scripted: async (id) => {
    const script = await readConversation(id);
    return (role) => scriptedRole(script, role);
  },
};

/** A server with OpenAI's chat completions API. Without `includeUsage` it would not report its tokens. */
async function compatible(name: string, id: string, baseURL: string, apiKey: string | undefined): Promise<OpenModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const settings = { name, baseURL, includeUsage: true, fetch: boundedFetch(apiKey) };
  const make = createOpenAICompatible({ ...settings, ...(apiKey !== undefined && { apiKey }) });
  const model = make(id);
  return () => model;
}

/** Reads `PROVIDER:NAME`. Raises `invalid_argument`. */
function readModelName(text: string): ModelName {
  const [, provider = "", id = ""] = /^([a-z]+):(.+)$/s.exec(text.trim()) ?? [];
  if (Object.hasOwn(providers, provider)) return { provider, id };
  const named = /^[\w-]*/.exec(text.trim())?.[0] ?? "";
  const near = nearest(named, Object.keys(providers));
  const what = text.includes(":") ? `There is no provider "${named}"` : `"${text}" names no provider`;
  throw new Fault("invalid_argument", `${what}.`, [
    ...(near.length > 0 ? [`write ${near.join(" or ")} if you meant that`] : []),
    `write --model PROVIDER:NAME with one of: ${Object.keys(providers).join(", ")}`,
  ]);
}

/** A model object of the SDK, which needs none of our providers. */
export type ModelObject = Exclude<LanguageModel, string>;

/**
 * Opens the models for all roles. Raises `invalid_argument` if no model is specified, or if a model is not available.
 */
export async function openModels(
  {
    model,
    reviewer,
  }: { readonly model: string | ModelObject | undefined; readonly reviewer?: string | ModelObject | undefined },
  settings: ModelSettings,
): Promise<Readonly<Record<Role, LanguageModel>>> {
  if (model === undefined) throw noModel(settings);
  const open = async (named: string | ModelObject): Promise<OpenModel> =>
    typeof named === "string" ? openModel(readModelName(named), settings) : () => named;
  const main = await open(model);
  const second = reviewer === undefined ? main : await open(reviewer);
  return {
    ...{ router: main("router"), agent: main("agent") },
    ...{ checker: second("checker"), reviewer: second("reviewer") },
  };
}

/** Opens a model. Raises `invalid_argument` if a key, an address or a script is missing. */
async function openModel(name: ModelName, settings: ModelSettings): Promise<OpenModel> {
  const open = Object.hasOwn(providers, name.provider) ? providers[name.provider] : undefined;
  if (!open) throw new Error(`no provider ${name.provider}`);
  return open(name.id, settings);
}

/** The fault for a question without a model; it lists the places that were searched for one. */
function noModel({ keys }: ModelSettings): Fault {
  const with_keys = Object.entries(keys).flatMap(([provider, key]) => (key === undefined ? [] : [provider]));
  const looked = `neither --model nor VERDICT_MODEL is set; of the keys ANTHROPIC_API_KEY, OPENAI_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY ${with_keys.length === 0 ? "none is set" : `that of ${with_keys.join(" and ")} is set`}`;
  return new Fault("invalid_argument", `No model is named (${looked}).`, [
    "write --model anthropic:NAME, openai:NAME or google:NAME, with the key in the provider's variable",
    without_key,
  ]);
}

const without_key =
  "without a key: install Ollama, `OLLAMA_CONTEXT_LENGTH=64000 ollama serve`, `ollama pull NAME` for a model with tools, then --model ollama:NAME";

function keyOf(variable: string, key: string | undefined): string {
  if (key !== undefined) return key;
  throw new Fault("invalid_argument", `There is no key for this provider: ${variable} is not set.`, [
    `set ${variable}; keys are read only from the environment`,
    without_key,
  ]);
}

function missingUrl(): never {
  throw new Fault("invalid_argument", "compatible:NAME needs the address of a server.", [
    "set --model-url URL or VERDICT_MODEL_URL, such as http://127.0.0.1:8000/v1, and VERDICT_MODEL_KEY if the server needs a key",
  ]);
}
