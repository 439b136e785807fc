import type { ShownLanguage } from "../../tools/model/languages/shown.ts";
import { version } from "../../version.ts";
import { answerHtml, valuesOf } from "../answer.ts";
import { csvOf } from "../csv.ts";
import { type Tree, textOf, treeOf } from "../json.ts";
import { sourcesOf } from "../sources.ts";
import { View } from "../view.ts";
import { Host } from "./host.ts";
import { fragmentOf, valueIn } from "./page.ts";
import { PlanEditor } from "./plan.ts";

/** The view of an answer in a chat, which draws what the host passes on, and requests more if it is allowed to. */
let question: Readonly<Record<string, unknown>> = {};
let answer: Readonly<Record<string, unknown>> | undefined;

/**
 * The languages, by id. `scripts/build.mjs` inserts them before this script, since their own modules contain long
 * texts.
 */
declare const shown_languages: Readonly<Record<string, ShownLanguage>>;
const languages = new Map(Object.entries(shown_languages));

const main = elementOf("main");
const again = elementOf("again");
const copy = elementOf("copy");
const next = elementOf("next");
const note = elementOf("note");

const host = new Host({
  input(args) {
    question = args;
    draw();
  },
  result(latest) {
    // A plan that the model does not allow is shown as proposed, with its violations.
    answer = "broken" in latest && latest["values"] === null ? { ...latest, values: question["values"] } : latest;
    draw();
  },
  theme(theme) {
    document.documentElement.style.colorScheme = theme === "dark" || theme === "light" ? theme : "light dark";
  },
});

const editor = new PlanEditor(
  { main, edit: elementOf("edit"), check: elementOf("check"), result: elementOf("plan"), say },
  host,
);

copy.addEventListener("click", () => {
  const text = csvOf(valuesOf(answer ?? {}));
  // In most hosts, a frame without an origin has no clipboard; the text is then shown so that it can be copied
  // manually.
  const written = "clipboard" in navigator ? navigator.clipboard.writeText(text) : Promise.reject(new Error("none"));
  written.then(
    () => say("The values were copied as CSV."),
    () => showText(text),
  );
});

function showText(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.rows = Math.min(12, text.split("\n").length + 1);
  area.setAttribute("aria-label", "The values as CSV");
  say("This host does not let a view copy. The values as CSV:");
  note.append(area);
  area.select();
  host.resize();
}

next.addEventListener("click", () => void showNext());

/**
 * Returns the option that asks for more solutions, if the language has one, or the usual option if the question names
 * no language.
 */
function moreBy(): ShownLanguage["more"] {
  const language = languages.get(String(question["language"]));
  return language ? language.more : "max_solutions";
}

/** Requests one solution more than are displayed, and shows the last one. */
async function showNext(): Promise<void> {
  const { model_id } = answer ?? {};
  const more_by = moreBy();
  if (answer === undefined || typeof model_id !== "string" || more_by === undefined) return;
  next.setAttribute("disabled", "");
  const shown = Array.isArray(answer["solutions"]) ? answer["solutions"].length : 1;
  const more = await host.call("solve_model", { model_id, [more_by]: shown + 1 });
  next.removeAttribute("disabled");
  const solutions: unknown = more?.["solutions"];
  if (more === undefined) return say("The host or the server refused the call.");
  if (!Array.isArray(solutions) || solutions.length <= shown)
    return say("There is no other solution, or none was found.");
  answer = { ...more, model_id, values: solutions.at(-1) };
  draw();
  say(`Solution ${solutions.length}.`);
}

// A host's frame can't submit forms, since its sandbox lacks allow-forms, so a key and a button are used instead.
again.addEventListener("keydown", ({ key, target }) => {
  if (key === "Enter" && target instanceof HTMLInputElement) void solveAgain();
});

/** Solves the model with the current contents of the data fields. */
async function solveAgain(): Promise<void> {
  const { model_id } = answer ?? {};
  if (typeof model_id !== "string") return;
  const data = Object.fromEntries(
    [...again.querySelectorAll("input")].map(({ name, value }) => [name, valueIn(value)]),
  );
  const view = treeOf(question["view"]);
  say("Solving again …");
  const new_answer = await host.call("solve_model", { model_id, data, ...(view && { view }) });
  if (new_answer === undefined || new_answer["status"] === "error")
    return say(
      `It was not solved again: ${textOf(new_answer?.["error"]) ?? "the host or the server refused the call"}`,
    );
  question = { ...question, data };
  answer = { ...new_answer, model_id };
  draw();
  say("Solved again with this data.");
}

/** Shows a field for each of the question's parameters; existing fields are kept while they are edited. */
function showForm(data: Tree): void {
  const names = Object.keys(data);
  const is_possible = host.can_call && typeof answer?.["model_id"] === "string" && names.length > 0;
  again.hidden = !is_possible;
  if (!is_possible || again.querySelector("input") !== null) return;
  const fields = names.map((name) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.name = name;
    input.value = JSON.stringify(data[name]);
    input.size = Math.min(Math.max(input.value.length, 4), 40);
    label.append(name, input);
    return label;
  });
  const button = document.createElement("button");
  button.textContent = "Solve again";
  button.type = "button";
  button.addEventListener("click", () => void solveAgain());
  again.replaceChildren(...fields, button);
}

function draw(): void {
  if (answer === undefined) return;
  const model_id = textOf(answer["model_id"]) ?? textOf(question["model_id"]);
  const is_editable = host.can_call && model_id !== undefined;
  const sources = sourcesOf(question);
  const title =
    typeof question["language"] === "string"
      ? `The answer, in ${languages.get(question["language"])?.name ?? question["language"]}`
      : "The answer";
  const parameters = treeOf(question["data"]) ?? {};
  const view = View.safeParse(question["view"]).data;
  main.replaceChildren(...fragmentOf(answerHtml({ title, answer, sources, parameters, view, is_editable })));
  editor.show(is_editable ? { answer, model_id, sources } : undefined);
  const is_solution = Object.keys(valuesOf(answer)).length > 0;
  copy.hidden = !is_solution;
  showForm(parameters);
  next.hidden =
    !(is_solution && host.can_call && typeof answer["model_id"] === "string" && answer["optimal"] == null) ||
    moreBy() === undefined;
  host.resize();
}

function say(text: string): void {
  note.textContent = text;
  host.resize();
}

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return element;
}

new ResizeObserver(() => host.resize()).observe(document.body);
void host.connect({ name: "verdict", version });
