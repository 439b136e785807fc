import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { linesOf } from "../../kernel/text/lines.ts";
import { languages } from "../languages.ts";
import { agent_limits } from "../limits.ts";

/** A problem in a folder: its text, and the program that judges answers to it. */
export interface Problem {
  readonly name: string;
  readonly language: (typeof languages)[number];
  readonly size: "small" | "medium" | "large";
  /** The problem's text, including the names that the answer's values must have. */
  readonly text: string;
  readonly checker: string;
}

const Head = z.object({
  language: z.enum(languages),
  size: z.enum(["small", "medium", "large"]),
  values: z.string().default(""),
});

/** Reads the problems in a folder: `NAME.md` with `NAME.check.mjs` or `NAME.check.py`. Raises `invalid_argument`. */
export async function readProblems(folder: string, only: string | undefined): Promise<readonly Problem[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    throw unusable(folder, error instanceof Error ? error.message : String(error));
  });
  const names = files
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .map((file) => basename(file, ".md"));
  const wanted = names.filter((name) => only === undefined || name.includes(only)).toSorted();
  if (wanted.length === 0) throw unusable(folder, "it has no problem with that name");
  return Promise.all(wanted.map((name) => readProblem(folder, name, files)));
}

async function readProblem(folder: string, name: string, files: readonly string[]): Promise<Problem> {
  const whole = await readFile(join(folder, `${name}.md`), "utf8");
  const [, head = "", words = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(whole.replaceAll("\r\n", "\n")) ?? [];
  const fields = linesOf(head).flatMap((line) =>
    [...line.matchAll(/^(\w+): (.*)$/g)].map(([, key, value]) => [key, value]),
  );
  const read = Head.safeParse(Object.fromEntries(fields));
  if (!read.success) throw unusable(folder, `${name}.md: ${z.prettifyError(read.error)}`);
  const checker = files.find((file) => file === `${name}.check.mjs` || file === `${name}.check.py`);
  if (checker === undefined) throw unusable(folder, `${name} has no checker`);
  const { language, size, values } = read.data;
  const asked_values = values === "" ? "" : `\n\nName the values of the answer: ${values}.`;
  const text = `${words.trim()}${asked_values}`;
  if (text.length > agent_limits.question_chars_max) throw unusable(folder, `${name}.md is too long`);
  return { name, language, size, text, checker: join(folder, checker) };
}

function unusable(folder: string, why: string): Fault {
  return new Fault("invalid_argument", `The problems in ${folder} can't be used: ${why}.`, [
    "name a folder with NAME.md and NAME.check.mjs or NAME.check.py for each problem: docs/agent.md shows one",
  ]);
}
