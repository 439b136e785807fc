import * as z from "zod/v4";

export interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** Lines that the answer has. */
  readonly answer: readonly string[];
}

const Arguments = z.record(z.string(), z.unknown());

/**
 * The calls of a dialogue: `→ tool {…}` is a call with its arguments, `verdict` begins its answer, and lines that are indented below that go on
 * with it. Other speakers are not looked at.
 */
export function dialoguesOf(text: string): Call[] {
  const calls: { tool: string; arguments: Record<string, unknown>; answer: string[] }[] = [];
  let speaker = "";
  for (const line of text.split("\n")) {
    speaker = /^(\w+) /.exec(line)?.[1] ?? speaker;
    const words = line.slice(8).trim();
    const call = /^→ (\w+) (\{.*\})$/.exec(words);
    if (call) calls.push({ tool: call[1] ?? "", arguments: Arguments.parse(JSON.parse(call[2] ?? "")), answer: [] });
    else if (speaker === "verdict" && words !== "") calls.at(-1)?.answer.push(words);
  }
  return calls;
}
