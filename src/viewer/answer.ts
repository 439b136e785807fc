import { cut } from "../kernel/text/cut.ts";
import { casesHtml, changesHtml, valuesBefore } from "./changes.ts";
import { curveHtml } from "./drawings/curve.ts";
import { drawingOf } from "./drawings/index.ts";
import { tableOf } from "./drawings/parts.ts";
import type { Figure } from "./figures/figure.ts";
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
  /** A tool's structured answer. */
  readonly answer: Tree;
  readonly sources: readonly Source[];
  /** The question's data, by name, which may help to show what the values mean. */
  readonly parameters?: Tree;
  /** The meaning of the values, if the question states it. */
  readonly view?: View | undefined;
  /** Whether each cell has its path in the values as an attribute, for an editor. */
  readonly is_editable?: boolean;
}

/**
 * Formats an answer as an HTML fragment: the verdict, its values as drawings and tables, conflicts, notes, and the
 * sources.
 */
export function answerHtml(report: Report): Html {
  const { title, answer, sources } = report;
  const drawn = drawnHtml(answer, knownBesides(report), report);
  return html`<h1><bdi>${title}</bdi></h1>${headline(answer)}${drawn}${violationsHtml(answer)}${changesHtml(answer)}${casesHtml(answer)}${curveHtml(answer)}${witnessesHtml(answer)}${solutions(answer)}${conflictHtml(answer, sources)}${remarks(answer)}${[...sourcesHtml(answer, sources)]}
<details><summary>The whole answer</summary><pre>${JSON.stringify(answer, null, 2)}</pre></details>`;
}

/** Explains why a question's view could not be used; undefined if it was used, or if there is no view. */
export function unfitOf(report: Report): string | undefined {
  const { answer, view } = report;
  return view && unfitFor(view, valuesOf(answer), knownBesides(report));
}

/** Returns the lists that are written out in the sources, and the question's data. */
function knownBesides({ sources, parameters = {} }: Report): Tree {
  return { ...literalsIn(sources.map(({ text }) => text)), ...parameters };
}

/** Returns the values of an answer, which are called `values` or `model`. */
export function valuesOf(answer: Tree): Tree {
  return treeOf(answer["values"]) ?? treeOf(answer["model"]) ?? {};
}

/** Shows the figures, then the values that they do not show, then the plain values behind all figures except grids. */
function drawnHtml(answer: Tree, parameters: Tree, { view, is_editable }: Report): Html {
  const values = valuesOf(answer);
  const index_names = IndexNames.safeParse(answer["index_names"]).data;
  if (Object.keys(values).length === 0) return html``;
  const { figures, unfit } = figuresOf(values, parameters, view, index_names);
  const before = valuesBefore(answer, values, index_names);
  const figures_before = before ? figuresOf(before, parameters, view, index_names).figures : [];
  // The list of an answer set's atoms is omitted, since they are also listed by predicate.
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
  const drawings = figures.map((each) => drawingOf(withBefore(each, figures_before, is_editable)));
  return html`${note}${drawings}${valuesHtml(some(false), { before, is_editable })}${used}`;
}

/**
 * Adds the cells from before the changes to a table, if they have the same rows and columns. Removes the paths unless
 * the table is editable.
 */
function withBefore(figure: Figure, others: readonly Figure[], is_editable = false): Figure {
  if (figure.kind !== "grid") return figure;
  const { kind, title, cells, places } = figure;
  const other = others.find((each) => each.kind === kind && each.title === title);
  const before = other?.kind === "grid" && other.cells.length === cells.length ? other.cells : undefined;
  const is_moved = before?.some((row, y) => row.some((cell, x) => cell !== cells[y]?.[x]));
  return { ...figure, places: is_editable ? places : undefined, before: is_moved ? before : undefined };
}

/** A proposed plan, and the answer from `check_plan`. */
export interface CheckedPlan {
  readonly plan: Tree;
  /** The values that were sent, which are a subset of the shown values. */
  readonly sent: Tree;
  readonly shown: Tree;
  readonly sources: readonly Source[];
}

/** Formats a plan's violations, and the model's completion of the plan, as an HTML fragment. */
export function planHtml({ plan, sent, shown, sources }: CheckedPlan): Html {
  const completed = treeOf(plan["values"]) ?? {};
  const rows = Object.entries(completed).flatMap(([name, value]) => {
    const [old, now] = [shown[name], value].map((each) =>
      cut(JSON.stringify(each) ?? "", viewer_limits.name_chars_max),
    );
    return Object.hasOwn(sent, name) || old === now ? [] : [[name, old ?? "", now ?? ""]];
  });
  const others =
    rows.length === 0 ? "" : html`<h2>Other values with this plan</h2>${tableOf(["value", "old", "new"], rows)}`;
  const marked = Array.isArray(plan["broken"]) && plan["broken"].length > 0 ? sourcesHtml(plan, sources) : [];
  return html`<h2>The changed plan</h2>${headline(plan)}${violationsHtml(plan)}${conflictHtml(plan, sources)}${others}${marked}`;
}

/** Shows, with the values, the rules that they violate according to a checker. */
export function violationsHtml(answer: Tree): Html {
  const violations: unknown = answer["violations"];
  const texts = Array.isArray(violations) ? violations.filter((each) => typeof each === "string") : [];
  const { status, reason } = treeOf(answer["checker"]) ?? {};
  const failed =
    status === "failed" ? html`<p class="note">The checker did not check the values: ${textOf(reason) ?? ""}</p>` : "";
  if (texts.length === 0) return html`${failed}`;
  const items = texts.slice(0, viewer_limits.cells_max).map((each) => html`<li>✗ <bdi>${each}</bdi></li>`);
  return html`<h2>Rules of the checker that the values break</h2><ul class="broken">${items}</ul>${failed}`;
}

/**
 * Statuses of answers that hold for all inputs, and of answers that require a correction. `sat` can be either, unless
 * the solution is optimal.
 */
const good: ReadonlySet<string> = new Set(["verified", "unreachable", "equivalent", "complete", "valid"]);
const bad: ReadonlySet<string> = new Set(["unsat", "counterexample", "found", "different", "invalid"]);

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
