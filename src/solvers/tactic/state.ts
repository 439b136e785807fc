import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";

/** A goal as `lean_goal` lists it: text, or an object that holds the text. */
const Goal = z.union([z.string(), z.looseObject({ pretty: z.string() }), z.looseObject({ goal: z.string() })]);
const Goals = z.array(Goal).nullish();

/** The whole answer of `lean_goal`: at one place, or before and after it. */
const Answer = z
  .looseObject({ goals: Goals, goals_before: Goals, status: z.string().optional() })
  .refine((answer) => "goals" in answer || "goals_before" in answer);

/** What may be given as a proof state: a goal, goals, or the whole answer of `lean_goal`. */
const ProofState = z.union([Goal, z.array(Goal), Answer]);
type ProofState = z.output<typeof ProofState>;

export type GoalChoice = "first" | "all";

const no_goals = /^(no goals|goals accomplished|no unsolved goals)?[.!🎉\s]*$/iu;

/**
 * The text of a state as the models were trained on it: hypotheses line by line, then `⊢ goal`, goals
 * apart by a blank line. Two ways of writing the same state give the same text. Raises `invalid_input`.
 */
export function normalState(given: unknown, choice: GoalChoice = "first"): string {
  const read = ProofState.safeParse(unquoted(given));
  if (!read.success) throw unreadable("it must be a text, a list of goals, or what lean_goal answers");
  const goals = goalsOf(read.data).filter((goal) => !saysNoGoals(goal));
  const [first] = goals;
  if (first === undefined) throw unreadable(emptyReason(read.data));
  const state = choice === "all" ? goals.join("\n\n") : firstGoal(first);
  if (!/^ *⊢ *\S/m.test(state)) throw unreadable("it has no line that begins with ⊢ and says the goal");
  if (state.length > limits.tactic_state_chars_max)
    throw unreadable(`it has ${state.length} characters; the most is ${limits.tactic_state_chars_max}`);
  return state;
}

/** What stands in a text that is JSON: tools show their answers so. */
function unquoted(given: unknown): unknown {
  if (typeof given !== "string" || !/^\s*[[{]/.test(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** Whether a text that stands for a goal says that there is none. */
export function saysNoGoals(text: string): boolean {
  return no_goals.test(text.trim());
}

/** The goals as separate texts, tidied. */
function goalsOf(given: ProofState): string[] {
  return listOf(given).flatMap((goal) => splitGoals(tidy(textOf(goal))));
}

function listOf(given: ProofState): readonly z.output<typeof Goal>[] {
  if (Array.isArray(given)) return given;
  const answer = Answer.safeParse(given);
  if (answer.success) return answer.data.goals ?? answer.data.goals_before ?? [];
  const goal = Goal.safeParse(given);
  return goal.success ? [goal.data] : [];
}

function textOf(goal: z.output<typeof Goal>): string {
  if (typeof goal === "string") return goal;
  const {
    pretty,
    goal: target,
    context,
  } = z
    .object({
      pretty: z.string().optional(),
      goal: z.string().default(""),
      context: z.array(z.object({ name: z.string(), type: z.string() })).default([]),
    })
    .parse(goal);
  if (pretty !== undefined) return pretty;
  const aim = target.startsWith("⊢") ? target : `⊢ ${target}`;
  return [...context.map(({ name, type }) => `${name} : ${type}`), aim].join("\n");
}

/** Takes off code fences, headings of a goal view, and spaces that mean nothing; a goal in one line gets its second. */
function tidy(text: string): string {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd());
  const kept = lines.filter((line) => !means_nothing.test(line.trimStart())).map((line) => line.replace(/^ *\|-/, "⊢"));
  return inTwoLines(
    kept
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  );
}

const means_nothing = /^(```\w*|(Before|After|Goals?|\d+ goals?|Tactic state|Current state):?)$/i;

/** `h : p ⊢ q` as Lean shows it. */
function inTwoLines(text: string): string {
  const at = text.indexOf("⊢");
  if (at <= 0 || at !== text.lastIndexOf("⊢") || text.includes("\n")) return text;
  return `${text.slice(0, at).replace(/[ ,]$/, "").trimEnd()}\n${text.slice(at)}`;
}

/** A blank line ends a goal, once its `⊢` has come. */
function splitGoals(text: string): string[] {
  const goals: string[] = [];
  for (const part of text.split(/\n\n+/)) {
    const open = goals.at(-1);
    if (open !== undefined && !open.includes("⊢")) goals[goals.length - 1] = `${open}\n${part}`;
    else goals.push(part);
  }
  return goals;
}

/** The first goal, without its case name and without hypotheses that say nothing. */
function firstGoal(goal: string): string {
  return goal.replace(/^case [^\n]*\n/, "").replaceAll(/^this✝? : True\n/gm, "");
}

function emptyReason(given: ProofState): string {
  if (typeof given === "string" && given.trim() === "") return "Proof state must be a non-empty string";
  const { data } = Answer.safeParse(given);
  if (data?.status !== undefined && !["goals", "complete"].includes(data.status))
    return `lean_goal says ${JSON.stringify(data.status)} here`;
  return "there are no goals: nothing is left to prove at this place";
}

function unreadable(details: string): Fault {
  const steps = [
    "send what lean_goal shows: hypotheses line by line, then `⊢ goal`",
    "call lean_goal at a position inside the proof where goals are left",
  ];
  return new Fault("invalid_input", `Invalid proof state format: ${details}.`, steps, undefined, { details });
}
