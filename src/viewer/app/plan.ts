import { planHtml, valuesOf } from "../answer.ts";
import { partOf, put } from "../changes.ts";
import { isScalar, type Scalar, type Tree, textOf } from "../json.ts";
import { viewer_limits } from "../limits.ts";
import type { Source } from "../sources.ts";
import type { Host } from "./host.ts";
import { fragmentOf, valueIn } from "./page.ts";

/** The parts of the page that a plan editor uses. */
interface Parts {
  /** The drawn answer, in which each cell has its path in the values as an attribute. */
  readonly main: HTMLElement;
  readonly edit: HTMLElement;
  readonly check: HTMLElement;
  readonly result: HTMLElement;
  readonly say: (text: string) => void;
}

/** The displayed answer, and the model that it belongs to. */
interface Shown {
  readonly answer: Tree;
  readonly model_id: string;
  readonly sources: readonly Source[];
}

/** An editable cell. */
interface Cell {
  readonly place: readonly (string | number)[];
  readonly input: HTMLInputElement;
  readonly text: string;
  readonly value: Scalar;
}

/** Lets the user change cells of an answer. When its button is pressed, it asks `check_plan` about the changed plan. */
export class PlanEditor {
  readonly #parts: Parts;
  readonly #host: Host;
  #shown: Shown | undefined;
  #cells: readonly Cell[] = [];

  constructor(parts: Parts, host: Host) {
    this.#parts = parts;
    this.#host = host;
    parts.edit.addEventListener("click", () => this.#begin());
    parts.check.addEventListener("click", () => void this.#check());
  }

  /**
   * Starts editing a newly drawn answer, and discards earlier changes; `shown` is undefined if the answer can't be
   * edited.
   */
  show(shown: Shown | undefined): void {
    const { main, edit, check, result } = this.#parts;
    this.#shown = shown;
    this.#cells = [];
    result.replaceChildren();
    check.hidden = true;
    edit.hidden = shown === undefined || main.querySelector("td[data-at]") === null;
  }

  #begin(): void {
    const { main, edit, check, say } = this.#parts;
    const all = [...main.querySelectorAll<HTMLTableCellElement>("td[data-at]")];
    const cells = all.slice(0, viewer_limits.editable_max);
    this.#cells = cells.flatMap((cell) => this.#inputIn(cell) ?? []);
    edit.hidden = true;
    check.hidden = false;
    const left_out = all.length > cells.length ? ` Only the first ${cells.length} cells can be changed.` : "";
    say(`Change cells, then check the plan. The model fills in empty fields. Nothing is sent before that.${left_out}`);
    this.#cells[0]?.input.focus();
  }

  #inputIn(td: HTMLTableCellElement): Cell | undefined {
    const place = placeOf(td);
    const value = place.reduce<unknown>(partOf, valuesOf(this.#shown?.answer ?? {}));
    if (!isScalar(value)) return undefined;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const input = document.createElement("input");
    input.value = text;
    input.setAttribute("aria-label", nameOf(td, place));
    input.addEventListener("input", () => td.classList.toggle("moved", input.value !== text));
    td.replaceChildren(input);
    return { place, input, text, value };
  }

  /**
   * Sends the values in all tables with a changed cell. Values that are derived from them, such as a total, are left to
   * the model.
   */
  async #check(): Promise<void> {
    const { check, result, say } = this.#parts;
    if (!this.#shown) return;
    const { answer, model_id, sources } = this.#shown;
    const changed = this.#cells.filter(({ input, text }) => input.value !== text);
    if (changed.length === 0) return say("No cell was changed.");
    const tables = new Set(changed.map(({ input }) => input.closest("table")));
    const places = [...tables].flatMap((table) => [...(table?.querySelectorAll("td[data-at]") ?? [])].map(placeOf));
    const names = new Set(places.map(([name = ""]) => String(name)));
    const shown = valuesOf(answer);
    const values = structuredClone(Object.fromEntries(Object.entries(shown).filter(([name]) => names.has(name))));
    for (const { place, input, value } of changed)
      put(place.slice(0, -1).reduce<unknown>(partOf, values), place.at(-1) ?? "", cellValue(input.value, value));
    check.setAttribute("disabled", "");
    say("Checking the plan …");
    const plan = await this.#host.call("check_plan", { values, model_id });
    check.removeAttribute("disabled");
    if (this.#shown?.answer !== answer) return;
    if (plan === undefined || !["valid", "invalid", "unknown"].includes(String(plan["status"])))
      return say(`The plan was not checked: ${textOf(plan?.["error"]) ?? "the host or the server did not answer"}`);
    result.replaceChildren(...fragmentOf(planHtml({ plan, sent: values, shown, sources })));
    say(
      `The plan is ${plan["status"]}. Given: ${[...names].slice(0, viewer_limits.names_max).join(", ")}; the model completes the other values.`,
    );
  }
}

/** Names a cell: by the value's name with the row and column labels from the table, or otherwise by the cell's path. */
function nameOf(td: HTMLTableCellElement, place: Cell["place"]): string {
  const column = td.closest("table")?.rows[0]?.cells[td.cellIndex];
  const heads = [td.parentElement?.querySelector("th"), column].filter((each) => each?.tagName === "TH");
  const named = heads.length === place.length - 1 ? [place[0], ...heads.map((each) => each?.textContent)] : place;
  return named.join(", ");
}

/** Reads a cell's path in the values from Verdict's own markup. */
function placeOf(cell: Element): (string | number)[] {
  const read: unknown = JSON.parse(cell.getAttribute("data-at") ?? "[]");
  return Array.isArray(read) ? read.filter((each) => typeof each === "string" || typeof each === "number") : [];
}

/**
 * Reads the value of a field: null if it is empty. If the old value was a string, the new one is a string too, whatever
 * it looks like.
 */
function cellValue(text: string, old: Scalar): unknown {
  if (text.trim() === "") return null;
  return typeof old === "string" ? text : valueIn(text);
}
