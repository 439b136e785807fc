import type { AttemptItem } from "../../src/tools/lean/outcome.ts";
import type { Checker } from "../../src/tools/lean/search/checker.ts";

/**
 * A toy checker in place of Lean in the tests of the search: it knows propositional sequents of single letters and
 * eight tactics, and checks them step by step. It proves nothing about Lean.
 */
export type Formula = string | { readonly op: "→" | "∧" | "∨"; readonly left: Formula; readonly right: Formula };

export interface Sequent {
  readonly hypotheses: readonly { readonly name: string; readonly formula: Formula }[];
  readonly goal: Formula;
}

/** Right-associative, `∧` before `∨` before `→`. */
export function parseFormula(text: string): Formula {
  const tokens = text.match(/[()→∧∨]|\w+/g) ?? [];
  let at = 0;
  const binary = (ops: readonly ("→" | "∧" | "∨")[]): Formula => {
    const [op, ...tighter] = ops;
    if (op === undefined) {
      const token = tokens[at++];
      if (token !== "(") return token ?? "";
      const inside = binary(["→", "∨", "∧"]);
      at++;
      return inside;
    }
    const left = binary(tighter);
    if (tokens[at] !== op) return left;
    at++;
    return { op, left, right: binary(ops) };
  };
  return binary(["→", "∨", "∧"]);
}

export function show(formula: Formula, inside = false): string {
  if (typeof formula === "string") return formula;
  const text = `${show(formula.left, true)} ${formula.op} ${show(formula.right, true)}`;
  return inside ? `(${text})` : text;
}

const same = (a: Formula, b: Formula) => show(a) === show(b);

export function parseState(text: string): Sequent[] {
  return text.split("\n\n").map((goal) => {
    const lines = goal.split("\n");
    const hypotheses = lines.slice(0, -1).map((line) => {
      const [name = "", formula = ""] = line.split(" : ");
      return { name, formula: parseFormula(formula) };
    });
    return { hypotheses, goal: parseFormula((lines.at(-1) ?? "").replace("⊢ ", "")) };
  });
}

export function showGoal({ hypotheses, goal }: Sequent): string {
  return [...hypotheses.map(({ name, formula }) => `${name} : ${show(formula)}`), `⊢ ${show(goal)}`].join("\n");
}

/** The goals that take the place of this one, or why the tactic does not apply. */
function apply(sequent: Sequent, tactic: string): Sequent[] | string {
  const { hypotheses, goal } = sequent;
  const [word = "", name = ""] = tactic.trim().split(/\s+/);
  const named = hypotheses.find((each) => each.name === name);
  const next = (more: number) => `h${hypotheses.length + more}`;
  const parts = typeof goal === "string" ? undefined : goal;
  switch (word) {
    case "intro":
      if (parts?.op !== "→" || name === "") return "intro: the goal is not an implication";
      return [{ hypotheses: [...hypotheses, { name, formula: parts.left }], goal: parts.right }];
    case "exact":
      return named && same(named.formula, goal) ? [] : "type mismatch";
    case "assumption":
      return hypotheses.some(({ formula }) => same(formula, goal)) ? [] : "assumption failed";
    case "constructor":
      if (parts?.op !== "∧") return "constructor: the goal is not a conjunction";
      return [
        { hypotheses, goal: parts.left },
        { hypotheses, goal: parts.right },
      ];
    case "left":
    case "right":
      return parts?.op === "∨" ? [{ hypotheses, goal: parts[word] }] : "the goal is not a disjunction";
    case "apply": {
      const rule = named?.formula;
      if (!rule || typeof rule === "string" || rule.op !== "→" || !same(rule.right, goal)) return "could not unify";
      return [{ hypotheses, goal: rule.left }];
    }
    case "cases": {
      const rule = named?.formula;
      if (!rule || typeof rule === "string" || rule.op === "→") return "cases: no conjunction or disjunction";
      const others = hypotheses.filter((each) => each !== named);
      const added = (formula: Formula, at: number) => ({ name: next(at), formula });
      if (rule.op === "∧") return [{ hypotheses: [...others, added(rule.left, 1), added(rule.right, 2)], goal }];
      return [rule.left, rule.right].map((side) => ({ hypotheses: [...others, added(side, 1)], goal }));
    }
    default:
      return `unknown tactic '${word}'`;
  }
}

/** Runs a script line by line on the first goal each time. */
export function runScript(state: string, script: string): { goals: string[] } | { error: string } {
  let goals = parseState(state);
  for (const line of script.split("\n")) {
    const [first, ...others] = goals;
    if (!first) return { error: "no goals" };
    const made = apply(first, line);
    if (typeof made === "string") return { error: made };
    goals = [...made, ...others];
  }
  return { goals: goals.map(showGoal) };
}

/** What `lean_multi_attempt` would answer, in its form. */
export function multiAttempt(state: string, snippets: readonly string[]): { items: AttemptItem[] } {
  const items = snippets.map((snippet): AttemptItem => {
    const ran = runScript(state, snippet);
    if ("error" in ran)
      return {
        snippet,
        goals: [],
        diagnostics: [{ severity: "error", message: ran.error, line: 1, column: 1 }],
        timed_out: false,
      };
    const proof_status = ran.goals.length === 0 ? "Completed" : "Incomplete: open goals remain";
    return { snippet, goals: ran.goals, diagnostics: [], timed_out: false, proof_status };
  });
  return { items };
}

export class ToyChecker implements Checker {
  readonly root: string;
  /** How often tactics were tried. */
  attempts = 0;

  constructor(state: string) {
    this.root = state;
  }

  async attempt(script: readonly string[], tactics: readonly string[]): Promise<AttemptItem[]> {
    this.attempts += tactics.length;
    const { items } = multiAttempt(
      this.root,
      tactics.map((tactic) => [...script, tactic].join("\n")),
    );
    return items.map((item, i) => ({ ...item, snippet: tactics[i] ?? "" }));
  }

  async confirm(script: readonly string[]): Promise<boolean> {
    const ran = runScript(this.root, script.join("\n"));
    return "goals" in ran && ran.goals.length === 0;
  }
}

/** Whether a sequent holds in every valuation of its letters: a semantics that knows no tactics. */
export function isValid({ hypotheses, goal }: Sequent): boolean {
  const letters = [...new Set([...hypotheses.map(({ formula }) => show(formula)), show(goal)].join(" ").match(/\w+/g))];
  for (let bits = 0; bits < 2 ** letters.length; bits++) {
    const value = (formula: Formula): boolean => {
      if (typeof formula === "string") return ((bits >> letters.indexOf(formula)) & 1) === 1;
      const [left, right] = [value(formula.left), value(formula.right)];
      return formula.op === "∧" ? left && right : formula.op === "∨" ? left || right : !left || right;
    };
    if (hypotheses.every(({ formula }) => value(formula)) && !value(goal)) return false;
  }
  return true;
}

/** Every tactic of the toy that makes sense to name in a state; all alike. */
export function allTactics(state: string): { tactic: string; score: number }[] {
  const [first] = parseState(state);
  const names = (first?.hypotheses ?? []).map(({ name }) => name);
  const plain = [`intro h${names.length + 1}`, "assumption", "constructor", "left", "right"];
  const named = names.flatMap((name) => [`apply ${name}`, `cases ${name}`]);
  return [...plain, ...named].map((tactic) => ({ tactic, score: -1 }));
}
