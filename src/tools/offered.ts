import type { Fault } from "../kernel/fault.ts";
import { inCalls } from "../kernel/step.ts";
import type { Answer } from "../kernel/tool.ts";

const separator = /(, or |; or |; |\. )/;
const way = /\b(?:[Ll]anguage:? ["`]?(\w+)|solve_(smtlib))\b/g;

/** Removes languages that this server lacks from a guide's first paragraph. */
export function offeredGuide(text: string, missing: readonly string[]): string {
  const [first = "", ...others] = text.split("\n## ");
  return [onlyOffered(first, missing, /`(\w+)`/g), ...others].join("\n## ");
}

/**
 * Removes the alternatives in a text that name a language which this server lacks; returns an empty text if none is
 * left.
 */
export function onlyOffered(text: string, missing: readonly string[], named = way): string {
  const isOffered = (part: string) =>
    [...part.matchAll(named)].every(([, language, tool]) => !missing.includes(language ?? tool ?? ""));
  // Every second part is a separator, which precedes the next part.
  const parts = text.split(separator);
  const kept = parts.flatMap((part, i) => (i % 2 === 0 && isOffered(part) ? [[parts[i - 1] ?? "", part]] : []));
  if (kept.length === (parts.length + 1) / 2) return text;
  const [first, ...others] = kept;
  const end = text.endsWith(".") && kept.at(-1)?.[1]?.endsWith(".") === false ? "." : "";
  return first ? `${first[1]}${others.flat().join("")}${end}` : "";
}

/** Removes steps from a fault that name a language which this server lacks. */
export function offeredFault(fault: Fault, missing: readonly string[]): Fault {
  const steps = fault.all_steps.map((step) => (typeof step === "string" ? onlyOffered(step, missing) : step));
  return fault.with({ steps: steps.filter((step) => step !== "" && onlyOffered(inCalls(step), missing) !== "") });
}

/** Removes languages that this server lacks from Verdict's own sentences in an answer. */
export function offeredAnswer({ structured, text, ...rest }: Answer, missing: readonly string[]): Answer {
  const sentences = new Map<unknown, string>();
  const filtered = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filtered);
    const kept = typeof value === "string" ? onlyOffered(value, missing) : undefined;
    if (kept === undefined || kept === value) return value;
    sentences.set(value, kept);
    return kept;
  };
  const own = Object.entries(structured).map(([name, value]) => [
    name,
    own_sentences.has(name) ? filtered(value) : value,
  ]);
  if (sentences.size === 0) return { structured, text, ...rest };
  const shown = (part: string) =>
    [...sentences].reduce((whole, [before, after]) => whole.replaceAll(String(before), () => after), part);
  const [first, ...others] = text;
  return { structured: Object.fromEntries(own), text: [shown(first), ...others.map(shown)], ...rest };
}

const own_sentences: ReadonlySet<string> = new Set(["message", "unconfirmed", "warnings"]);
