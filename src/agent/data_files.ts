import { stat } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { Fault } from "../kernel/fault.ts";
import type { AskFlags } from "./flags.ts";
import { isItemLanguage, languages } from "./languages.ts";

/** The extensions of data files; any other file is the problem statement. */
const endings: readonly string[] = [".csv", ".tsv", ".xlsx", ".xlsm", ".json"];

/** The files passed with `--file`. */
export interface AskFiles {
  readonly problem: string | undefined;
  /** Full paths of data files. */
  readonly data: readonly string[];
}

/** The languages whose tools read data files. */
export const with_data_files = languages.filter(isItemLanguage);

/** Separates data files from the problem statement. Raises `invalid_argument`. */
export async function filesOf({ file, language }: Pick<AskFlags, "file" | "language">): Promise<AskFiles> {
  const isData = (path: string) => endings.includes(extname(path).toLowerCase());
  const [problem, second] = file.filter((path) => !isData(path));
  if (second !== undefined)
    throw refused(
      `The problem was given twice: ${problem} and ${second}.`,
      `data files end with ${endings.join(", ")}`,
    );
  const data = file.filter(isData).map((path) => resolve(path));
  const names = data.map((path) => basename(path));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw refused(`Two data files are called ${twice}.`, "give each a unique name");
  if (data.length > 0 && language !== "auto" && !isItemLanguage(language))
    throw refused(`Data files can't be read in ${language}.`, `choose one of ${with_data_files.join(", ")}`);
  for (const path of data)
    await stat(path).catch((error: unknown) => {
      throw refused(
        `The data file ${path} can't be read: ${error instanceof Error ? error.message : String(error)}.`,
        "check the path given with --file",
      );
    });
  return { problem, data };
}

function refused(what: string, step: string): Fault {
  return new Fault("invalid_argument", what, [step]);
}
