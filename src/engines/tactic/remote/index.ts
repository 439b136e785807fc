import type { TacticSettings } from "../../../config.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import type { Backend } from "../backend.ts";
import { completionsSteps, openCompletions } from "./completions.ts";
import { failed, greeting, type Remote } from "./http.ts";
import { ollamaSteps, openOllama } from "./ollama.ts";

/**
 * Opens a model on a server, which must be running. If the server is Ollama, its own interface is used, since its
 * completions endpoint silently truncates long prompts. Raises `engine_failed`, `cancelled`.
 */
export async function openRemote(
  model: string,
  remote: Remote,
  settings: TacticSettings,
  deadline: Deadline,
): Promise<Backend> {
  const [, kind, name = model] = /^(openai|ollama):(.*)$/s.exec(model) ?? [];
  const steps = kind === "ollama" ? ollamaSteps(name) : completionsSteps(name);
  const hello = await greeting({ ...remote, steps }, deadline);
  if (hello === undefined) throw failed({ ...remote, steps }, "it did not answer in time");
  const root = { ...remote, url: new URL("/", remote.url).href };
  if (kind === "openai" && hello.trim() === "Ollama is running") return openOllama(name, root, settings.context_tokens);
  return kind === "openai" ? openCompletions(name, remote) : openOllama(name, remote, settings.context_tokens);
}
