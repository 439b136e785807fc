import { linesOf } from "../../kernel/text/lines.ts";
import { engine_limits } from "../limits.ts";

/** Why a text that a model wrote is not handed on. */
export type DropReason = "empty" | "cut" | "forbidden" | "unbalanced" | "placeholder" | "too_long" | "unprintable";

const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", "⟩": "⟨", "»": "«", "⟫": "⟪" };
const openers = new Set(Object.values(pairs));

/** Strings and comments, in which neither brackets nor words count. */
const dead_text = /"(?:[^"\\]|\\.)*"|--[^\n]*|\/-[\s\S]*?(?:-\/|$)/g;

/** What ends a goal without a proof that Lean's kernel checked. */
const forbidden =
  /(?<![\w.'])(sorry|admit|native_decide|stop)(?![\w'])|\bsorryAx(?![\w'])|\+native\b|\bnative\s*:=\s*true\b/;

/** The tactic in what a model wrote: without fences, bullets of a list, and space around it. */
export function tidyTactic(text: string): string {
  return linesOf(text)
    .filter((line) => !/^```\w*$/.test(line.trim()))
    .join("\n")
    .trim();
}

/** Why a tactic is not worth trying, or undefined when it may be. */
export function dropReason(tactic: string): DropReason | undefined {
  if (tactic.length > engine_limits.tactic_chars_max) return "too_long";
  const code = tactic.replaceAll(dead_text, " ");
  if (code.trim() === "") return "empty";
  // Half of a character, or bytes that no one writes.
  if (/[^\P{C}\n\t]|\uFFFD/u.test(tactic)) return "unprintable";
  if (forbidden.test(code)) return "forbidden";
  if (leavesHoles(code)) return "placeholder";
  return isBalanced(code) ? undefined : "unbalanced";
}

/** Holes in tactics that can't leave any are slips of the model. */
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
