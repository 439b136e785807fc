import * as z from "zod/v4";
import { timeoutSeconds } from "../../kernel/timeout.ts";
import { annotated, defineTool, type Rendering, type Tool } from "../../kernel/tool.ts";
import { type Judgement, undecided } from "../../kernel/verdict.ts";
import { assumedNotes, common, commonOf, rendered, shownProof } from "./answers.ts";
import { code, functionName } from "./arguments.ts";
import { typesText } from "./assumed_types.ts";
import { type Examined, examine, type Goal, leftUndecided, type Services } from "./examine.ts";
import type { Examiner } from "./examiner.ts";
import { exact_values } from "./python_values.ts";
import { type Site, Taken } from "./replies.ts";
import type { Candidate, Proof } from "./search.ts";

const example = exact_values.nullable();

const output = z.object({
  status: z.enum(["complete", "partial"]),
  branches: z.array(
    z.object({
      line: z.int(),
      condition: z.string(),
      kind: z.string(),
      true_reachable: z.boolean().nullable(),
      false_reachable: z.boolean().nullable(),
      true_example: example,
      false_example: example,
      note: z.string().optional(),
    }),
  ),
  total_branches: z.int(),
  reachable_branches: z.int().describe("both sides reached"),
  dead_code_lines: z.array(z.int()),
  cyclomatic_complexity: z.int(),
  ...common,
});

type Answer = z.output<typeof output>;
type Branch = Answer["branches"][number];

const goal: Goal<Taken> = {
  async confirm(examiner, candidate, deadline) {
    const result = await examiner.replay(Taken, candidate, deadline);
    if (typeof result === "object") examiner.took(result.outcomes);
    return result;
  },
  keyOf: ({ outcomes, args }) => JSON.stringify([outcomes, args]),
  shows: ({ outcomes }, examiner) => outcomes.map((side) => examiner.sideKey(...side)),
  contradicts: () => false,
  // Each side is proved separately, and compared with the candidates that take it.
  questions: () => false,
  enough: (_, candidates, { sites }, examiner) => {
    const untaken = sites.flatMap((site) =>
      [true, false].filter((side) => !examiner.wasTaken(site.site, side)).map((side) => ({ site, side })),
    );
    if (!untaken.every(({ site, side }) => isNever(site, side, examiner, candidates))) return "no";
    const proved = untaken.some(({ site, side }) => site.constant !== !side);
    // A proof must first be compared with the boundary values, and with what other sources may be about to find.
    return !proved ? "yes" : examiner.probed ? "soon" : "no";
  },
};

/**
 * Whether a side is known never to be taken, without an exploration; false as long as a candidate that takes it is
 * unchecked.
 */
function isNever({ site, constant }: Site, side: boolean, examiner: Examiner, open: readonly Candidate[]): boolean {
  return (
    constant === !side || (examiner.unreachable.has(examiner.sideKey(site, side)) && !open.some(takes(site, side)))
  );
}

function takes(site: number, side: boolean): (candidate: Candidate) => boolean {
  return ({ sides }) => sides.some(([at, taken]) => at === site && taken === side);
}

/** `analyze_branches`: finds out which sides of its decisions a function can take. */
export function analyzeBranches(services: Services): Tool {
  return defineTool({
    name: "analyze_branches",
    description:
      "List every decision of a Python function with an input for each side, and the dead code. false = proven unreachable; null = not reached and not proven; examples were run.",
    annotations: annotated("Analyse branches", "reads"),
    input: z.strictObject({ code, function_name: functionName("function_name"), timeout_seconds: timeoutSeconds(30) }),
    output,
    listed_output: ["status", "branches"],
    needs: () => "symbolic",
    limit_ms: ({ timeout_seconds }) => timeout_seconds * 1000,
    async run({ code, function_name, timeout_seconds }, context) {
      const question = { task: "branches", code, functions: [function_name] } as const;
      return answerOf(await examine(services, question, goal, timeout_seconds, context));
    },
    render,
  });
}

function answerOf(examined: Examined<Taken>): Answer {
  const { inspected } = examined;
  const [by_prover] = examined.examiner.unreachable.values();
  const types = by_prover?.assumed_types;
  const branches = inspected.sites.map((site) => branchOf(site, examined, types));
  const sides = branches.flatMap((branch) => [branch.true_reachable, branch.false_reachable]);
  const complete = !sides.includes(null);
  const left = complete ? undefined : leftUndecided(examined);
  const dead = inspected.sites.flatMap((site, i) => deadLines(site, branches[i]));
  const common_fields = commonOf(examined, [
    ...assumedNotes("Sides are proven unreachable", by_prover),
    ...(left?.notes ?? []),
  ]);
  const proof = common_fields.proof ?? (by_prover ? shownProof(by_prover) : null);
  return {
    status: complete ? "complete" : "partial",
    branches,
    total_branches: branches.length,
    reachable_branches: branches.filter((branch) => branch.true_reachable && branch.false_reachable).length,
    dead_code_lines: [...new Set([...inspected.dead_lines, ...dead])].sort((a, b) => a - b),
    cyclomatic_complexity: inspected.cyclomatic_complexity,
    ...common_fields,
    ...(types && { assumed_types: { ...types } }),
    proof: sides.includes(false) ? (proof ?? { ...by_syntax, engine: common_fields.engine }) : null,
    ...(left && { suggestion: left.suggestion }),
  };
}

/** Judges the claim that a side is never taken; a run that takes the side refutes it. */
function neverTaken(site: Site, side: boolean, examined: Examined<Taken>): Judgement<Proof, Taken> {
  const run = examined.witnesses.find(({ outcomes }) =>
    outcomes.some(([at, took]) => at === site.site && took === side),
  );
  if (run) return { kind: "refuted", counterexample: run };
  const proof = proofThatNever(site, side, examined);
  return proof ? { kind: "proven", proof } : undecided("incomplete", "not reached, and not proven unreachable");
}

/** Returns the proof that no run takes a side; undefined if there is none. */
function proofThatNever({ site, constant }: Site, side: boolean, examined: Examined<Taken>): Proof | undefined {
  const { examiner, unreplayed, proof } = examined;
  if (constant === !side) return { ...by_syntax, engine: examiner.engine };
  if (unreplayed.some(takes(site, side))) return undefined;
  const runs = [...(examiner.explored?.covered ?? []), ...(examiner.exhausted?.covered ?? [])];
  const covered = runs.some(([at, took]) => at === site && took === side);
  return examiner.unreachable.get(examiner.sideKey(site, side)) ?? (covered ? undefined : proof);
}

const by_syntax = { method: "constant conditions", assumptions: [] };

function branchOf(site: Site, examined: Examined<Taken>, types: Proof["assumed_types"]): Branch {
  const [taken, not_taken] = [
    shownSide(neverTaken(site, true, examined)),
    shownSide(neverTaken(site, false, examined)),
  ];
  const branch = {
    line: site.line,
    condition: site.condition,
    kind: site.kind,
    true_reachable: taken.reachable,
    false_reachable: not_taken.reachable,
    true_example: taken.example,
    false_example: not_taken.example,
  };
  const note = noteOn(branch);
  const of_types =
    types && [branch.true_reachable, branch.false_reachable].includes(false) ? ` (for ${typesText(types)})` : "";
  return note === undefined ? branch : { ...branch, note: `${note}${of_types}` };
}

/** Converts the status of a side to the wire format. */
function shownSide(never: Judgement<Proof, Taken>) {
  switch (never.kind) {
    case "refuted":
      return { reachable: true, example: never.counterexample.args };
    case "proven":
      return { reachable: false, example: null };
    case "undecided":
      return { reachable: null, example: null };
    default:
      return never satisfies never;
  }
}

function noteOn({ true_reachable, false_reachable }: Branch): string | undefined {
  if (true_reachable === false && false_reachable === false) return "Dead code: this decision is never reached";
  if (true_reachable === false) return "Dead code: the condition is never true";
  if (false_reachable === false) return "The condition is never false";
  const open = [...(true_reachable === null ? ["true"] : []), ...(false_reachable === null ? ["false"] : [])];
  return open.length === 0 ? undefined : `Not reached, and not proven unreachable: ${open.join(" and ")}`;
}

function deadLines(site: Site, branch: Branch | undefined): readonly number[] {
  return [
    ...(branch?.true_reachable === false ? site.true_lines : []),
    ...(branch?.false_reachable === false ? site.false_lines : []),
  ];
}

function render(answer: Answer): Rendering {
  const { status, branches, dead_code_lines, assumed_types: types } = answer;
  const never = `unreachable (proven${types ? ` only for ${typesText(types)}` : ""})`;
  const word = (reachable: boolean | null, example: Branch["true_example"]) =>
    reachable ? JSON.stringify(example) : reachable === false ? never : "not decided";
  const lines = branches.flatMap((branch) => [
    `line ${branch.line}: ${branch.condition}`,
    `  true: ${word(branch.true_reachable, branch.true_example)}`,
    `  false: ${word(branch.false_reachable, branch.false_example)}`,
  ]);
  const dead = dead_code_lines.length > 0 ? [`dead lines: ${dead_code_lines.join(", ")}`] : [];
  const first = types ? `${status}, for ${typesText(types)}` : status;
  return rendered(first, [...lines, ...dead], answer);
}
