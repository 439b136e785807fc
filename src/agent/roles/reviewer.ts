import * as z from "zod/v4";
import { procedure, quoted, review_hints } from "../../server/prompts/texts.ts";
import type { CallLog } from "../evidence/calls.ts";
import type { Checked } from "../evidence/checked.ts";
import { evidenceOf, isDeciding } from "../evidence/verdict.ts";
import type { Language } from "../languages.ts";
import { agent_limits } from "../limits.ts";
import type { Ending } from "../loop/converse.ts";
import { asked, newQuestion, type Question } from "./question.ts";
import type { Solved } from "./solver.ts";

const words = z.string().min(1).max(agent_limits.words_chars_max);

const input = z.strictObject({
  result: z.enum(["correct", "incorrect", "unknown"]),
  reasons: z.array(words).max(agent_limits.list_max).default([]).describe("What the tests showed."),
  objections: z
    .array(z.strictObject({ sentence: words.describe("Quoted from the problem, word for word."), why: words }))
    .max(agent_limits.list_max)
    .default([])
    .describe("For incorrect: what is violated."),
});

export type Review = Pick<z.output<typeof input>, "result" | "reasons">;

/**
 * The tool that ends a review. An objection has to quote the problem; `correct` requires a test for which a tool
 * reached a verdict. A review with neither does not count.
 */
export function reviewTool(question: Question, log: CallLog): Ending<typeof input, Review> {
  return {
    name: "review",
    description: "Ends the review with its result.",
    schema: input,
    judge({ result, reasons, objections }) {
      if (result === "incorrect") {
        const quotes = objections.filter(({ sentence }) => isQuote(sentence, question.text));
        if (quotes.length === 0)
          return { refusal: "Quote the violated sentence of the problem, word for word, in objections." };
        return {
          result: {
            result,
            reasons: [...quotes.map(({ sentence, why }) => `"${sentence.trim()}": ${why}`), ...reasons],
          },
        };
      }
      if (result === "correct" && !hasTested(log))
        return { refusal: "None of your tool calls decided anything: test the answer first, or return unknown." };
      return { result: { result, reasons } };
    },
  };
}

/** Whether any of the reviewer's calls reached a verdict. */
function hasTested({ records }: CallLog): boolean {
  return records.some((record) => isDeciding(record) && evidenceOf([record]).kind === "decided");
}

/** Whether a sentence contains words, and the question contains the same words in the same order. */
function isQuote(sentence: string, question: string): boolean {
  const letters = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
  const quote = letters(sentence);
  return quote.length >= quote_chars_min && ` ${letters(question)} `.includes(` ${quote} `);
}

/** The minimum length of a quote; a shorter quote does not identify a sentence. */
const quote_chars_min = 8;

export function reviewerInstructions(language: Language): string {
  return `${procedure.review}\n\n${review_hints[language] ?? ""}\nEnd with the tool "review".`;
}

/** The answer under review. */
export interface Reviewed {
  readonly solved: Solved;
  readonly model: string;
  readonly checked: Checked | undefined;
}

/**
 * The reviewer's prompt: the question, the model and the solution, without their history. Its tags are newly generated:
 * the model's author knows the tags from its own conversation and could close them.
 */
export function reviewRequest({ text, files }: Question, language: Language, reviewed: Reviewed): string {
  const { solved, model, checked } = reviewed;
  const question = newQuestion(text, files);
  const { secret } = question;
  const { evidence, values, answer, not_modelled } = solved;
  const verdict = evidence.kind === "decided" ? evidence.word : "undecided";
  return [
    asked(question),
    `The model, in ${language}:\n${quoted("model", model, secret)}`,
    `The engine's verdict about the model: ${verdict}. The values:\n${quoted("values", JSON.stringify(values), secret)}`,
    `The answer in words, by the author of the model:\n${quoted("answer", answer, secret)}`,
    ...(not_modelled.length > 0
      ? [`Not modelled, as its author says:\n${quoted("not-modelled", not_modelled.join("\n"), secret)}`]
      : []),
    ...(checked?.status === "violated"
      ? [
          `A checker that was written from the problem alone finds that the values break rules. It can be wrong:\n${quoted("violations", checked.violations.slice(0, agent_limits.violations_max).join("\n"), secret)}`,
        ]
      : []),
  ].join("\n\n");
}
