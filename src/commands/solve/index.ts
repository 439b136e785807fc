import { basename, dirname, resolve } from "node:path";
import * as z from "zod/v4";
import type { Config, Desktop } from "../../config.ts";
import { Fault, toFault } from "../../kernel/fault.ts";
import type { Answer } from "../../kernel/tool.ts";
import { expectSavable, type Place, saveValues } from "../../tools/model/data/save.ts";
import type { Source } from "../../viewer/sources.ts";
import { tellFault } from "../engines.ts";
import { type ReportFlags, wantsReport, writeReport } from "../view/write_report.ts";
import { type QuestionFlags, readQuestion, readView } from "./question.ts";
import { withSession } from "./session.ts";
import { exit_codes, exitCodeOf, faultInFiles, shownInFiles } from "./shown.ts";

export interface SolveFlags extends QuestionFlags, ReportFlags {
  /** Whether to print the structured answer. */
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** A file for the values: .csv, .xlsx, .json, .html or .ics. */
  readonly save?: string;
  /** Whether the file may be overwritten. */
  readonly overwrite?: boolean;
}

/**
 * Solves the model in a file and prints the answer. Returns the exit code: 0 a solution (the optimum, if one was
 * requested), 1 unsatisfiable, 2 a fault, 3 undecided, 4 a solution without the requested proof, 130 interrupted.
 */
export async function solve(config: Config, desktop: Desktop, file: string, flags: SolveFlags): Promise<number> {
  let files: readonly Source[] = [];
  try {
    const view = readView(flags.view);
    const question = await readQuestion(file, flags);
    files = question.files;
    const { tables } = question;
    if (flags.save !== undefined) await expectSavable(resolve(flags.save), placeOf(flags.save, flags));
    const answer = await withSession(config, { tables, quiet: flags.quiet }, ({ ask }) => ask(question));
    if (flags.html !== "-")
      console.log(flags.json ? JSON.stringify(answer.structured, null, 2) : shownInFiles(answer.text, files));
    const report = { title: basename(files[0]?.name ?? file), answer: answer.structured, sources: namedShortly(files) };
    if (flags.save !== undefined) await save(answer, flags.save, placeOf(flags.save, flags));
    if (wantsReport(flags)) await writeReport({ ...report, parameters: question.parameters, view }, flags, desktop);
    return exitCodeOf(answer.structured);
  } catch (thrown) {
    return tellAnyFault(thrown, flags.json ?? false, files);
  }
}

/** Prints an exception, for a shell or as JSON, and returns the exit code. */
export function tellAnyFault(thrown: unknown, as_json: boolean, files: readonly Source[]): number {
  const fault = toFault(thrown);
  if (as_json) tellAsJson(thrown, fault);
  else tellFault(fault === thrown ? faultInFiles(fault, files) : thrown);
  return fault.code === "cancelled" ? exit_codes.interrupted : exit_codes.fault;
}

/**
 * Saves the values to the user's file. Raises the same faults as `saveFile`, and `input_rejected` for an answer without
 * values.
 */
async function save({ structured }: Answer, path: string, place: Place): Promise<void> {
  const { model, index_names } = Saved.parse(structured);
  if (!model) throw new Fault("input_rejected", `There are no values to save in ${path}.`, ["solve the model first"]);
  const file = resolve(path);
  await saveValues(file, model, index_names, place);
  console.error(`The values are in ${file}`);
}

/** Where `--save` may write: anywhere, but only a flag allows it to replace a file. */
function placeOf(path: string, { overwrite = false }: SolveFlags): Place {
  return { roots: [dirname(resolve(path))], overwrite };
}

const Saved = z.looseObject({
  model: z.record(z.string(), z.unknown()).nullish(),
  index_names: z.record(z.string(), z.array(z.array(z.string()))).optional(),
});

/** The sources with their base names only, since a report is shared with others. */
function namedShortly(files: readonly Source[]): readonly Source[] {
  return files.map(({ name, text }) => ({ name: basename(name), text }));
}

function tellAsJson(thrown: unknown, fault: Fault): void {
  if (fault !== thrown) console.error(thrown);
  console.log(JSON.stringify(fault.report(), null, 2));
}
