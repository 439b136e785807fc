import { mkdtemp, realpath, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Desktop } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { startDetached } from "../../kernel/process/child.ts";
import { type Report, unfitOf } from "../../viewer/answer.ts";
import { reportHtml } from "../../viewer/report.ts";

export interface ReportFlags {
  /** The report's file; `-` is standard output. */
  readonly html?: string;
  /**
   * Whether to show the report in the browser. Without a file name, it is written to the system's temporary directory.
   */
  readonly open?: boolean;
}

export function wantsReport({ html, open }: ReportFlags): boolean {
  return html !== undefined || open === true;
}

/** Writes an answer's report as requested by the flags, and prints its location. Raises `invalid_argument`. */
export async function writeReport(report: Report, { html, open }: ReportFlags, desktop: Desktop): Promise<void> {
  const page = reportHtml(report);
  const unfit = unfitOf(report);
  if (unfit !== undefined) console.error(`--view was not used: ${unfit}.`);
  if (html === "-") return void process.stdout.write(page);
  const scratch = open ? await mkdtemp(join(tmpdir(), "verdict-")) : undefined;
  const file = resolve(html ?? join(scratch ?? ".", "report.html"));
  await write(file, page);
  console.error(`The report is in ${file}`);
  if (scratch !== undefined) show(file, scratch, desktop);
}

/** Writes a file atomically, or directly if the target is not a regular file, such as a pipe. */
async function write(file: string, page: string): Promise<void> {
  try {
    const target = await realpath(file).catch(() => file);
    const stats = await stat(target).catch(() => undefined);
    if (stats && !stats.isFile()) await writeFile(target, page);
    else await writeWhole(target, page, { mode: stats ? stats.mode & 0o777 : 0o644 });
  } catch (error) {
    throw new Fault("invalid_argument", `${file} could not be written (${errorCode(error) ?? String(error)}).`, [
      "name another file with --html",
    ]);
  }
}

/** Opens a file in the browser, passing its name as an argument, so that no shell interprets it. */
function show(file: string, scratch: string, { opener, environment }: Desktop): void {
  const program = { command: opener.command, args: [...opener.args, file] };
  const pid = startDetached(program, { directory: scratch, environment, log: join(scratch, "open.log") });
  if (pid === undefined) console.error(`${opener.command} was not found: open the file in a browser yourself.`);
}
