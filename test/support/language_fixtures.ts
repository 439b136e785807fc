import type { ImportGlobFunction } from "vite/types/importGlob.d.ts";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import type { Language } from "../../src/tools/model/language.ts";
import { openLanguages } from "../../src/tools/model/languages/index.ts";
import type { LanguageFixture } from "./language_fixture.ts";

declare global {
  interface ImportMeta {
    /** Vite puts the modules of these files here. */
    readonly glob: ImportGlobFunction;
  }
}

/** Every language that the program has; their engines are closed. */
export const languages_here = openedAndClosed();

/** Their ids. */
export const all_languages = languages_here.map(({ id }) => id);

/** A file for each language, named by its id. */
const files = import.meta.glob<{ readonly fixtures: readonly LanguageFixture[] }>("./languages/*.ts", { eager: true });

/** Every language that the program has, on each of its builds. */
export const language_fixtures = all_languages.flatMap((id) => files[`./languages/${id}.ts`]?.fixtures ?? []);

/** A language without an entry here is a hole in the contract. */
export const languages_without_fixture = all_languages.filter(
  (id) => !language_fixtures.some(({ language }) => language === id),
);

function openedAndClosed(): readonly Language[] {
  const engines = new Engines(readConfig({}));
  const languages = openLanguages(engines);
  engines.close();
  return languages;
}
