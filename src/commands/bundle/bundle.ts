import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import type { Answer, Question } from "../../kernel/tool.ts";
import { bundleOf, type Decided, type Files } from "../../tools/model/bundle/make.ts";
import { record_file, sha256 } from "../../tools/model/bundle/record.ts";
import { expectFree, writeBundle } from "../../tools/model/bundle/write.ts";
import type { Source } from "../../viewer/sources.ts";
import { tellAnyFault } from "../solve/index.ts";
import { type FileQuestion, type QuestionFlags, readQuestion } from "../solve/question.ts";
import { type Session, withSession } from "../solve/session.ts";
import { exitCodeOf, shownInFiles } from "../solve/shown.ts";
import { plainOf } from "./plain.ts";

export interface BundleFlags extends QuestionFlags {
  /** The output: a new folder or a new ZIP file. */
  readonly out: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Solves the model in a file, and writes the question, the answer, and a script that reproduces the answer without
 * Verdict. The exit codes are those of `verdict solve`.
 */
export async function bundle(config: Config, file: string, flags: BundleFlags): Promise<number> {
  let files: readonly Source[] = [];
  const proofs = await mkdtemp(join(tmpdir(), "verdict-proofs-"));
  try {
    const question = await readQuestion(file, flags);
    files = question.files;
    const { tables } = question;
    const path = resolve(flags.out);
    const { overwrite = false } = flags;
    await expectFree(path, overwrite);
    const { answer, contents } = await withSession(
      { ...config, proofs_directory: proofs },
      { tables, quiet: flags.quiet },
      (session) => decided(session, question, flags, proofs),
    );
    await writeBundle(path, contents, overwrite);
    console.log(flags.json ? JSON.stringify(answer.structured, null, 2) : shownInFiles(answer.text, files));
    console.error(`The bundle is in ${path}, SHA-256 of ${record_file}: ${digestOf(contents)}`);
    return exitCodeOf(answer.structured);
  } catch (thrown) {
    return tellAnyFault(thrown, flags.json ?? false, files);
  } finally {
    await rm(proofs, { recursive: true, force: true });
  }
}

/** The hash that identifies a bundle: the hash of its file list, which contains the hashes of all other files. */
export function digestOf(contents: Files): string {
  return sha256(contents.get(record_file) ?? "");
}

/** The parts of a question other than its options. */
const Asked = z.looseObject({
  items: z.array(z.string()).optional(),
  smtlib: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

async function decided(
  session: Session,
  { tool, arguments: args, language, files, tables }: FileQuestion,
  flags: BundleFlags,
  proofs: string,
): Promise<{ readonly answer: Answer; readonly contents: Files }> {
  const question = await withValues(session, { tool, arguments: args });
  const { smtlib: script, items = [script ?? ""], data, language: _, ...options } = Asked.parse(question.arguments);
  const answer = await session.ask(question);
  const plain = await plainOf(session, { language, items, options, data, answer: answer.structured });
  const sources = await sourcesOf([...files.map(({ name }) => name), ...tables, ...(flags.data ?? [])]);
  const certificate = await certificateOf(answer.structured, proofs);
  const all: Decided = {
    ...{ tool, language, items, data, options, answer: answer.structured, plain, sources, certificate },
  };
  return { answer, contents: bundleOf(all) };
}

/** The question with its files replaced by their values. */
async function withValues({ tool, signal }: Session, question: Question): Promise<Question> {
  return (await tool(question.tool).question(question.arguments, { signal })) ?? question;
}

/** The hashes of the files named by the user; values given directly as JSON have none. */
async function sourcesOf(names: readonly string[]): Promise<Decided["sources"]> {
  const unique = [...new Set(names.filter((name) => !/^\s*\{|^(?:-|stdin)$/.test(name)).map((name) => resolve(name)))];
  return Promise.all(unique.map(async (path) => ({ name: basename(path), sha256: sha256(await readFile(path)) })));
}

const Certified = z.looseObject({ certificate: z.looseObject({ file: z.string().regex(/^[\w-]+$/) }) });

/** The files of an answer's certificate, if the answer has one. */
async function certificateOf(
  answer: Readonly<Record<string, unknown>>,
  directory: string,
): Promise<Record<string, Uint8Array>> {
  const read = Certified.safeParse(answer);
  if (!read.success) return {};
  const names = [".cnf", ".drat"].map((ending) => `${read.data.certificate.file}${ending}`);
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, new Uint8Array(await readFile(join(directory, name)))] as const),
    ),
  );
}
