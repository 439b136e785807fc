import { type Html, html } from "./html.ts";
import { type Tree, treeOf } from "./json.ts";
import { viewer_limits } from "./limits.ts";
import { type LineMark, lineMarks } from "./python.ts";

/** A text in the question: a model, its data, or code. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

interface Conflicting {
  readonly item: number;
  readonly line: number;
  readonly text: string;
  readonly cases: readonly string[];
  /** The remark on the line, in addition to its mark. */
  readonly note: string;
}

/** Lists the conflicting lines, and shows which of them can be left out. */
export function conflictHtml(answer: Tree, sources: readonly Source[]): Html {
  const items = conflictItems(answer);
  const why = treeOf(answer["why"]) ?? {};
  const broken = brokenItems(answer);
  const about_best = why["about"] === "optimum";
  const shown = (place: Conflicting) => html`<li>${placeHtml(place, sources)}</li>`;
  const list =
    items.length === 0
      ? ""
      : html`<h2>${about_best ? "These exclude a better solution" : "These conflict"}</h2><ul>${items.map(shown)}</ul>`;
  const drops = (Array.isArray(why["drop"]) ? why["drop"] : []).map((each: unknown) =>
    placesIn(treeOf(each)?.["items"]),
  );
  const sets = drops
    .filter((set) => set.length > 0)
    .map((set) => html`<li>${set.map((place, i) => html`${i === 0 ? "" : "; "}${placeHtml(place, sources)}`)}</li>`);
  const forbidden =
    broken.length === 0 ? "" : html`<h2>The values break these lines</h2><ul class="broken">${broken.map(shown)}</ul>`;
  const what = about_best ? "a better solution" : "a solution";
  return html`${list}${forbidden}${sets.length === 0 ? "" : html`<h2>Without one of these sets there is ${what}</h2><ul>${sets}</ul>`}`;
}

/** The maximum number of cases on a page, which shows more of them than a text does. */
const cases_max = 40;

function placeHtml({ item, line, text, cases, note }: Conflicting, sources: readonly Source[]): Html {
  return html`${sources[item]?.name ?? `item ${item}`}, line ${line}${note.includes(" by ") ? `, ${note}` : ""}${cases.length > 0 ? ` (${cases.slice(0, cases_max).join("; ")})` : ""}: <code>${text}</code>`;
}

/** Returns the conflicting positions in an answer, in models and scripts, without duplicates. */
function conflictItems(answer: Tree): readonly Conflicting[] {
  const places = [answer["unsat_items"], answer["unsat_core"], treeOf(answer["why"])?.["core"]].flatMap((list) =>
    placesIn(list),
  );
  return [...new Map(places.map((place) => [`${place.item} ${place.line} ${place.text}`, place])).values()];
}

/** Returns the lines that a plan violates, as `check_plan` lists them. */
function brokenItems(answer: Tree): readonly Conflicting[] {
  return placesIn(answer["broken"], "broken");
}

function placesIn(places: unknown, what = "in conflict"): readonly Conflicting[] {
  return (Array.isArray(places) ? places : []).flatMap((place: unknown) => {
    const { item = 0, line, text, cases, by } = treeOf(place) ?? {};
    return typeof item === "number" && typeof line === "number" && typeof text === "string"
      ? [
          {
            item,
            line,
            text,
            cases: (Array.isArray(cases) ? cases : []).filter((each) => typeof each === "string"),
            note: typeof by === "number" ? `${what} by ${by}` : what,
          },
        ]
      : [];
  });
}

/** Shows a line of code with its remark, also as text, since some readers can't distinguish the colours. */
function lineHtml(line: string, mark: LineMark | undefined): Html {
  if (!mark) return html`${line}`;
  return html`<span class="${mark.kind}">${line}</span> <span class="said ${mark.kind}">◀ ${mark.note}</span>`;
}

/**
 * Shows the question's texts. Conflicting lines are marked, and so are, in Python code, an input's path and the lines
 * that never run.
 */
export function sourcesHtml(answer: Tree, sources: readonly Source[]): readonly Html[] {
  const items = [...conflictItems(answer), ...brokenItems(answer)];
  return sources.map(({ name, text }, i) => {
    const marked = new Map(items.flatMap(({ item, line, note }) => (item === i ? [[line, note] as const] : [])));
    const lines = text.trimEnd().split("\n");
    const shown = lines.slice(0, viewer_limits.source_lines_max);
    const marks = lineMarks(answer, shown);
    const rows = shown.map((line, at) =>
      marked.has(at + 1)
        ? html`<mark>${line}</mark> <span class="said">◀ ${marked.get(at + 1) ?? ""}</span>\n`
        : html`${lineHtml(line, marks.get(at + 1))}\n`,
    );
    const rest = lines.length - shown.length;
    return html`<h2>${name}</h2><pre>${rows}</pre>${rest > 0 ? html`<p class="note">${rest} more lines.</p>` : ""}`;
  });
}

/** Returns the texts in a question: a whole model or its items, a script, or code. */
export function sourcesOf({ model, items, smtlib, code }: Tree): readonly Source[] {
  const texts = [model, smtlib].filter((text) => typeof text === "string");
  const listed = Array.isArray(items) ? items.filter((item) => typeof item === "string") : [];
  return [
    ...texts.map((text) => ({ name: "the model", text })),
    ...listed.map((text, i) => ({ name: `item ${i}`, text })),
    ...(typeof code === "string" ? [{ name: "the code", text: code }] : []),
  ];
}
