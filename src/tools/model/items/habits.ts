import type { Fault } from "../../../kernel/fault.ts";
import type { Step } from "../../../kernel/step.ts";
import { Lines } from "../../../kernel/text/lines.ts";
import { squeezed } from "../../../kernel/text/squeezed.ts";
import { type Written, writtenIn } from "../../written_in.ts";
import type { Language } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { Model } from "./model.ts";

/** String literals, whose contents are not code in any language. */
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** The tool through which a client chooses a language: the tool that it called, or the tool that starts a model. */
export type Chooser = "solve" | "clear_model";

/**
 * Suggests steps for an item written in a language other than the model's; `unread` means that it could not be parsed
 * at all.
 */
export function otherLanguages(
  text: string,
  model: Model,
  { choices, chooser }: { readonly choices: readonly Language[]; readonly chooser: Chooser },
  unread: boolean,
): Step[] {
  const { language, language_defaulted } = model;
  const written = writtenIn(text, language.id);
  if (written && !written.languages.includes(language.id)) return [stepTo(written, language, choices, chooser)];
  // The item is written for OR-Tools or another interface, and the model's language can express the same.
  if (written?.instead !== undefined) return [`this is ${written.what}: ${written.instead}`];
  const others = choices.filter((other) => other !== language).map(({ id }) => id);
  if (written || !unread || !language_defaulted || others.length === 0) return [];
  const of_others = `this model's language is ${language.id}; to use another language`;
  const one = `one of: ${others.join(", ")}`;
  return [
    {
      call: `${of_others} call ${chooser} with language, ${one}`,
      shell: `${of_others} give --language, ${one}`,
    },
  ];
}

function stepTo(
  { what, languages, instead }: Written,
  { id }: Language,
  choices: readonly Language[],
  chooser: Chooser,
): Step {
  const here = languages.filter((language) => choices.some((choice) => choice.id === language));
  const withChoice = (choose: string) => {
    const steps = [...(here.length > 0 ? [choose] : []), ...(instead === undefined ? [] : [instead])];
    const rest =
      steps.length > 0 ? steps.join(", and ") : `this server has only ${choices.map((choice) => choice.id).join(", ")}`;
    return `this is ${what}, but the model's language is ${id}: ${rest}`;
  };
  return {
    call: withChoice(`${chooser} with language ${here.map((language) => `"${language}"`).join(" or ")}`),
    shell: withChoice(`run the command with --language ${here.join(" or ")}`),
  };
}

/** Invisible characters and the no-break space. */
const invisible = /[\u00A0\u00AD\u200B-\u200F\u2060\uFEFF]/;

/** Suggests steps for language-independent errors, and for signs of another language on the faulty line. */
export function habits(text: string, { code, position }: Fault, { slips }: Language): string[] {
  const code_only = text.replaceAll(quoted, (part) => " ".repeat(part.length));
  const at = invisible.exec(code_only)?.index;
  const line = squeezed(position ? (code_only.split("\n")[position.line - 1] ?? "") : "");
  return [
    ...(at === undefined ? [] : [deleteIt(text, at)]),
    ...(/(?<!\/)\\n/.test(code_only)
      ? ['the item has \\n as two characters: send real line breaks ("\\n" in JSON, with one backslash)']
      : []),
    ...(code === "syntax_error" ? slips.filter(({ sign }) => sign.test(line)).map(({ cure }) => cure) : []),
  ].slice(0, model_limits.habits_reported_max);
}

function deleteIt(text: string, at: number): string {
  const { line, column } = new Lines(text).at(at);
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `line ${line}, column ${column} contains the invisible character U+${code}: delete it, or use a plain space`;
}
