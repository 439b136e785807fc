import { python_languages } from "./python/index.ts";

/** What is said of a language where none is opened: in the help of commands, and on pages. */
export interface ShownLanguage {
  /** How people write its name. */
  readonly name: string;
  /** The option that asks for more solutions than one, if it takes one. */
  readonly more?: "max_solutions" | "max_models";
}

/** Every modelling language by its id, in the order of `openLanguages`. */
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
