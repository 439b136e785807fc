import { python_languages } from "./python/index.ts";

/** Information about a language that is available without loading it, for command-line help and for pages. */
export interface ShownLanguage {
  /** The language's usual name. */
  readonly name: string;
  /** The option that asks for more than one solution, if the language has one. */
  readonly more?: "max_solutions" | "max_models";
}

/** Every modelling language by id, in the order of `openLanguages`. */
export const shown_languages: Readonly<Record<string, ShownLanguage>> = {
  ...Object.fromEntries(
    python_languages.map(({ id, name, takes = [] }) => [
      id,
      { name, ...(takes.includes("max_solutions") && { more: "max_solutions" }) } satisfies ShownLanguage,
    ]),
  ),
  minizinc: { name: "MiniZinc", more: "max_solutions" },
  asp: { name: "ASP", more: "max_models" },
};
