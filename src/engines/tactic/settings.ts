import type { Config } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { engine_limits } from "../limits.ts";
import { profile_names } from "./prompt.ts";

interface Check {
  readonly takes: (text: string) => boolean;
  readonly words: string;
}

const gpus = ["auto", "off", "metal", "vulkan", "cuda"];

/** The permitted values of each variable for the daemon and its clients. */
const checks: Readonly<Record<string, Check>> = {
  TACTIC_SERVER_PORT: whole(1, 65_535),
  TACTIC_SERVER_TIMEOUT: { takes: (text) => number(text) > 0, words: "a number of seconds above 0" },
  VERDICT_LEAN_CONTEXT: whole(engine_limits.tactic_context_tokens_min, 10_000_000),
  VERDICT_LEAN_THREADS: whole(1, 1_024),
  VERDICT_LEAN_IDLE: { takes: (text) => number(text) >= 0, words: "a number of seconds" },
  VERDICT_LEAN_GPU: oneOf(gpus),
  VERDICT_LEAN_PROMPT: oneOf(profile_names),
  VERDICT_LEAN_URL: {
    takes: isAddress,
    words: "an address such as http://127.0.0.1:8000/v1, without a user name or password (use VERDICT_LEAN_KEY)",
  },
  VERDICT_LEAN_MODEL: {
    takes: (text) => !/^\w+:\/\/|^(openai|ollama):\s*$/i.test(text),
    words: "the path of a .gguf file, ollama:NAME or openai:NAME; put an address into VERDICT_LEAN_URL",
  },
};

/** Sentences about what is wrong with the settings of the Lean tools. */
export function wrongSettings({ tactics: { environment } }: Config): readonly string[] {
  return Object.entries(checks).flatMap(([name, { takes, words }]) => {
    const value = environment[name];
    return !value || takes(value) ? [] : [`${name} is ${show(value)}: it must be ${words}.`];
  });
}

/** Raises `engine_missing` if a setting is wrong; the intended value is never guessed. */
export function checkSettings(config: Config): void {
  const wrong = wrongSettings(config);
  if (wrong.length === 0) return;
  throw new Fault("engine_missing", wrong.join(" "), [
    "ask the user to correct it in the `env` of this server's entry in the client's configuration",
    "then to restart the client",
  ]);
}

function whole(min: number, max: number): Check {
  const takes = (text: string) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  return { takes, words: `a whole number from ${min} to ${max}` };
}

function number(text: string): number {
  return text.trim() === "" || !Number.isFinite(Number(text)) ? Number.NaN : Number(text);
}

function oneOf(names: readonly string[]): Check {
  return { takes: (text) => names.includes(text), words: `one of ${names.join(", ")}` };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** Shows a setting's value, unless it may contain a password. */
function show(text: string): string {
  return text.includes("@") ? "not right" : JSON.stringify(text.slice(0, 200));
}
