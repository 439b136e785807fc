import * as z from "zod/v4";
import { procedure } from "../../server/prompts/texts.ts";
import type { CallLog } from "../evidence/calls.ts";
import type { JsonRecord } from "../evidence/json.ts";
import { namesIn, resolveValues, value_reference } from "../evidence/values.ts";
import { type Evidence, evidenceOf, supports, verdict_words } from "../evidence/verdict.ts";
import type { Language } from "../languages.ts";
import { agent_limits } from "../limits.ts";
import type { Ending } from "../loop/converse.ts";

const words = z.string().max(agent_limits.words_chars_max);

const input = z.strictObject({
  verdict: z
    .enum([...verdict_words, "undecided"])
    .describe("What the last deciding call answered; optimal: sat with `optimal: true`. Anything else is rejected."),
  answer: words.min(1).describe("The answer in the words of the problem."),
  values: z
    .array(value_reference)
    .max(agent_limits.list_max)
    .default([])
    .describe("Values of the answer, each by its place in the last answer; omit for all."),
  not_modelled: z
    .array(words)
    .max(agent_limits.list_max)
    .default([])
    .describe("The parts of the problem that the model leaves out."),
});

/** An answer supported by a tool call, or the statement that no verdict was reached. */
export interface Solved {
  readonly answer: string;
  readonly evidence: Evidence;
  readonly values: JsonRecord;
  readonly not_modelled: readonly string[];
}

/**
 * The tool that ends the agent's work. It accepts a verdict only if the last call that could reach a verdict reached
 * the same one.
 */
export function answerTool(log: CallLog): Ending<typeof input, Solved> {
  return {
    name: "answer",
    description: "Ends the work with the answer. The verdict must be that of the last call that decided something.",
    schema: input,
    judge({ verdict, answer, values: references, not_modelled }) {
      const evidence = evidenceOf(log.records);
      if (verdict === "undecided") return { result: { answer, evidence: openly(evidence), values: {}, not_modelled } };
      if (evidence.kind === "open" || !supports(evidence, verdict))
        return { refusal: unsupportedClaim(evidence, verdict) };
      const { values, missing } = resolveValues(references, evidence.record);
      if (missing.length === 0) return { result: { answer, evidence, values, not_modelled } };
      const places = missing.map(({ from }) => `"${from}"`).join(", ");
      const names = namesIn(evidence.record).slice(0, agent_limits.list_max).join(", ");
      return { refusal: `The last answer contains nothing at ${places}. A place begins with one of: ${names}.` };
    },
  };
}

/**
 * The evidence if the agent reports that nothing is decided. It overrides the result of the last call, since the agent
 * may know that its model does not match the problem.
 */
function openly(evidence: Evidence): Evidence {
  if (evidence.kind === "open") return evidence;
  return { kind: "open", why: "the agent does not claim that its model states the problem", record: evidence.record };
}

function unsupportedClaim(evidence: Evidence, claim: string): string {
  const fact =
    evidence.kind === "open" ? evidence.why : `the last deciding call answered ${evidence.word}, not ${claim}`;
  return `No tool call supports "${claim}": ${fact}. Solve, then answer with the resulting verdict; or answer "undecided".`;
}

/** The instructions for the agent, which precede the question. */
export function solverInstructions(language: Language, guide: string): string {
  return [
    procedure.solve,
    `Work in the language "${language}". End with the tool "answer": its verdict is that of your last deciding call, and its values are referred to by their place in that call's answer, never written out. In not_modelled, list the parts of the problem that the model leaves out.`,
    ...(guide === "" ? [] : [`The guide to ${language}:\n\n${guide}`]),
  ].join("\n\n");
}
