import { Fault } from "../../kernel/fault.ts";
import type { CallContext } from "../../kernel/tool.ts";
import type { Edit, Items } from "./items.ts";
import type { Model } from "./model.ts";
import type { Store } from "./store.ts";

/** A change that a tool was asked for. */
export interface Wanted<Done extends Edit> {
  readonly model_id: string | undefined;
  readonly edit: (items: Items) => Done;
  /** What was done to the item before: it belongs to the answer, and to a fault of the check too. */
  readonly warnings: readonly string[];
}

/** Changes a model for a tool; a fault of the check says what else may be behind it. */
export async function change<Done extends Edit>(
  store: Store,
  { model_id, edit, warnings }: Wanted<Done>,
  { signal, progress }: CallContext,
): Promise<Done & { warnings: string[] }> {
  const model = store.at(model_id);
  progress("checking the change");
  try {
    const done = await model.change(edit, signal);
    return { ...done, warnings: [...warnings, ...done.warnings] };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "syntax_error") throw thrown;
    throw withSteps(thrown, [...warnings, ...otherLanguages(model, store)]);
  }
}

function withSteps(fault: Fault, steps: readonly string[]): Fault {
  return new Fault(fault.code, fault.message, [...fault.steps, ...steps], fault.position);
}

/** Code that can't be read may be written in another language than the one that nobody chose. */
function otherLanguages({ language, language_defaulted }: Model, { choices }: Store): string[] {
  const others = choices.filter((other) => other !== language).map(({ id }) => id);
  if (!language_defaulted || others.length === 0) return [];
  return [
    `this model's language is ${language.id}; clear_model with language chooses another of: ${others.join(", ")}`,
  ];
}
