import { basename, extname } from "node:path";
import * as z from "zod/v4";
import type { Desktop } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { tellFault } from "../engines.ts";
import { parse, readSource } from "../solve/question.ts";
import { type ReportFlags, wantsReport, writeReport } from "./write_report.ts";

const Answer = z.looseObject({ status: z.string() });
/** The structured answer of a tool, or the result of a call with that in it. */
const Kept = z.union([
  Answer,
  z.looseObject({ structuredContent: Answer }).transform((whole) => whole.structuredContent),
]);

/** Makes a page of an answer that was kept as JSON. Returns the exit code: 0, or 2 for a fault. */
export async function view(file: string, flags: ReportFlags, desktop: Desktop): Promise<number> {
  try {
    const read = Kept.safeParse(parse(file === "-" ? "standard input" : file, await readSource(file)));
    if (!read.success) throw noAnswer(file);
    const name = file === "-" ? "answer" : basename(file, extname(file));
    const report = { title: name, answer: read.data, sources: [] };
    await writeReport(report, wantsReport(flags) ? flags : { html: file === "-" ? "-" : `${name}.html` }, desktop);
    return 0;
  } catch (thrown) {
    tellFault(thrown);
    return 2;
  }
}

function noAnswer(file: string): Fault {
  return new Fault("invalid_argument", `${file === "-" ? "Standard input" : file} is no answer of a tool.`, [
    "give what `verdict solve --json` or `verdict call` prints, or the result of a call as a client got it",
  ]);
}
