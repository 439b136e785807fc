import * as z from "zod/v4";
import { procedure, quoted } from "../../server/prompts/texts.ts";
import type { JsonRecord } from "../evidence/json.ts";
import { agent_limits } from "../limits.ts";
import type { Ending } from "../loop/converse.ts";
import { newQuestion, type Question } from "./question.ts";

const input = z.strictObject({
  checker: z
    .string()
    .min(1)
    .max(agent_limits.words_chars_max)
    .describe("The Python text: imports, helpers, and def violations(values, data):"),
});

/** The tool with which the checker's author ends the conversation. */
export const checker_tool: Ending<typeof input, string> = {
  name: "checker",
  description: "Submits the checker. It is run on the answer's values.",
  schema: input,
  judge: ({ checker }) =>
    /^def[ \t]+violations[ \t]*\([ \t]*values[ \t]*,[ \t]*data\b/m.test(checker)
      ? { result: checker }
      : { refusal: "The text does not contain the line `def violations(values, data):`." },
};

export const checker_instructions = `${procedure.checker}\nEnd with the tool "checker".`;

/** The prompt for the checker's author: the question, a summary of its data files, and the form of the values. */
export function checkerRequest(
  { text, files }: Question,
  values: JsonRecord,
  index_names: unknown,
  data: string,
): string {
  const { secret } = newQuestion(text, files);
  const example = JSON.stringify(values).slice(0, agent_limits.example_chars_max);
  return [
    `The problem:\n${quoted("problem", text, secret)}`,
    ...(data === "" ? [] : [`The data files, by the names that they have in data:\n${quoted("data", data, secret)}`]),
    `The values of one answer, which may be wrong, as an example of their form:\n${quoted("values", example, secret)}`,
    ...(index_names === undefined
      ? []
      : [
          `The names of the indices of lists, in order, for each dimension:\n${quoted("indices", JSON.stringify(index_names).slice(0, agent_limits.example_chars_max), secret)}`,
        ]),
  ].join("\n\n");
}
