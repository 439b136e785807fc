import type { Fault } from "../kernel/fault.ts";
import { visible } from "../kernel/text/visible.ts";
import type { Answer } from "../kernel/tool.ts";

/** Converts an answer to a tool result. */
export function answerResult({ text, structured }: Answer) {
  return {
    content: text.map((part) => ({ type: "text" as const, text: visible(part) })),
    structuredContent: structured,
  };
}

/** Converts a fault to a tool result. */
export function faultResult(fault: Fault) {
  const report = fault.report();
  const text = visible(`${report.error}\n\nWhat to do: ${report.remedy}.`);
  return { content: [{ type: "text" as const, text }], structuredContent: { ...report }, isError: true };
}
