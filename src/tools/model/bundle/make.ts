import { strToU8, zipSync } from "fflate";
import { version } from "../../../version.ts";
import { endingOf } from "../../written_in.ts";
import { isChecker } from "../checker/item.ts";
import type { Plain } from "../language.ts";
import { shown_languages } from "../languages/shown.ts";
import { factsOf, factsShown } from "./facts.ts";
import { type BundleForm, type BundleRecord, Options, record_file, sha256, solved_form } from "./record.ts";

/** A question and its answer, with everything needed to ask again. */
export interface Decided {
  readonly tool: BundleRecord["tool"];
  readonly language: string;
  readonly items: readonly string[];
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly plain: Plain;
  /** The files named by the user, with their SHA-256. */
  readonly sources: BundleRecord["sources"];
  /** A certificate's files, by name. */
  readonly certificate: Readonly<Record<string, Uint8Array>>;
}

export type Files = ReadonlyMap<string, Uint8Array>;

/** Returns the file names of the items. The checker has its own name. */
export function namesOf(language: string, items: readonly string[]): string[] {
  return items.map((text, i) => {
    if (isChecker(text)) return "model/checker.py";
    const own = language === "smtlib" ? ".smt2" : shown_languages[language]?.endings?.[0];
    return `model/item_${i}${own ?? endingOf(text) ?? ".py"}`;
  });
}

/** Fields that can differ between runs without affecting the question. */
const passing = new Set(["solve_time", "statistics", "incumbents", "time_ms", "model_id", "values", "objective"]);

/** Returns the files of a bundle, sorted by name. The same question and answer always give the same bytes. */
export function bundleOf(decided: Decided): Files {
  const { tool, language, items, data, options, plain, sources, certificate } = decided;
  const answer = Object.fromEntries(Object.entries(decided.answer).filter(([name]) => !passing.has(name)));
  const names = namesOf(language, items);
  const texts: Record<string, string> = {
    ...Object.fromEntries(items.map((text, i) => [names[i] ?? "", text])),
    ...(data && { "data.json": `${JSON.stringify(data, null, 1)}\n` }),
    "answer.json": `${JSON.stringify(answer, null, 2)}\n`,
    ...plain.files,
    ...(plain.command !== null && !("run.py" in plain.files) && { "run.sh": shellScript(plain.command) }),
    "README.md": readme(decided, answer),
  };
  const certified = Object.entries(certificate).map(([name, bytes]) => [`certificate/${name}`, bytes]);
  return filesOf({ ...texts, ...Object.fromEntries(certified) }, solved_form, {
    format: "verdict bundle, version 1",
    tool,
    language,
    items: names,
    data: data ? "data.json" : null,
    options: Options.strip().parse(options),
    answer: "answer.json",
    command: plain.command,
    needs: plain.needs,
    versions: versionsOf(decided),
    sources,
  });
}

/** Returns the files sorted by name, preceded by the record that lists them. */
export function filesOf<Content>(
  contents: Readonly<Record<string, string | Uint8Array>>,
  { schema }: BundleForm<Content>,
  record: Readonly<Record<string, unknown>>,
): Files {
  const files = Object.entries(contents)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => [name, typeof text === "string" ? strToU8(text) : text] as const);
  const sizes = files.map(([name, bytes]) => [name, { bytes: bytes.length, sha256: sha256(bytes) }]);
  const whole = schema.parse({ ...record, files: Object.fromEntries(sizes) });
  return new Map([[record_file, strToU8(`${JSON.stringify(whole, null, 2)}\n`)], ...files]);
}

/**
 * Returns the versions of Verdict, of the engine that answered, and of the engines and packages that are used without
 * Verdict.
 */
export function versionsOf({ answer, plain }: Pick<Decided, "answer" | "plain">): Record<string, string> {
  return { verdict: version, engine: String(answer["engine"]), ...plain.versions };
}

/** Packs the files into a ZIP, all with the format's earliest timestamp. */
export function zipped(files: Files): Uint8Array {
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1), level: 6 });
}

function shellScript(command: string): string {
  return `#!/bin/sh\n# Decides the question in this folder without Verdict.\ncd "$(dirname "$0")" && ${command}\n`;
}

function readme({ language, items, data, plain }: Decided, answer: Readonly<Record<string, unknown>>): string {
  const script = plain.command === null ? undefined : "run.py" in plain.files ? "python run.py" : "sh run.sh";
  const same = script
    ? `Without Verdict: \`${script}\` (needs ${plain.needs}). It returns the same status and objective; the values can differ.`
    : `Without Verdict: no script (${plain.needs}).`;
  return [
    "# A question and its answer, kept by Verdict",
    "",
    `The question: model/ (${language}, ${items.length === 1 ? "1 item" : `${items.length} items`})${data ? ", and data.json" : ""}.`,
    `The answer: ${factsShown(factsOf(answer))}, by ${String(answer["engine"])}. answer.json has the full answer.`,
    "To check whether it still holds, run `verdict rerun` on this folder or its ZIP. That runs the model in Verdict's sandbox.",
    same,
    "The script runs the model's own text with your permissions: read model/ before you run it, unless you trust its author.",
    "bundle.json lists options, versions, and the SHA-256 of each file.",
    "",
  ].join("\n");
}
