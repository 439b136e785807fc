import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { jsonOf } from "../../kernel/text/json.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { engine_limits } from "../limits.ts";

/** A field that some versions leave out, set to null, or fill with something else. */
const text_or_null = z.string().nullish().catch(null);

/** A goal as `lean_goal` lists it: text, or an object with the text, its parts, or both. */
const Structured = z
  .looseObject({ pretty: text_or_null, goal: text_or_null, context: z.unknown().optional() })
  .refine((goal) => "pretty" in goal || "goal" in goal);
const Goal = z.union([z.string(), Structured]);
const Goals = z.union([z.array(Goal), z.string().transform((text) => [text])]).nullish();

/** Hypotheses as text, or by name and type; a `let` also has a value. */
const Hypothesis = z.union([
  z.string(),
  z.looseObject({
    name: z.string().optional(),
    names: z.array(z.string()).optional(),
    type: z.string(),
    value: text_or_null,
  }),
]);
const Context = z.array(Hypothesis);

/** The complete answer of `lean_goal`: for one position, or for the start and the end of a line. */
const Answer = z
  .looseObject({ goals: Goals, goals_before: Goals, goals_after: Goals, status: z.string().nullish() })
  .refine((answer) => "goals" in answer || "goals_before" in answer);

/** The permitted forms of a proof state: one goal, several goals, or the complete answer of `lean_goal`. */
const ProofState = z.union([z.string(), z.array(Goal), Answer, Structured]);
type ProofState = z.output<typeof ProofState>;

export type GoalChoice = "first" | "all";

const no_goals = /^(no goals|goals accomplished|no unsolved goals)?[.!🎉\s]*$/iu;

/**
 * Converts a state to the text format on which the models were trained: hypotheses line by line, then `⊢ goal`, with a
 * blank line between goals. Different ways of writing the same state result in the same text. Raises `invalid_input`.
 */
export function normalState(proof_state: unknown, choice: GoalChoice = "first"): string {
  const read = ProofState.safeParse(unwrapped(proof_state));
  if (!read.success) throw unreadable("it must be a string, a list of goals, or the answer of lean_goal");
  const goals = goalsOf(read.data).filter((goal) => !saysNoGoals(goal));
  const [first] = goals;
  if (first === undefined) throw unreadable(emptyReason(read.data));
  const state = choice === "all" ? goals.join("\n\n") : firstGoal(first);
  const elided = /\[\.\.\. (\d+) characters elided;/.exec(state);
  if (elided)
    throw unreadable(`lean-lsp-mcp cut ${elided[1]} characters out of a goal`, [
      'call lean_goal with format: "structured", which is not cut',
      "or start lean-lsp-mcp with LEAN_MCP_MAX_OUTPUT_CHARS=0",
    ]);
  if (!/^ *⊢ *\S/m.test(state)) throw unreadable("it has no line that begins with ⊢ and states the goal");
  if (state.length > engine_limits.tactic_state_chars_max)
    throw unreadable(`it has ${state.length} characters; the maximum is ${engine_limits.tactic_state_chars_max}`);
  return state;
}

/** Unwraps a JSON text and the object around a list, since tools show their answers in this form. */
export function unwrapped(state: unknown): unknown {
  const read = unquote(state);
  const envelope = z.union([z.looseObject({ items: z.array(z.unknown()) }), z.strictObject({ result: z.unknown() })]);
  const { data } = envelope.safeParse(read);
  if (data === undefined) return read;
  return unquote("items" in data ? data.items : data.result);
}

function unquote(state: unknown): unknown {
  if (typeof state !== "string" || !/^\s*[[{]/.test(state)) return state;
  return jsonOf(state) ?? state;
}

/** Whether a goal's text, or its parts, says that there are no goals. */
export function saysNoGoals(state: unknown): boolean {
  const { data } = Goal.safeParse(state);
  return data !== undefined && no_goals.test(textOf(data).trim());
}

/** Returns the goals as separate texts, cleaned up. */
function goalsOf(state: ProofState): string[] {
  return listOf(state).flatMap((goal) => splitGoals(tidy(textOf(goal))));
}

function listOf(state: ProofState): readonly z.output<typeof Goal>[] {
  if (Array.isArray(state)) return state;
  const answer = Answer.safeParse(state);
  if (answer.success) {
    const { goals, goals_before, goals_after } = answer.data;
    // A line such as `theorem t : p := by` has goals only at its end.
    return goals ?? (goals_before?.length ? goals_before : goals_after) ?? [];
  }
  const goal = Goal.safeParse(state);
  return goal.success ? [goal.data] : [];
}

/**
 * Returns a goal's text; empty if there is none. The goal's parts are used only if the text is missing. Raises
 * `invalid_input`.
 */
function textOf(goal: z.output<typeof Goal>): string {
  if (typeof goal === "string") return goal;
  if (goal.pretty?.trim()) return goal.pretty;
  const aim = goal.goal?.trim();
  if (!aim) return "";
  const context = Context.safeParse(goal.context ?? []);
  // Without its hypotheses, the goal would be a different state.
  if (!context.success) throw unreadable("the context of a goal is not a list of hypotheses with name and type");
  return [...context.data.map(hypothesis), aim.startsWith("⊢") ? aim : `⊢ ${aim}`].join("\n");
}

function hypothesis(entry: z.output<typeof Hypothesis>): string {
  if (typeof entry === "string") return entry;
  const { name = "_", names = [name], type, value } = entry;
  return `${names.join(" ")} : ${type}${value ? ` := ${value}` : ""}`;
}

/**
 * Removes code fences, headings from a goal view, and meaningless white space; splits a one-line goal into two lines.
 */
function tidy(text: string): string {
  const lines = linesOf(text).map((line) => line.trimEnd());
  const meaningful = lines
    .filter((line) => !means_nothing.test(line.trimStart()))
    .map((line) => line.replace(/^ *\|-/, "⊢"));
  return inTwoLines(
    meaningful
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  );
}

const means_nothing = /^(```\w*|(Before|After|Goals?|\d+ goals?|Tactic state|Current state):?)$/i;

/** Splits `h : p ⊢ q` into two lines, as Lean shows it. */
function inTwoLines(text: string): string {
  const at = text.indexOf("⊢");
  if (at <= 0 || at !== text.lastIndexOf("⊢") || text.includes("\n")) return text;
  return `${text.slice(0, at).replace(/[ ,]$/, "").trimEnd()}\n${text.slice(at)}`;
}

/** Splits a text into goals; a blank line ends a goal if its `⊢` has already occurred. */
function splitGoals(text: string): string[] {
  const goals: string[] = [];
  for (const part of text.split(/\n\n+/)) {
    const open = goals.at(-1);
    if (open !== undefined && !open.includes("⊢")) goals[goals.length - 1] = `${open}\n${part}`;
    else goals.push(part);
  }
  return goals;
}

/** Returns the first goal without its case name and without trivial hypotheses. */
function firstGoal(goal: string): string {
  return goal.replace(/^case [^\n]*\n/, "").replaceAll(/^this✝? : True\n/gm, "");
}

function emptyReason(state: ProofState): string {
  if (typeof state === "string" && state.trim() === "") return "Proof state must be a non-empty string";
  const { data } = Answer.safeParse(state);
  if (data?.status && !["goals", "complete"].includes(data.status))
    return `lean_goal says ${JSON.stringify(data.status)} here`;
  return "there are no goals: nothing is left to prove here";
}

const state_steps = [
  "send what lean_goal shows: hypotheses line by line, then `⊢ goal`",
  "call lean_goal at a position inside the proof that still has goals",
];

function unreadable(details: string, steps: readonly string[] = state_steps): Fault {
  return new Fault("invalid_input", `Invalid proof state format: ${details}.`, steps, undefined, { details });
}
