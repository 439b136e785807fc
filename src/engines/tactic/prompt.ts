import { Fault } from "../../kernel/fault.ts";

/** A piece of a prompt. Text such as `<|im_end|>` stands for a token only in a special piece. */
export interface Piece {
  readonly text: string;
  readonly special: boolean;
}

/** The prompt that a model continues; it has at least one piece. */
export type Prompt = readonly [...Piece[], Piece];

type Profile = (state: string) => Prompt;

const plain = (text: string): Piece => ({ text, special: false });
const special = (text: string): Piece => ({ text, special: true });

/** The prompt formats with which models were trained, by name. */
const profiles: Readonly<Record<string, Profile>> = {
  "bfs-prover": (state) => [plain(`${state}:::`)],
  llmstep: (state) => [plain(`[GOAL]${state}[PROOFSTEP]`)],
  chat: (state) => [
    special("<|im_start|>user\n"),
    plain(`Lean 4 proof state:\n${state}\nWrite the next tactic, and nothing else.`),
    special("<|im_end|>\n<|im_start|>assistant\n"),
    plain(""),
  ],
};

export const profile_names: readonly string[] = Object.keys(profiles);

/** Returns the prompt for a state, optionally followed by the beginning of a tactic. Raises `invalid_input`. */
export function promptFor(state: string, profile = "bfs-prover", beginning = ""): Prompt {
  const make = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  if (!make)
    throw new Fault("invalid_input", `There is no prompt profile "${profile}".`, [
      `choose from: ${profile_names.join(", ")}`,
      "omit it for bfs-prover",
    ]);
  return continued(make(state), beginning);
}

/** Appends text to a prompt. */
export function continued(prompt: Prompt, text: string): Prompt {
  const last = prompt[prompt.length - 1];
  if (last === undefined) throw new Error("a prompt has a piece");
  return [...prompt.slice(0, -1), { ...last, text: last.text + text }];
}

/** Joins a prompt's pieces, for servers that accept a prompt as a single text. */
export function asText(prompt: Prompt): string {
  return prompt.map(({ text }) => text).join("");
}
