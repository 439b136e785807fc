import * as z from "zod/v4";
import { limits } from "../../../kernel/limits.ts";
import { cut } from "../../../kernel/text/cut.ts";
import { fitTexts, fitValue, fitValues } from "../../../kernel/text/fit.ts";
import type { AllAnswer } from "../languages/questions/answer.ts";
import { model_limits } from "../limits.ts";

const over = z.array(z.string()).describe("The values that distinguish the solutions.");

/** The fields of an answer about all solutions. */
export const all_output = {
  count: z
    .object({
      number: z.union([z.int(), z.string()]).describe("A string from 2^53 on."),
      exact: z.boolean().describe("False: at least this number."),
      over,
      method: z.string(),
    })
    .optional(),
  backbone: z
    .object({
      values: z.record(z.string(), z.unknown()).describe("The same in all solutions."),
      free: z.array(z.string()),
      undecided: z.array(z.string()),
      over,
    })
    .optional(),
  k_best: z
    .object({
      objectives: z.array(z.unknown()),
      proved: z.int().describe("How many are proved to be the best ones in this order."),
      is_all: z.boolean(),
      has_tie: z.boolean().nullable().describe("Others have the objective of the last one."),
      over,
    })
    .optional(),
  diverse: z
    .object({
      distances: z.array(z.int()).describe("From the second one on: values that differ from the nearest before it."),
      farthest: z.array(z.boolean()),
      is_all: z.boolean(),
      over,
    })
    .optional(),
};

type Fields = z.output<z.ZodObject<typeof all_output>>;

const { names_listed_max } = model_limits;

/** The fields of an answer about all solutions. */
export function answerFields(answer: AllAnswer | undefined, chars_max: number): Fields {
  if (!answer) return {};
  const over = fitTexts(answer.over, chars_max);
  switch (answer.kind) {
    case "count": {
      const number = BigInt(answer.number) > BigInt(Number.MAX_SAFE_INTEGER) ? answer.number : Number(answer.number);
      return { count: { number, exact: answer.exact, over, method: answer.method } };
    }
    case "backbone": {
      const { values } = fixedOf(answer, chars_max);
      return {
        backbone: {
          values,
          free: fitTexts(answer.free, chars_max),
          undecided: fitTexts(answer.undecided, chars_max),
          over,
        },
      };
    }
    case "k_best": {
      const { proved, is_all, has_tie } = answer;
      const objectives = answer.objectives.map((each) => fitValue(each, chars_max).value);
      return { k_best: { objectives, proved, is_all, has_tie, over } };
    }
    case "diverse": {
      const { distances, farthest, is_all } = answer;
      return { diverse: { distances, farthest, is_all, over } };
    }
    case "plan":
    case "nothing":
      return {};
    default:
      return answer satisfies never;
  }
}

/** Returns the values that all solutions share, as many as fit. */
function fixedOf({ fixed }: Extract<AllAnswer, { kind: "backbone" }>, chars_max: number) {
  return fitValues(Object.fromEntries(fixed), chars_max);
}

/** Returns the limitations of an answer about all solutions, as warnings. */
export function answerWarnings(answer: AllAnswer | undefined, chars_max: number): string[] {
  if (!answer) return [];
  const { reason } = answer;
  // For a plan that is kept, the answer lists the omitted names in another field.
  const left_out = answer.kind === "plan" && answer.changes ? [] : answer.left_out;
  const short = answer.kind === "backbone" ? fixedOf(answer, chars_max).short.length : 0;
  const names = left_out.slice(0, names_listed_max).join(", ");
  const asked = answer.kind === "nothing" ? answer.asked : answer.kind;
  return [
    ...(reason === undefined
      ? []
      : [`${asked} ${answer.kind === "nothing" ? "has no answer" : "is not complete"}: ${reason}.`]),
    ...(short > 0
      ? [
          `Too long for one answer: ${short} values of backbone are shortened or left out; export fewer values to see them.`,
        ]
      : []),
    ...(left_out.length > 0 ? [`Not used to distinguish solutions, since ${why_left_out}: ${names}.`] : []),
  ];
}

const why_left_out = "the solver does not choose them, or their values can't be compared";

/** Returns the sentence about all solutions for an answer. */
export function answerSentence(answer: AllAnswer | undefined, is_optimum: boolean): string {
  const optimal = is_optimum ? "optimal " : "";
  switch (answer?.kind) {
    case undefined:
      return "";
    case "count": {
      const [are, solutions] = answer.number === "1" ? ["is", "solution"] : ["are", "solutions"];
      const what = `${answer.number} ${optimal}${solutions}, distinguished by ${namesOf(answer)}`;
      return answer.exact
        ? ` There ${are} exactly ${what} (${answer.method}).`
        : ` There ${are} at least ${what}; the count was not finished.`;
    }
    case "backbone": {
      const { fixed, free, undecided } = answer;
      const open =
        undecided.length > 0 ? `, ${undecided.length} ${undecided.length === 1 ? "is" : "are"} undecided` : "";
      const same = fixed.length === 1 ? "1 value is" : `${fixed.length} values are`;
      return ` ${same} the same in all ${optimal}solutions, ${free.length} ${free.length === 1 ? "is" : "are"} not${open}.`;
    }
    case "k_best": {
      const { solutions, proved, has_tie, is_all } = answer;
      const number = solutions.length;
      if (number === 0) return "";
      const listed = number === 1 ? "1 solution is listed" : `The ${number} best solutions are listed`;
      const proof = `${proved === 1 ? "is" : "are"} proved to be the best`;
      const claim =
        number > 1 ? `${proved} of them ${proof}` : `it is ${proved === 1 ? "" : "not "}proved to be the best`;
      const tie = has_tie ? ", and others have the objective of the last one" : "";
      return ` ${listed}; ${claim}${tie}.${is_all ? no_others : ""}`;
    }
    case "diverse": {
      const number = answer.solutions.length;
      if (number === 1) return answer.is_all ? no_others : "";
      const far = `${number} solutions far apart are listed: each was chosen to differ in as many values as possible from those before it.`;
      return ` ${far}${answer.is_all ? no_others : ""}`;
    }
    case "plan":
      return "";
    case "nothing":
      return ` ${answer.asked} has no answer.`;
    default:
      return answer satisfies never;
  }
}

const no_others = " No others differ in the named values.";

function namesOf({ over }: AllAnswer): string {
  const names = over.slice(0, names_listed_max).join(", ");
  if (over.length === 0) return "their values";
  return over.length > names_listed_max ? `${names}, …` : names;
}

/** Returns the lines about all solutions for an answer's text. */
export function answerLines({ backbone, k_best, diverse }: Pick<Fields, "backbone" | "k_best" | "diverse">): string[] {
  const fixed = Object.entries(backbone?.values ?? {});
  return [
    ...fixed.map(([path, value]) => `in all solutions: ${path} = ${JSON.stringify(value)}`),
    ...listLine("not the same in all solutions", backbone?.free),
    ...listLine("undecided", backbone?.undecided),
    ...listLine("objectives", k_best?.objectives.map(asJson)),
    ...listLine("distances from the nearest before it", diverse?.distances.map(asJson)),
  ];
}

function asJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Formats a list on one line, truncated to what a reader of the text needs. */
function listLine(what: string, all: readonly string[] = []): string[] {
  return all.length === 0 ? [] : [`${what}: ${cut(all.join(", "), limits.values_text_chars_max)}`];
}
