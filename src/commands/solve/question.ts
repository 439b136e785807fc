import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { text as readStream } from "node:stream/consumers";
import { Fault } from "../../kernel/fault.ts";
import { isChecker, noChecker } from "../../tools/model/checker/item.ts";
import type { Source } from "../../viewer/sources.ts";
import { View } from "../../viewer/view.ts";
import { languageOf, smtlib } from "./language.ts";
import { solve_limits } from "./limits.ts";

/** The flags of `verdict solve` that define the question. */
export interface QuestionFlags {
  readonly language?: string;
  /** Data files, or the data itself as JSON. */
  readonly data?: readonly string[];
  /** The time limit in seconds. */
  readonly timeout?: string;
  readonly solver?: string;
  /** The number of solutions, or `all`. */
  readonly solutions?: string;
  readonly check?: boolean;
  readonly count?: boolean;
  readonly backbone?: boolean;
  readonly kBest?: string;
  readonly diverse?: string;
  readonly why?: boolean;
  /** A plan to change as little as possible, its weights, and what-if cases: JSON files, or JSON itself. */
  readonly keep?: string;
  readonly weights?: string;
  readonly whatIf?: string;
  /** A Python file with the rules that the values must not violate. */
  readonly checker?: string;
  /** What the values mean, as JSON, for the solution page. */
  readonly view?: string;
}

/** A tool call built from files. */
export interface FileQuestion {
  readonly tool: "solve" | "solve_smtlib";
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly language: string;
  /** Files that the tool reads as data. */
  readonly tables: readonly string[];
  /** The data, by parameter name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The text of each item, with the file that it comes from. */
  readonly files: readonly Source[];
}

/** Reads a model and its data, and builds the tool call. Raises `invalid_argument`. */
export async function readQuestion(file: string, flags: QuestionFlags): Promise<FileQuestion> {
  const source = await readSource(file);
  const text = extname(file).toLowerCase() === ".fzn" ? flatZincAsModel(source) : source;
  const model = { name: file === "-" ? "stdin" : file, text };
  const language = languageOf(file, model.text, flags.language);
  const timeout_ms = Math.round(number("--timeout", flags.timeout ?? String(solve_limits.solve_s_default)) * 1000);
  if (language === smtlib) return { ...smtlibQuestion(model, flags, timeout_ms), language };
  const { parts, values } = await readData(language, flags.data ?? []);
  const files = [model, ...parts, ...(await readChecker(flags.checker))];
  const args = {
    items: files.map(({ text }) => text),
    language,
    timeout_ms,
    ...values,
    ...modelOptions(language, flags),
    ...(await readPlans(flags, values.data)),
  };
  const tables = values.data_files ?? [];
  return { tool: "solve", arguments: args, language, files, tables, parameters: values.data ?? {} };
}

function smtlibQuestion(model: Source, flags: QuestionFlags, timeout_ms: number): Omit<FileQuestion, "language"> {
  const { data, solver, solutions, check, count, backbone, kBest, diverse, why, checker, keep, weights, whatIf } =
    flags;
  const foreign = Object.entries({
    data: data?.length ? data : undefined,
    solutions,
    count,
    backbone,
    kBest,
    diverse,
    checker,
    keep,
    weights,
    whatIf,
  }).filter(([, value]) => value !== undefined);
  if (foreign.length > 0)
    throw new Fault(
      "invalid_argument",
      `An SMT-LIB script does not accept ${foreign.map(([name]) => flagName(name)).join(", ")}.`,
      ["omit them: a script accepts --timeout, --solver, --check and --why"],
    );
  const engine = check === true ? "all" : solver;
  const args = {
    smtlib: model.text,
    timeout_ms,
    ...(engine !== undefined && { engine }),
    ...(why && { explain_unsat: why }),
  };
  return { tool: "solve_smtlib", arguments: args, files: [model], tables: [], parameters: {} };
}

function modelOptions(language: string, flags: QuestionFlags): Readonly<Record<string, unknown>> {
  const { solver, solutions, check, count, backbone, kBest, diverse, why } = flags;
  return {
    ...(solver !== undefined && { solver }),
    ...(solutions !== undefined && solutionOptions(language, solutions)),
    ...(check && { check }),
    ...(count && { count }),
    ...(backbone && { backbone }),
    ...(kBest !== undefined && { k_best: number("--k-best", kBest) }),
    ...(diverse !== undefined && { diverse: number("--diverse", diverse) }),
    ...(why && { why }),
  };
}

/** Reads the plan to keep, as data under a name that no model uses, as well as its weights and the what-if cases. */
async function readPlans({ keep, weights, whatIf }: QuestionFlags, data: Data["values"]["data"]) {
  const read = async (flag: string, given: string) =>
    /^\s*\{/.test(given) ? objectOf(flag, given) : objectOf(given, await readSource(given));
  return {
    ...(keep !== undefined && { keep: "--keep", data: { ...data, "--keep": await read("--keep", keep) } }),
    ...(weights !== undefined && { weights: await read("--weights", weights) }),
    ...(whatIf !== undefined && { what_if: await read("--what-if", whatIf) }),
  };
}

/** Reads the checker as an additional item, if there is one. Raises `invalid_argument`. */
async function readChecker(name: string | undefined): Promise<Source[]> {
  if (name === undefined) return [];
  const text = await readSource(name);
  if (!isChecker(text)) throw noChecker();
  return [{ name, text }];
}

function solutionOptions(language: string, wanted: string): Readonly<Record<string, unknown>> {
  if (wanted === "all") return { all_solutions: true };
  return { [language === "asp" ? "max_models" : "max_solutions"]: number("--solutions", wanted, "a number or all") };
}

interface Data {
  /** Data in the model's own language, which becomes part of the model. */
  readonly parts: readonly Source[];
  readonly values: {
    readonly data?: Readonly<Record<string, unknown>>;
    /** Files read by the tool. */
    readonly data_files?: readonly string[];
  };
}

/**
 * Reads data from JSON itself or from files. A JSON file provides values by name, a table provides its rows, and other
 * files are assignments or facts in the model's own language.
 */
async function readData(language: string, files: readonly string[]): Promise<Data> {
  const parts: Source[] = [];
  const tables: string[] = [];
  let data: Readonly<Record<string, unknown>> | undefined;
  for (const name of files) {
    const ending = extname(name).toLowerCase();
    if (/^\s*\{/.test(name)) data = { ...data, ...objectOf("--data", name) };
    else if (ending === ".json") data = { ...data, ...objectOf(name, await readSource(name)) };
    else if (own_data[language]?.includes(ending)) parts.push({ name, text: await readSource(name) });
    else if (tabular.includes(ending)) tables.push(resolve(name));
    else throw notData(language, name);
  }
  return { parts, values: { ...(data && { data }), ...(tables.length > 0 && { data_files: tables }) } };
}

const tabular: readonly string[] = [".csv", ".tsv", ".xlsx", ".xlsm"];
const own_data: Readonly<Record<string, readonly string[]>> = { minizinc: [".dzn", ".mzn"], asp: [".lp", ".asp"] };

/** Parses the description of the values from JSON. Raises `invalid_argument`. */
export function readView(text: string | undefined): View | undefined {
  if (text === undefined) return undefined;
  const read = View.safeParse(parse("--view", text));
  if (read.success) return read.data;
  const why = [...new Set(read.error.issues.map(({ message }) => message))].join(" ");
  throw new Fault("invalid_argument", `--view can't be used: ${why}`, [
    `write, for example, --view '{"kind": "gantt", "start": "s", "duration": "d"}'`,
    "docs/viewer.md lists the kinds and their fields",
  ]);
}

function notData(language: string, name: string): Fault {
  const own = own_data[language] ?? [];
  return new Fault("invalid_argument", `${name} can't be used as data for a model in ${language}.`, [
    `${language} takes ${[...tabular, ".json", ...own].join(", ")}`,
  ]);
}

function objectOf(name: string, text: string): Readonly<Record<string, unknown>> {
  const value = parse(name, text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Fault("invalid_argument", `${name} is not an object of parameters.`, [
    'write the values by name, such as {"n": 8, "cost": [3, 1, 2]}',
  ]);
}

/** Parses a JSON value. Raises `invalid_argument` with the name of its file. */
export function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("invalid_argument", `${name} is not JSON: ${why}.`, ["correct the JSON, and try again"]);
  }
}

/** Reads a text file, or standard input for `-`. Raises `invalid_argument`. */
export async function readSource(file: string): Promise<string> {
  if (file === "-") return readStream(process.stdin);
  try {
    const { size } = await stat(file);
    if (size > solve_limits.source_bytes_max) throw tooLong(file);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Fault) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Fault("invalid_argument", `${file} could not be read (${code}).`, ["check the path"]);
  }
}

function tooLong(file: string): Fault {
  const megabytes = solve_limits.source_bytes_max / 1024 / 1024;
  return new Fault("invalid_argument", `${file} is longer than ${megabytes} MB.`, ["give a smaller file"]);
}

function number(flag: string, text: string, wants = "a number above 0"): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Fault("invalid_argument", `${flag} takes ${wants}. Given: ${text}.`, [`write for instance ${flag} 10`]);
}

function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A variable declaration up to its name, and the rest of its line. */
const declaration = /^([ \t]*(?:var\b|array[ \t]*\[[^\]\n]*\][ \t]*of[ \t]+var\b)[^:;\n]*:[ \t]*\w+)([^;\n]*)/gm;

/**
 * Converts FlatZinc to a MiniZinc model, which has a predicate for each FlatZinc constraint; only the variables marked
 * for output are shown. Line numbers are preserved.
 */
export function flatZincAsModel(text: string): string {
  return text.replaceAll(declaration, (_whole, named: string, rest: string) => {
    const is_shown = /::\s*output_(?:var|array)\b/.test(rest);
    return `${named} :: ${is_shown ? "add_to_output" : "no_output"}${rest}`;
  });
}
