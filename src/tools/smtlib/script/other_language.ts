import { squeezed } from "../../../kernel/text/squeezed.ts";
import { writtenIn } from "../../written_in.ts";

const is_smtlib = /^\s*\((?:set-|declare-|define-|assert|check-sat|push|pop)/m;

/** The language of a text that is not SMT-LIB, with the next step; undefined if it is not recognised. */
export function otherLanguageOf(text: string): { readonly what: string; readonly step: string } | undefined {
  const written = is_smtlib.test(squeezed(text)) ? undefined : writtenIn(text);
  if (!written || written.what === "SMT-LIB") return undefined;
  const { what, languages, instead } = written;
  const tools = `send it as it is to the tool solve, ${languages.map((id) => `with language: "${id}"`).join(", or ")}`;
  return { what, step: languages.length > 0 ? tools : (instead ?? tools) };
}
