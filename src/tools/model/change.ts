import { Fault } from "../../kernel/fault.ts";
import type { Step } from "../../kernel/step.ts";
import type { ToolContext } from "../../kernel/tool.ts";
import { isChecker } from "./checker/item.ts";
import { type Chooser, habits, otherLanguages } from "./items/habits.ts";
import { asItemsAre } from "./items/item_numbers.ts";
import type { Edit, Items } from "./items/items.ts";
import type { Model } from "./items/model.ts";
import type { Store } from "./items/store.ts";

/** A change requested by a client. */
export interface Wanted<Done extends Edit> {
  readonly model_id: string | undefined;
  readonly edit: (items: Items) => Done;
  /** The new item; undefined for a removal. */
  readonly text?: string;
  /** The corrections that were made to the item's text. They are reported in the answer, or with the check's fault. */
  readonly warnings: readonly string[];
}

/** Changes a model on behalf of a tool. If the check raises a fault, further possible reasons are added to it. */
export async function change<Done extends Edit>(
  store: Store,
  { model_id, edit, text, warnings }: Wanted<Done>,
  { deadline, progress }: ToolContext,
): Promise<Done & { warnings: string[] }> {
  const before = store.at(model_id).language;
  const model = text === undefined ? store.at(model_id) : store.atItem(model_id, text);
  const notes = model.language === before ? [] : [languageNote(model.language.id)];
  progress("checking the change");
  let attempt: { readonly before: Items; readonly done: Done } | undefined;
  const watched = (before: Items) => {
    const done = edit(before);
    attempt = { before, done };
    return done;
  };
  try {
    const done = await model.change(watched, deadline);
    if (text !== undefined) model.refusals.accept(text);
    return { ...done, warnings: [...notes, ...warnings, ...done.warnings] };
  } catch (thrown) {
    if (text !== undefined) model.refusals.add(text);
    if (!(thrown instanceof Fault)) throw thrown;
    const steps = isAboutText(thrown) ? [...habitsOf(thrown, text, model, store)] : [];
    const fault = thrown.code === "syntax_error" ? withSteps(thrown, steps, warnings) : withSteps(thrown, steps, []);
    throw attempt ? asItemsAre(fault, attempt.before, attempt.done) : fault;
  }
}

/** Returns the note for a call without `language` whose text revealed its language. */
export function languageNote(id: string): string {
  return `language was omitted; the text shows that it is ${id}.`;
}

/** Whether a fault is about an item's text. */
export function isAboutText({ code }: Fault): boolean {
  return code === "syntax_error" || code === "input_rejected" || code === "forbidden";
}

/** Returns steps for a text that uses another language or its idioms. */
export function habitsOf(
  fault: Fault,
  text: string | undefined,
  model: Model,
  { choices }: Store,
  chooser: Chooser = "clear_model",
): Step[] {
  if (text === undefined || isChecker(text)) return [];
  return [
    ...otherLanguages(text, model, { choices, chooser }, fault.code === "syntax_error"),
    ...habits(text, fault, model.language),
  ];
}

function withSteps(fault: Fault, first: readonly Step[], last: readonly Step[]): Fault {
  return fault.with({ steps: [...first, ...fault.all_steps, ...last] });
}
