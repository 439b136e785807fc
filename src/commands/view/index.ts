import { basename, extname } from "node:path";
import * as z from "zod/v4";
import type { Desktop } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { sourcesOf } from "../../viewer/sources.ts";
import { View } from "../../viewer/view.ts";
import { tellFault } from "../engines.ts";
import { parse, readSource, readView } from "../solve/question.ts";
import { type ReportFlags, wantsReport, writeReport } from "./write_report.ts";

const Answer = z.looseObject({ status: z.string() });
const Asked = z.looseObject({
  model: z.string().optional(),
  items: z.array(z.string()).optional(),
  smtlib: z.string().optional(),
  code: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  view: z.unknown(),
});
/** A tool's structured answer, or a call's result that contains one, with the call's arguments if they were saved. */
const Kept = z.union([
  Answer.transform((answer) => ({ answer, asked: undefined })),
  z
    .looseObject({ structuredContent: Answer, arguments: Asked.optional() })
    .transform((whole) => ({ answer: whole.structuredContent, asked: whole.arguments })),
]);

export interface ViewFlags extends ReportFlags {
  /** What the values mean, as JSON. */
  readonly view?: string;
  /** The files of the model or code that the question was about. */
  readonly source?: readonly string[];
}

/** Makes a page from an answer saved as JSON. Returns the exit code: 0, or 2 for a fault. */
export async function view(file: string, flags: ViewFlags, desktop: Desktop): Promise<number> {
  try {
    const requested = readView(flags.view);
    const read = Kept.safeParse(parse(file === "-" ? "standard input" : file, await readSource(file)));
    if (!read.success) throw noAnswer(file);
    const { answer, asked } = read.data;
    const name = file === "-" ? "answer" : basename(file, extname(file));
    const files = await Promise.all(
      (flags.source ?? []).map(async (path) => ({ name: basename(path), text: await readSource(path) })),
    );
    const sources = files.length > 0 ? files : sourcesOf(asked ?? {});
    const meant = requested ?? View.safeParse(asked?.view).data;
    const report = { title: name, answer, sources, parameters: asked?.data ?? {}, view: meant };
    await writeReport(report, wantsReport(flags) ? flags : { html: file === "-" ? "-" : `${name}.html` }, desktop);
    return 0;
  } catch (thrown) {
    tellFault(thrown);
    return 2;
  }
}

function noAnswer(file: string): Fault {
  return new Fault("invalid_argument", `${file === "-" ? "Standard input" : file} is not a tool's answer.`, [
    "give the output of `verdict solve --json` or `verdict call`, or a call's result as a client received it",
  ]);
}
