import { curveHtml } from "./drawings/curve.ts";
import { drawingOf } from "./drawings/index.ts";
import { figuresOf, unfitFor } from "./figures/index.ts";
import { IndexNames } from "./figures/tables.ts";
import { type Html, html } from "./html.ts";
import { type Tree, textOf, treeOf } from "./json.ts";
import { viewer_limits } from "./limits.ts";
import { literalsIn } from "./literals.ts";
import { witnessesHtml } from "./python.ts";
import { conflictHtml, type Source, sourcesHtml } from "./sources.ts";
import { valuesHtml } from "./values.ts";
import type { View } from "./view.ts";

export interface Report {
  readonly title: string;
  /** The structured answer of a tool. */
  readonly answer: Tree;
  readonly sources: readonly Source[];
  /** Data of the question by name: what the values mean may be seen with them. */
  readonly parameters?: Tree;
  /** What the values mean, where the question says it. */
  readonly view?: View | undefined;
}

/** An answer as a piece of HTML: the verdict, its values as drawings and tables, conflicts, notes, and the sources. */
export function answerHtml(report: Report): Html {
  const { title, answer, sources, view } = report;
  const drawn = drawnHtml(answer, knownBesides(report), view);
  return html`<h1><bdi>${title}</bdi></h1>${headline(answer)}${drawn}${curveHtml(answer)}${witnessesHtml(answer)}${solutions(answer)}${conflictHtml(answer, sources)}${remarks(answer)}${[...sourcesHtml(answer, sources)]}
<details><summary>The whole answer</summary><pre>${JSON.stringify(answer, null, 2)}</pre></details>`;
}

/** Why the view of a question could not be used; undefined where it was, or where there is none. */
export function unfitOf(report: Report): string | undefined {
  const { answer, view } = report;
  return view && unfitFor(view, valuesOf(answer), knownBesides(report));
}

/** Lists that the sources write out, and data of the question. */
function knownBesides({ sources, parameters = {} }: Report): Tree {
  return { ...literalsIn(sources.map(({ text }) => text)), ...parameters };
}

/** The values of an answer, under either of their names. */
export function valuesOf(answer: Tree): Tree {
  return treeOf(answer["values"]) ?? treeOf(answer["model"]) ?? {};
}

/** Figures first, then what they do not show, and what they show as it is. */
function drawnHtml(answer: Tree, parameters: Tree, view: View | undefined): Html {
  const values = valuesOf(answer);
  const index_names = IndexNames.safeParse(answer["index_names"]).data;
  if (Object.keys(values).length === 0) return html``;
  const { figures, unfit } = figuresOf(values, parameters, view, index_names);
  // The atoms of an answer set stand under the names of their predicates, too.
  const twice = Object.keys(values).length > 1 ? ["atoms"] : [];
  const uses = new Set([...figures.flatMap((figure) => figure.uses), ...twice]);
  const some = (is_used: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => uses.has(name) === is_used));
  const plain = Object.fromEntries(
    Object.entries(some(true)).filter(([name]) =>
      figures.some(({ kind, uses }) => kind !== "grid" && uses.includes(name)),
    ),
  );
  const used =
    Object.keys(plain).length === 0
      ? ""
      : html`<details><summary>The drawn values as they are</summary>${valuesHtml(plain)}</details>`;
  const note =
    unfit === undefined ? "" : html`<p class="note">The view of the question does not fit the answer: ${unfit}.</p>`;
  return html`${note}${figures.map(drawingOf)}${valuesHtml(some(false))}${used}`;
}

/** Answers that hold for everything, and those with something to correct; `sat` can be either, unless it is the optimum. */
const good: ReadonlySet<string> = new Set(["verified", "unreachable", "equivalent", "complete"]);
const bad: ReadonlySet<string> = new Set(["unsat", "counterexample", "found", "different"]);

function headline(answer: Tree): Html {
  const status = String(answer["status"] ?? "");
  const is_best = answer["optimal"] === true;
  const kind = is_best || good.has(status) ? "good" : status === "sat" ? "sat" : bad.has(status) ? "unsat" : "open";
  const message = textOf(answer["message"]) ?? textOf(answer["error"]) ?? textOf(answer["reason"]) ?? "";
  const objective = answer["objective"] ?? null;
  const claimed = textOf(answer["claimed"]);
  const claim = claimed === undefined ? "" : html`<p class="verdict open">claimed, not confirmed: ${claimed}</p>`;
  return html`<p class="verdict ${kind}">${status}${is_best ? ", optimal" : ""}</p>${claim}<p>${message}</p>${objective === null ? "" : html`<p>Objective: <b><bdi>${JSON.stringify(objective)}</bdi></b></p>`}`;
}

function solutions(answer: Tree): Html {
  const all = answer["solutions"];
  if (!Array.isArray(all) || all.length < 2) return html``;
  const items = all.map((each) => html`<li><bdi>${JSON.stringify(each)}</bdi></li>`);
  return html`<h2>${all.length} solutions</h2><ol>${items.slice(0, viewer_limits.cells_max)}</ol>`;
}

function remarks(answer: Tree): Html {
  const warnings: unknown = answer["warnings"] ?? answer["notes"];
  const lines = Array.isArray(warnings) ? warnings.map((each) => html`<li>${String(each)}</li>`) : [];
  const engine = textOf(answer["engine"]);
  const confirmed_by: unknown = answer["confirmed_by"];
  const confirmed = Array.isArray(confirmed_by) ? ` Confirmed by ${confirmed_by.join(", ")}.` : "";
  const decided = engine === undefined ? confirmed : `Decided by ${engine}.${confirmed}`;
  return html`${lines.length > 0 ? html`<h2>Notes</h2><ul>${lines}</ul>` : ""}${decided === "" ? "" : html`<p class="note">${decided}</p>`}`;
}
