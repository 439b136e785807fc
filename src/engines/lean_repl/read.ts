import * as z from "zod/v4";
import { engine_limits } from "../limits.ts";

const Message = z.looseObject({ severity: z.string(), data: z.string() });

/** What the REPL says to a command, or to a tactic; a failure is a `message` of its own. */
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

/** Cuts what the REPL prints into replies: JSON over several lines, ended by an empty one. */
export class ReplyReader {
  #text = "";

  /** The replies that this piece completes. Raises for what is none. */
  take(piece: string): Reply[] {
    const parts = (this.#text + piece).replaceAll("\r\n", "\n").split(/\n\n+/);
    this.#text = parts.pop() ?? "";
    if (this.#text.length > engine_limits.lean_repl_reply_chars_max) throw new Error("a reply without an end");
    return parts.filter((part) => part.trim() !== "").map((part) => Reply.parse(JSON.parse(part)));
  }
}

/** Whether Lean says that a declaration stands on `sorry`; its versions quote the word differently. */
export function usesSorry(message: string): boolean {
  return /\buses\b/.test(message) && /\bsorry\b/.test(message);
}

/** The axioms that ordinary mathematics in Lean uses. Any other one, `sorryAx` among them, proves nothing. */
const usual_axioms = ["propext", "Classical.choice", "Quot.sound"];

/** Whether a compiled theorem is a proof: no error, no sorry, and only usual axioms, as `#print axioms` tells them. */
export function isProof(name: string, compiled: Reply, printed: Reply): boolean {
  const lean_messages = [...(compiled.messages ?? []), ...(printed.messages ?? [])];
  if (compiled.message !== undefined || printed.message !== undefined) return false;
  if (lean_messages.some(({ severity }) => severity === "error")) return false;
  if ((compiled.sorries ?? []).length > 0 || lean_messages.some(({ data }) => usesSorry(data))) return false;
  const [told, ...more] = (printed.messages ?? []).filter(({ severity }) => severity === "info");
  if (!told || more.length > 0) return false;
  const text = told.data.replaceAll(/\s+/g, " ").trim();
  if (text === `'${name}' does not depend on any axioms`) return true;
  const beginning = `'${name}' depends on axioms: [`;
  if (!text.startsWith(beginning) || !text.endsWith("]")) return false;
  const axioms = text.slice(beginning.length, -1).split(",");
  return axioms.every((axiom) => usual_axioms.includes(axiom.trim()));
}
