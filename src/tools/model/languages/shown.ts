import { python_languages } from "./python/index.ts";

/** Information about a language that is available without loading it, for command-line help and for pages. */
export interface ShownLanguage {
  /** The language's usual name. */
  readonly name: string;
  /** The option that asks for more than one solution, if the language has one. */
  readonly more?: "max_solutions" | "max_models";
  /** The extensions of the language's files, the usual one first; by default those of Python. */
  readonly endings?: readonly [string, ...string[]];
}

/** Every modelling language by id, in the order of `openLanguages`. */
export const shown_languages: Readonly<Record<string, ShownLanguage>> = {
  ...Object.fromEntries(
    python_languages.map(({ id, name, takes = [] }) => [
      id,
      { name, ...(takes.includes("max_solutions") && { more: "max_solutions" }) } satisfies ShownLanguage,
    ]),
  ),
  // FlatZinc is valid MiniZinc, since each FlatZinc constraint is a MiniZinc predicate.
  minizinc: { name: "MiniZinc", more: "max_solutions", endings: [".mzn", ".fzn"] },
  asp: { name: "ASP", more: "max_models", endings: [".lp", ".asp"] },
};
