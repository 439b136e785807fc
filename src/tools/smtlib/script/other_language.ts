import { writtenIn } from "../../written_in.ts";

const is_smtlib = /^\s*\((?:set-|declare-|define-|assert|check-sat|push|pop)/m;

/** What a text that is no SMT-LIB is written in, with the step that leads on; undefined where nothing tells. */
export function otherLanguageOf(text: string): { readonly what: string; readonly step: string } | undefined {
  const found = is_smtlib.test(text) ? undefined : writtenIn(text);
  if (!found || found.what === "SMT-LIB") return undefined;
  const { what, languages, instead } = found;
  const tools = `use the model tools: clear_model with the language ${languages.join(" or ")}, add_item, solve_model`;
  return { what, step: languages.length > 0 ? tools : (instead ?? tools) };
}
