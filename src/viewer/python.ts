import { tableOf } from "./drawings/parts.ts";
import { type Html, html } from "./html.ts";
import { shown, type Tree, textOf, treeOf } from "./json.ts";

/** A remark on a line of Python code. */
export interface LineMark {
  readonly kind: "dead" | "path" | "raises";
  readonly note: string;
}

/**
 * Shows the inputs in an answer about Python code that violate a contract, raise an exception, or distinguish two
 * functions.
 */
export function witnessesHtml(answer: Tree): Html {
  const witnesses = witnessesIn(answer);
  const parts = witnesses.map((witness) => {
    const rows = [
      ["call", witness["call"]],
      ["violates", witness["violation"]],
      ["result", witness["actual_repr"] ?? witness["actual_result"]],
      ["first function", witness["function_a_repr"] ?? witness["function_a_result"]],
      ["second function", witness["function_b_repr"] ?? witness["function_b_result"]],
      ["raises", witness["stack_trace"]],
      ["path", witness["path_condition"]],
    ].filter(([, value]) => value !== undefined && value !== null);
    const lines = rows.map(
      ([name, value]) => html`<tr><th scope="row">${String(name)}</th><td><code>${shown(value)}</code></td></tr>`,
    );
    const test = textOf(witness["test"]);
    const pytest = test === undefined ? "" : html`<details><summary>As a test</summary><pre>${test}</pre></details>`;
    const explanation = textOf(witness["explanation"]) ?? "";
    return html`<figure><figcaption>An input that was run</figcaption><p>${explanation}</p><table class="values">${lines}</table>${pytest}</figure>`;
  });
  return html`${parts}${branchesHtml(answer)}`;
}

function witnessesIn(answer: Tree): readonly Tree[] {
  const lists = [answer["counterexamples"], answer["triggering_inputs"], [answer["distinguishing_input"]]];
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((each: unknown): Tree[] => {
      const tree = treeOf(each);
      return tree ? [tree] : [];
    });
}

function branchesIn(answer: Tree): readonly Tree[] {
  const branches = answer["branches"];
  return (Array.isArray(branches) ? branches : []).flatMap((each: unknown): Tree[] => {
    const tree = treeOf(each);
    return tree ? [tree] : [];
  });
}

/** Shows each branch point, with an input for each side. */
function branchesHtml(answer: Tree): Html {
  const branches = branchesIn(answer);
  if (branches.length === 0) return html``;
  const side = (reachable: unknown, example: unknown) =>
    reachable === true ? JSON.stringify(example) : reachable === false ? "unreachable (proven)" : "not decided";
  const rows = branches.map((branch) => [
    ...[shown(branch["line"]), shown(branch["condition"])],
    side(branch["true_reachable"], branch["true_example"]),
    side(branch["false_reachable"], branch["false_example"]),
  ]);
  return html`<figure><figcaption>Decisions</figcaption>${tableOf(["line", "condition", "true for", "false for"], rows)}</figure>`;
}

/** Returns the answer's remarks on lines of the code, by line number. */
export function lineMarks(answer: Tree, lines: readonly string[]): ReadonlyMap<number, LineMark> {
  const [witness] = witnessesIn(answer);
  const dead = answer["dead_code_lines"];
  return new Map<number, LineMark>([
    ...pathIn(witness, lines),
    ...raisedAt(witness),
    ...branchesIn(answer).flatMap(neverTaken),
    ...(Array.isArray(dead) ? dead : []).flatMap((line: unknown): [number, LineMark][] =>
      typeof line === "number" ? [[line, { kind: "dead", note: "never runs" }]] : [],
    ),
  ]);
}

/** Returns the branches that an input takes, by line; a branch in a loop can be taken both ways. */
function pathIn(witness: Tree | undefined, lines: readonly string[]): [number, LineMark][] {
  const taken = new Map<number, boolean[]>();
  for (const each of Array.isArray(witness?.["path_lines"]) ? witness["path_lines"] : []) {
    const { line, taken: side } = treeOf(each) ?? {};
    if (typeof line === "number" && typeof side === "boolean") taken.set(line, [...(taken.get(line) ?? []), side]);
  }
  return [...taken].map(([line, sides]) => {
    const [yes, no] = sidesOf(lines[line - 1] ?? "");
    return [line, { kind: "path", note: `${sides.map((side) => (side ? yes : no)).join(", then ")} on the path` }];
  });
}

/** Describes the two sides of a branch, depending on the statement that causes it. */
function sidesOf(line: string): readonly [string, string] {
  const [word] = /\w+/.exec(line) ?? [];
  if (word === "for" || word === "async") return ["entered", "not entered"];
  if (word === "except") return ["catches", "does not catch"];
  return word === "case" ? ["matches", "does not match"] : ["true", "false"];
}

/** Returns the line that raised the exception. */
function raisedAt(witness: Tree | undefined): [number, LineMark][] {
  const [, error, line] = /^(\w+) at line (\d+)/.exec(textOf(witness?.["stack_trace"]) ?? "") ?? [];
  return line === undefined ? [] : [[Number(line), { kind: "raises", note: `raises ${error}` }]];
}

function neverTaken({ line, true_reachable, false_reachable }: Tree): [number, LineMark][] {
  if (typeof line !== "number" || (true_reachable !== false && false_reachable !== false)) return [];
  if (true_reachable === false && false_reachable === false) return [[line, { kind: "dead", note: "never reached" }]];
  return [[line, { kind: "path", note: true_reachable === false ? "never true" : "always true" }]];
}
