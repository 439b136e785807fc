import * as z from "zod/v4";
import { engine_limits } from "../limits.ts";

const Message = z.looseObject({ severity: z.string(), data: z.string() });

/** The REPL's reply to a command or a tactic; a failure is a separate `message`. */
export const Reply = z.looseObject({
  env: z.number().optional(),
  proofState: z.number().optional(),
  proofStatus: z.string().optional(),
  goals: z.array(z.string()).optional(),
  messages: z.array(Message).optional(),
  sorries: z.array(z.looseObject({ proofState: z.number().optional(), goal: z.string() })).optional(),
  message: z.string().optional(),
});
export type Reply = z.output<typeof Reply>;

/** Splits the REPL's output into replies: JSON over several lines, ended by an empty line. */
export class ReplyReader {
  #text = "";

  /** Returns the replies completed by this piece of output. Raises an error for an invalid reply. */
  take(piece: string): Reply[] {
    const parts = (this.#text + piece).replaceAll("\r\n", "\n").split(/\n\n+/);
    this.#text = parts.pop() ?? "";
    if (this.#text.length > engine_limits.lean_repl_reply_chars_max) throw new Error("a reply without an end");
    return parts.filter((part) => part.trim() !== "").map((part) => Reply.parse(JSON.parse(part)));
  }
}

/** Whether Lean reports that a declaration uses `sorry`; Lean versions differ in how they quote the word. */
export function usesSorry(message: string): boolean {
  return /\buses\b/.test(message) && /\bsorry\b/.test(message);
}

/** The usual axioms of mathematics in Lean. A proof with any other axiom, such as `sorryAx`, does not count. */
const usual_axioms = ["propext", "Classical.choice", "Quot.sound"];

/**
 * Whether a compiled theorem is a proof: no error, no sorry, and only usual axioms in the output of `#print axioms`.
 */
export function isProof(name: string, compiled: Reply, printed: Reply): boolean {
  const lean_messages = [...(compiled.messages ?? []), ...(printed.messages ?? [])];
  if (compiled.message !== undefined || printed.message !== undefined) return false;
  if (lean_messages.some(({ severity }) => severity === "error")) return false;
  if ((compiled.sorries ?? []).length > 0 || lean_messages.some(({ data }) => usesSorry(data))) return false;
  const [info, ...more] = (printed.messages ?? []).filter(({ severity }) => severity === "info");
  if (!info || more.length > 0) return false;
  const text = info.data.replaceAll(/\s+/g, " ").trim();
  if (text === `'${name}' does not depend on any axioms`) return true;
  const beginning = `'${name}' depends on axioms: [`;
  if (!text.startsWith(beginning) || !text.endsWith("]")) return false;
  const axioms = text.slice(beginning.length, -1).split(",");
  return axioms.every((axiom) => usual_axioms.includes(axiom.trim()));
}
