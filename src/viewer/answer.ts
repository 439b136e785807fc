import { type Html, html } from "./html.ts";
import { viewer_limits } from "./limits.ts";
import { scheduleHtml } from "./schedule.ts";
import { valuesHtml } from "./values.ts";

/** A text of the question: a model, its data, code. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

export interface Report {
  readonly title: string;
  /** The structured answer of a tool. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly sources: readonly Source[];
  /** Data of the question by name: with them, starts may be recognised as a schedule. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** An answer as a piece of HTML: the verdict, its values as tables and charts, conflicts, notes, and the sources. */
export function answerHtml({ title, answer, sources, parameters = {} }: Report): Html {
  const values = treeOf(answer["values"]) ?? treeOf(answer["model"]) ?? {};
  const schedule = scheduleHtml({ ...parameters, ...values });
  return html`<h1>${title}</h1>${headline(answer)}${schedule ?? ""}${valuesHtml(values)}${solutions(answer)}${conflict(answer, sources)}${remarks(answer)}${sources.map((source, i) => sourceHtml(source, conflictLines(answer, i)))}
<details><summary>The whole answer</summary><pre>${JSON.stringify(answer, null, 2)}</pre></details>`;
}

function headline(answer: Report["answer"]): Html {
  const status = String(answer["status"] ?? "");
  const word = status === "sat" || status === "unsat" ? status : "open";
  const message = textOf(answer["message"]) ?? textOf(answer["error"]) ?? textOf(answer["reason"]) ?? "";
  const objective = answer["objective"] ?? null;
  return html`<p class="verdict ${word}">${status}</p><p>${message}</p>${objective === null ? "" : html`<p>Objective: <b><bdi>${JSON.stringify(objective)}</bdi></b></p>`}`;
}

function solutions(answer: Report["answer"]): Html {
  const all = answer["solutions"];
  if (!Array.isArray(all) || all.length < 2) return html``;
  const items = all.map((each) => html`<li><bdi>${JSON.stringify(each)}</bdi></li>`);
  return html`<h2>${all.length} solutions</h2><ol>${items.slice(0, viewer_limits.cells_max)}</ol>`;
}

function conflict(answer: Report["answer"], sources: Report["sources"]): Html {
  const items = conflictItems(answer);
  if (items.length === 0) return html``;
  const lines = items.map(({ item, line, text }) => {
    const place = sources[item]?.name ?? `item ${item}`;
    return html`<li>${place}, line ${line}: <code>${text}</code></li>`;
  });
  return html`<h2>These conflict</h2><ul>${lines}</ul>`;
}

interface Conflicting {
  readonly item: number;
  readonly line: number;
  readonly text: string;
}

/** The conflicting places of an answer, of models and of scripts. */
function conflictItems(answer: Report["answer"]): Conflicting[] {
  const places = [answer["unsat_items"], answer["unsat_core"]].flatMap((each) => (Array.isArray(each) ? each : []));
  return places.flatMap((place: unknown) => {
    const { item = 0, line, text } = treeOf(place) ?? {};
    return typeof item === "number" && typeof line === "number" && typeof text === "string"
      ? [{ item, line, text }]
      : [];
  });
}

function conflictLines(answer: Report["answer"], source: number): ReadonlySet<number> {
  return new Set(conflictItems(answer).flatMap(({ item, line }) => (item === source ? [line] : [])));
}

function remarks(answer: Report["answer"]): Html {
  const warnings: unknown = answer["warnings"];
  const lines = Array.isArray(warnings) ? warnings.map((each) => html`<li>${String(each)}</li>`) : [];
  const engine = textOf(answer["engine"]);
  return html`${lines.length > 0 ? html`<h2>Notes</h2><ul>${lines}</ul>` : ""}${engine === undefined ? "" : html`<p class="note">Decided by ${engine}.</p>`}`;
}

function sourceHtml({ name, text }: Source, marked: ReadonlySet<number>): Html {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, viewer_limits.source_lines_max);
  const rows = shown.map((line, i) => (marked.has(i + 1) ? html`<mark>${line}</mark>\n` : html`${line}\n`));
  const rest = lines.length - shown.length;
  return html`<h2>${name}</h2><pre>${rows}</pre>${rest > 0 ? html`<p class="note">${rest} more lines.</p>` : ""}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A plain object; undefined for anything else. */
export function treeOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
