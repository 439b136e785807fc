import { linesOf } from "../../kernel/text/lines.ts";
import { engine_limits } from "../limits.ts";

/** The reason why a text written by a model is not passed on. */
export type DropReason = "empty" | "cut" | "forbidden" | "unbalanced" | "placeholder" | "too_long" | "unprintable";

const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", "⟩": "⟨", "»": "«", "⟫": "⟪" };
const openers = new Set(Object.values(pairs));

/** Matches strings and comments, in which brackets and words do not count. */
const dead_text = /"(?:[^"\\]|\\.)*"|--[^\n]*|\/-[\s\S]*?(?:-\/|$)/g;

/** Matches tactics that end a goal without a proof checked by Lean's kernel. */
const forbidden =
  /(?<![\w.'])(sorry|admit|native_decide|stop)(?![\w'])|\bsorryAx(?![\w'])|\+native\b|\bnative\s*:=\s*true\b/;

/** Extracts the tactic from a model's text, without code fences and surrounding white space. */
export function tidyTactic(text: string): string {
  return linesOf(text)
    .filter((line) => !/^```\w*$/.test(line.trim()))
    .join("\n")
    .trim();
}

/** Returns the reason why a tactic is not worth trying; undefined if it may be. */
export function dropReason(tactic: string): DropReason | undefined {
  if (tactic.length > engine_limits.tactic_chars_max) return "too_long";
  const code = tactic.replaceAll(dead_text, " ");
  if (code.trim() === "") return "empty";
  // The text contains half of a character, or bytes that nobody writes.
  if (/[^\P{C}\n\t]|\uFFFD/u.test(tactic)) return "unprintable";
  if (forbidden.test(code)) return "forbidden";
  if (leavesHoles(code)) return "placeholder";
  return isBalanced(code) ? undefined : "unbalanced";
}

/** Whether a tactic contains holes although it can't leave any; these are mistakes of the model. */
function leavesHoles(code: string): boolean {
  return (
    /^\s*(rcases|cases'|simpa)(?![\w'])[\s\S]*\?_/.test(code) || /^\s*simpa\b[\s\S]*(?<![\w'.])_(?![\w'])/.test(code)
  );
}

function isBalanced(code: string): boolean {
  const open: string[] = [];
  for (const character of code) {
    if (openers.has(character)) open.push(character);
    else if (Object.hasOwn(pairs, character) && open.pop() !== pairs[character]) return false;
  }
  return open.length === 0;
}
