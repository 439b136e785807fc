import type { Clingo, Solved } from "../../../../engines/clingo/index.ts";
import type { Witness } from "../../../../engines/clingo/read.ts";
import { Fault } from "../../../../kernel/fault.ts";
import type { Outcome, SolveContext } from "../../language.ts";
import { type AllAnswer, noAnswer } from "../questions/answer.ts";
import { withAnswer } from "../questions/ask.ts";
import { drive, type Row, type Space, type Step } from "../questions/drive.ts";
import { type Question, questionOf } from "../questions/question.ts";
import { answerSet } from "./answer_sets.ts";
import type { AspProgram } from "./program.ts";
import { distinct } from "./question.ts";

/** Adds the answer to a question about all answer sets to the outcome, if the call asks one. */
export async function answeredBy(
  clingo: Clingo,
  program: AspProgram,
  outcome: Outcome,
  context: SolveContext,
): Promise<Outcome> {
  const question = questionOf(context.options);
  if (!question) return outcome;
  context.progress("asking for further answer sets");
  return withAnswer(outcome, question, () => answerOf({ clingo, program, context }, question, outcome));
}

interface Asking {
  readonly clingo: Clingo;
  readonly program: AspProgram;
  readonly context: SolveContext;
}

async function answerOf(asking: Asking, question: Question, { verdict }: Outcome): Promise<AllAnswer> {
  const is_by_atoms = question.kind === "k_best" || question.kind === "diverse";
  if (is_by_atoms && showsTerms(asking.program))
    return noAnswer(
      question,
      "the program shows terms (#show t : body), which constraints can't refer to: show atoms instead",
    );
  const best = verdict.kind === "sat" ? verdict.best?.value : undefined;
  const mode = question.kind === "k_best" ? "ignore" : "optN";
  const possible = await consequences(asking, "brave", mode);
  if (typeof possible === "string") return noAnswer(question, possible);
  if (question.kind === "backbone") return backbone(asking, possible);
  if (possible.length === 0)
    return noAnswer(
      question,
      "no shown atom holds in any answer set: show the atoms that distinguish them (#show p/1)",
    );
  const space = new AnswerSets(asking, possible, costsOf(best, asking.program));
  const first = verdict.kind === "sat" && "values" in verdict.witness ? verdict.witness.values["atoms"] : [];
  return drive(question, space, space.row({ atoms: Array.isArray(first) ? first.map(String) : [], costs: [] }));
}

/** Treats each atom as one value, and finds out whether it holds in all answer sets or only in some. */
async function backbone(asking: Asking, possible: readonly string[]): Promise<AllAnswer> {
  const scope = { kind: "backbone", over: predicatesOf(possible), left_out: [] } as const;
  const certain = await consequences(asking, "cautious", "optN");
  if (typeof certain === "string")
    return { ...scope, left_out: [], fixed: [], free: [], undecided: [...possible], reason: certain };
  const known = new Set(certain);
  const free = possible.filter((atom) => !known.has(atom));
  return { ...scope, left_out: [], fixed: certain.map((atom): [string, unknown] => [atom, true]), free, undecided: [] };
}

/** Returns the atoms that hold in some or in all answer sets, or the reason why they are not known. */
async function consequences(
  asking: Asking,
  reasoning: "brave" | "cautious",
  mode: "optN" | "ignore",
): Promise<readonly string[] | string> {
  const solved = await run(asking, "", [`--opt-mode=${mode}`, `--enum-mode=${reasoning}`, "--models=0"]);
  if (typeof solved === "string") return solved;
  const { answer } = solved;
  if (answer.kind !== "sat" || answer.search !== "exhausted") return out_of_time;
  return answer.witness.atoms;
}

/** Runs the program with additional rules; if there is no result, returns the reason. Raises `cancelled`. */
async function run(
  { clingo, program, context: { deadline } }: Asking,
  rules: string,
  args: readonly string[],
  share = 1,
): Promise<Solved | string> {
  if (deadline.is_over) return out_of_time;
  try {
    const part = share === 1 ? deadline : deadline.atMost(deadline.left_ms * share);
    const solved = await clingo.run(part, { program: `${program.text}\n${rules}`, args: [...args] });
    if (solved === "expired") return out_of_time;
    return solved.answer.kind === "error" ? `clingo failed (${solved.answer.how})` : solved;
  } catch (error) {
    if (!(error instanceof Fault) || error.code === "cancelled") throw error;
    return error.message;
  }
}

const out_of_time = "the time ran out";
const differs = "differs_of_verdict";

/** The answer sets of a program, distinguished by their shown atoms. */
class AnswerSets implements Space {
  readonly over: readonly string[];
  readonly left_out: readonly string[] = [];
  readonly paths: readonly string[];
  readonly method = "enumeration with clingo";
  readonly #asking: Asking;
  /** The optimal costs; undefined if nothing is minimised. */
  readonly #costs: readonly number[] | undefined;

  constructor(asking: Asking, possible: readonly string[], costs: readonly number[] | undefined) {
    this.#asking = asking;
    this.#costs = costs;
    this.paths = possible;
    this.over = predicatesOf(possible);
  }

  row({ atoms, costs: clingo_costs }: Witness): Row {
    const costs = this.#asking.program.turn(clingo_costs);
    const own = atoms.filter((atom) => !atom.startsWith(`${differs}(`));
    const holds = new Set(own);
    return {
      values: answerSet(own),
      leaves: this.paths.map((atom) => String(holds.has(atom))),
      cost: costs.length > 1 ? costs.join(", ") : costs[0],
    };
  }

  value(leaf: string): unknown {
    return leaf === "true";
  }

  async list(limit: number, share = 1) {
    const args = ["--opt-mode=optN", "--project=show", `--models=${limit + 1}`];
    const solved = await run(this.#asking, "", args, share);
    if (typeof solved === "string") return { rows: [], is_whole: false, reason: solved };
    const { answer } = solved;
    if (answer.kind !== "sat") return { rows: [], is_whole: false, reason: out_of_time };
    const is_best = answer.witness.costs.length === 0 || answer.optimum;
    const rows = is_best ? distinct(answer.witnesses, answer.witness).map((each) => this.row(each)) : [];
    const is_whole = answer.search === "exhausted" && is_best && rows.length <= limit;
    return { rows, is_whole, reason: rows.length > limit ? `counting one by one stops at ${limit}` : out_of_time };
  }

  async other(row: Row, at: readonly number[], count: number): Promise<Step> {
    const changed = at.map((i) => `${i} : ${row.leaves[i] === "true" ? "not " : ""}${this.paths[i]}`);
    return this.#some(`:- #count {${changed.join("; ")}} < ${count}.`);
  }

  async best(without: readonly Row[]): Promise<Step> {
    const all = this.paths.map((_, i) => i);
    const solved = await run(this.#asking, without.map((row) => `:- ${this.#literals(row, all)}.`).join("\n"), []);
    return this.#step(solved);
  }

  async farthest(rows: readonly Row[]): Promise<Step> {
    const rules = rows.flatMap((row, r) =>
      this.paths.map((atom, k) => `${differs}(${r},${k}) :- ${row.leaves[k] === "true" ? "not " : ""}${atom}.`),
    );
    let farthest_row: Row | undefined;
    for (let distance = 0; distance < this.paths.length; ) {
      const far = rows.map((_, r) => `:- #count {K : ${differs}(${r},K)} <= ${distance}.`);
      const step = await this.#some([...rules, ...far].join("\n"));
      if (step === "none") break;
      if ("open" in step) return farthest_row ? { row: farthest_row, proved: false } : step;
      farthest_row = step.row;
      const { leaves } = step.row;
      const least = Math.min(...rows.map((row) => row.leaves.filter((leaf, i) => leaf !== leaves[i]).length));
      // Without this check, an engine that repeats an answer set would be asked forever.
      if (least <= distance) return { open: "clingo returned an answer set that was excluded" };
      distance = least;
    }
    return farthest_row ? { row: farthest_row, proved: true } : "none";
  }

  /** Finds an answer set under additional rules; an optimal one if costs are minimised. */
  async #some(rules: string): Promise<Step> {
    const mode = this.#costs ? [`--opt-mode=enum,${this.#costs.join(",")}`] : [];
    return this.#step(await run(this.#asking, rules, [...mode, "--models=1"]));
  }

  #step(solved: Solved | string): Step {
    if (typeof solved === "string") return { open: solved };
    const { answer } = solved;
    if (answer.kind === "unsat") return "none";
    if (answer.kind !== "sat") return { open: out_of_time };
    return { row: this.row(answer.witness), proved: answer.optimum };
  }

  #literals(row: Row, at: readonly number[]): string {
    return at.map((i) => `${row.leaves[i] === "true" ? "" : "not "}${this.paths[i]}`).join(", ");
  }
}

/** clingo's costs for an objective; undefined if there isn't one. */
function costsOf(best: unknown, { turn }: AspProgram): readonly number[] | undefined {
  return best === undefined ? undefined : turn([best].flat().map(Number));
}

/** Whether terms are shown in addition to atoms: `#show t : body`. */
export function showsTerms({ statements }: AspProgram): boolean {
  return statements.some(({ tokens }) => {
    const [first, ...rest] = tokens.map(({ text }) => text);
    const is_signature = rest.length <= 1 || /^-?$/.test(rest[0] ?? "") || rest[1] === "/";
    return first === "#show" && (rest.includes(":") || !is_signature);
  });
}

function predicatesOf(atoms: readonly string[]): string[] {
  return [...new Set(atoms.map((atom) => atom.split("(", 1)[0] ?? atom))];
}
