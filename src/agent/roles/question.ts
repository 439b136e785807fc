import { randomBytes } from "node:crypto";
import { quoted } from "../../server/prompts/texts.ts";

/** A problem in words. Its text is treated as data: it is enclosed in tags that its author cannot guess. */
export interface Question {
  readonly text: string;
  readonly secret: string;
  /** The names of the problem's data files. */
  readonly files: readonly string[];
}

export function newQuestion(text: string, files: readonly string[] = []): Question {
  return { text, secret: randomBytes(6).toString("hex"), files };
}

/** The question formatted for a message to a model. */
export function asked({ text, secret, files }: Question): string {
  const problem = `The problem:\n${quoted("problem", text, secret)}`;
  if (files.length === 0) return problem;
  const names = files.map((name) => JSON.stringify(name)).join(", ");
  return `${problem}\n\nIts data files: ${names}. The tool read_data shows what they contain; to use them in a model, pass data_files: [${names}].`;
}
