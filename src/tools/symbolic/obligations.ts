/** What a proof left open, in the form shown: the states as Python values, why each is open, and what to do. */
import * as z from "zod/v4";
import type { Obligations, OpenObligation } from "../../prover/index.ts";
import { obligation_kinds } from "../../prover/index.ts";
import { exact_values, exactJson, pythonText } from "./python_values.ts";

export const obligations_output = z.object({
  proven: z.int(),
  open: z.array(
    z.object({
      kind: z.enum(obligation_kinds),
      line: z.int(),
      source: z.string(),
      exception: z.string().optional(),
      state: z.object({ before: exact_values, after: exact_values }).nullable(),
      reachable: z.boolean().nullable(),
      why: z.string(),
    }),
  ),
  unmentioned: z.array(z.object({ line: z.int(), names: z.array(z.string()) })),
  undecided: z.array(z.object({ line: z.int(), source: z.string() })),
});

export type Shown = z.output<typeof obligations_output>;
type Open = Shown["open"][number];

/** Fills the answer fields about obligations. */
export function shownObligations({ proven, open, unmentioned, undecided, unmodelled }: Obligations): Shown {
  return {
    proven,
    open: open.map((each) => {
      const { kind, line, source, exception, state, reachable } = each;
      const shown = state && { before: jsonOf(state.before), after: jsonOf(state.after) };
      return {
        kind,
        line,
        source,
        ...(exception !== undefined && { exception }),
        state: shown,
        reachable,
        why: whyOpen(each, unmodelled),
      };
    }),
    unmentioned: unmentioned.map(({ line, names }) => ({ line, names: [...names] })),
    undecided: undecided.map(({ line, source }) => ({ line, source })),
  };
}

type State = NonNullable<OpenObligation["state"]>["before"];

function jsonOf(state: State): Record<string, unknown> {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, exactJson(value)]));
}

function whyOpen({ kind, state, reachable }: OpenObligation, unmodelled: Obligations["unmodelled"]): string {
  if (!state && unmodelled && kind !== "ends")
    return `not proved for every result of an operation that is not modelled (line ${unmodelled.line}: ${unmodelled.construct})`;
  if (!state)
    return kind === "ends"
      ? "no number was found that decreases in every iteration and is never below 0"
      : "Z3 did not decide it in time, and no small state violates it";
  if (reachable) return "a call reaches this state";
  const weak = "the state satisfies the invariants: they are too weak";
  return reachable === false ? `${weak}, since no call reaches it` : `${weak}, if no call reaches it`;
}

/** Formats each open obligation in two lines: what is open in which state, and why. */
export function obligationLines({ proven, open, undecided }: Shown): string[] {
  const count = `${proven} ${proven === 1 ? "obligation" : "obligations"} proved, ${open.length} open`;
  const late = undecided.map(({ line, source }) => `line ${line}: \`${source}\``);
  return [
    `${count}${open.length > 0 ? ":" : "."}`,
    ...open.flatMap((each) => [`line ${each.line}: ${whatIsOpen(each, open)}${stateWords(each)}`, `  ${each.why}`]),
    ...(late.length > 0
      ? [`No time was left for ${late.slice(0, late_max).join(", ")}${late.length > late_max ? ", …" : ""}`]
      : []),
  ];
}

const late_max = 5;

function whatIsOpen({ kind, line, source, exception }: Open, all: readonly Open[]): string {
  const begins = !all.some((each) => each.kind === "on entry" && each.line === line && each.source === source);
  switch (kind) {
    case "on entry":
      return `\`${source}\` is not true when the loop begins`;
    case "kept":
      return `\`${source}\` is ${begins ? "true when the loop begins, but " : ""}not preserved by an iteration`;
    case "assertion":
      return `\`${source}\` does not follow here`;
    case "postcondition":
      return `the postcondition \`${source}\` does not follow`;
    case "index in range":
      return `an index in \`${source}\` is not proved to be in range`;
    case "precondition of a call":
      return `the precondition \`${source}\` of the called function does not follow`;
    case "no exception":
      return `${exception ?? "an exception"} is not excluded in \`${source}\``;
    case "result type":
      return "the type of the result is not proved";
    case "ends":
      return `\`${source}\` is not proved to terminate`;
    default:
      return kind satisfies never;
  }
}

const variables_max = 8;

function stateWords({ kind, state, source }: Open): string {
  if (!state) return "";
  const { before, after } = state;
  if (kind === "ends") return `: an iteration changes nothing at ${written(before, source)}`;
  const changed = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => textOf(before[name]) !== textOf(value)),
  );
  const now = written(changed, source);
  if (Object.keys(before).length === 0) return now ? `: ${now}` : "";
  return `: before ${written(before, source)}${now ? `; then ${now}` : ""}`;
}

/** Converts the result of `exactJson` to Python text. */
function textOf(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(textOf).join(", ")}]`;
  if (json === null || typeof json === "boolean")
    return pythonText(json === null ? { type: "none" } : { type: "bool", value: json });
  const expression = z.object({ python: z.string() }).safeParse(json);
  return expression.success ? expression.data.python : JSON.stringify(json);
}

/** Formats a state as `lo=3, hi=5`; if there are many variables, those that the condition mentions take precedence. */
function written(state: Readonly<Record<string, unknown>>, source: string): string {
  const names = Object.keys(state);
  const [used, others] = [true, false].map((is_used) =>
    names.filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`, "u").test(source) === is_used),
  );
  const shown = new Set([...(used ?? []), ...(others ?? [])].slice(0, variables_max));
  return names.flatMap((name) => (shown.has(name) ? [`${name}=${textOf(state[name])}`] : [])).join(", ");
}

const steps_max = 4;

/** Suggests what to do next about these obligations. */
export function obligationSteps({ open, unmentioned, undecided }: Obligations): string {
  const steps = new Set<string>();
  for (const { line, names } of unmentioned)
    steps.add(
      `the loop on line ${line} changes ${names.map((name) => `\`${name}\``).join(", ")}, which no invariant mentions: assert what is true of ${names.length === 1 ? "it" : "them"} at the head of the loop's body`,
    );
  for (const each of open) steps.add(stepFor(each));
  if (undecided.length > 0)
    steps.add("pass a larger timeout_seconds, or prove it in steps: an assert in the middle of the code is a lemma");
  return [...[...steps].slice(0, steps_max), "read verdict://guide/prove"].join("; ");
}

function stepFor({ kind, line, source, state, reachable }: OpenObligation): string {
  if (kind === "ends" && reachable)
    return `correct the code: the loop on line ${line} does not terminate from the state shown`;
  if (kind === "ends")
    return `assert in the loop on line ${line} what bounds its iterations, or add an integer that decreases in every iteration`;
  if (!state) return `prove line ${line} in steps: an assert before it is a lemma, which is proved and then assumed`;
  if (kind === "on entry") return `correct \`${source}\`, or the code before the loop`;
  if (kind === "kept")
    return `add an invariant that is false in the state before the iteration (line ${line}), or correct the loop's body`;
  if (kind === "index in range") return `assert the bounds of the index of line ${line} at the head of the loop`;
  return `add an invariant that excludes the state shown (line ${line}), or correct the code`;
}
