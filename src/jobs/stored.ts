import { isObject } from "../kernel/arguments.ts";
import type { Question } from "../kernel/tool.ts";
import { type Ending, StoredFault } from "./job.ts";

/** Returns a stored job's question; undefined if it is invalid. */
export function questionIn(json: unknown): Question | null | undefined {
  if (!isObject(json)) return undefined;
  const { question } = json;
  if (question === null) return null;
  if (!isObject(question) || typeof question["tool"] !== "string" || !isObject(question["arguments"])) return undefined;
  return { tool: question["tool"], arguments: question["arguments"] };
}

/**
 * Returns a stored job's ending. The answer is not copied by a schema, because the copy would lack a key named
 * __proto__.
 */
export function endingIn(json: unknown): Ending | undefined {
  if (!isObject(json)) return undefined;
  const { answer, fault } = json;
  if (fault !== undefined) {
    const read = StoredFault.safeParse(fault);
    return read.success ? { fault: read.data } : undefined;
  }
  if (!isObject(answer) || !isObject(answer["structured"]) || !Array.isArray(answer["text"])) return undefined;
  const [first, ...others]: unknown[] = answer["text"];
  if (typeof first !== "string") return undefined;
  const remarks = others.filter((part) => typeof part === "string");
  return { answer: { structured: answer["structured"], text: [first, ...remarks] } };
}
