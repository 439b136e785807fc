import { randomBytes } from "node:crypto";
import { quoted } from "../../server/prompts/texts.ts";

/** A problem in words. Its text is data: it stands between tags that it can't know. */
export interface Question {
  readonly text: string;
  readonly secret: string;
}

export function newQuestion(text: string): Question {
  return { text, secret: randomBytes(6).toString("hex") };
}

/** The question for a message to a model. */
export function asked({ text, secret }: Question): string {
  return `The problem:\n${quoted("problem", text, secret)}`;
}
