import { isDeepStrictEqual } from "node:util";
import * as z from "zod/v4";
import type { Config } from "../../config.ts";
import { Fault } from "../../kernel/fault.ts";
import {
  type Compared,
  compared,
  type Facts,
  factsOf,
  type Kept,
  needsWorse,
  withValues,
} from "../../tools/model/bundle/facts.ts";
import { bundle_limits } from "../../tools/model/bundle/limits.ts";
import { versionsOf } from "../../tools/model/bundle/make.ts";
import { type Bundle as AnyBundle, type ChangedFile, readBundle } from "../../tools/model/bundle/read.ts";
import { type BundleRecord, solved_form } from "../../tools/model/bundle/record.ts";
import { tellAnyFault } from "../solve/index.ts";
import { type Session, withSession } from "../solve/session.ts";
import { plainOf } from "./plain.ts";

type Bundle = AnyBundle<BundleRecord>;

export interface RerunFlags {
  /** The time limit in seconds. */
  readonly timeout?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Exit codes of `verdict rerun`, in addition to those of every command. */
const rerun_codes = { holds: 0, differs: 1, undecided: 3, changed: 4 } as const;

interface Report extends Compared {
  readonly bundle_sha256: string;
  readonly changed_files: readonly ChangedFile[];
  readonly versions: readonly { readonly name: string; readonly recorded: string; readonly now: string }[];
}

/** Asks a bundle's question again, and prints whether its answer still holds. Returns the exit code. */
export async function rerun(config: Config, path: string, flags: RerunFlags): Promise<number> {
  try {
    const bundle = await readBundle(path, solved_form);
    const report = await reportOf(config, bundle, flags);
    console.log(flags.json ? JSON.stringify(report, null, 2) : shown(report));
    return codeOf(report);
  } catch (thrown) {
    return tellAnyFault(thrown, flags.json ?? false, []);
  }
}

function codeOf({ holds, changed_files }: Report): number {
  if (holds === false) return rerun_codes.differs;
  if (changed_files.length > 0) return rerun_codes.changed;
  return holds ? rerun_codes.holds : rerun_codes.undecided;
}

async function reportOf(config: Config, bundle: Bundle, flags: RerunFlags): Promise<Report> {
  const { record, changed, sha256: bundle_sha256 } = bundle;
  const about = { bundle_sha256, changed_files: changed };
  const own = solved_form.own(record);
  const lost = changed.find(({ file }) => own.includes(file));
  if (lost) {
    const message = `Not asked again: ${lost.file} is ${lost.how}, so this is a different question or answer.`;
    return { ...about, holds: null, message, versions: [] };
  }
  const was = factsIn(jsonOf(bundle, record.answer));
  return withSession(config, { quiet: flags.quiet }, async (session) => {
    const { answer, versions } = await again(session, bundle, flags);
    const comparison = await comparedWhole(session, was, factsOf(answer), { bundle, flags });
    return { ...about, ...comparison, versions: differing(record.versions, versions) };
  });
}

/** Compares the facts of both answers first, and then their values. */
async function comparedWhole(session: Session, was: Facts, now: Facts, asked: Asked): Promise<Compared> {
  const whole = compared(was, now);
  if (whole.holds !== true || was.values === undefined) return whole;
  const kept = isDeepStrictEqual(was.values, now.values) ? undefined : await keptIn(session, was.values, asked);
  const is_open = !isDeepStrictEqual(was.objective, now.objective) && needsWorse(was, now, kept);
  return withValues(whole, was, now, { kept, worse: is_open ? await worseIn(session, now, asked) : undefined });
}

interface Asked {
  readonly bundle: Bundle;
  readonly flags: RerunFlags;
}

/** The fields of `check_plan`'s answer that are used here. */
const Plan = z.looseObject({
  status: z.string(),
  message: z.string(),
  values: z.unknown(),
  objective: z.unknown(),
  not_compared: z.array(z.string()),
  checker: z.looseObject({ status: z.string(), checked: z.int() }).optional(),
});

/** Whether the model that was just solved still allows the bundle's values. Raises `cancelled`. */
async function keptIn(session: Session, values: Facts["values"], { bundle, flags }: Asked): Promise<Kept> {
  const { tool, options } = bundle.record;
  if (tool !== "solve") return { is_possible: null, why: "a script can't be given values" };
  const { timeout_ms } = { ...options, ...timeoutOf(flags) };
  const args = { values, ...(timeout_ms !== undefined && { timeout_ms }) };
  try {
    const { structured } = await session.ask({ tool: "check_plan", arguments: args });
    const { status, message, values: completed, checker, ...others } = Plan.parse(structured);
    // A plan that violates only the checker's rules is completed as well.
    const is_possible = status === "unknown" ? null : completed !== null;
    return { ...others, completed, is_possible, why: message.replace(/\.$/, ""), ...(checker && { checker }) };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "cancelled") throw thrown;
    return { is_possible: null, why: thrown.message.replace(/\.$/, "") };
  }
}

const Ranked = z.looseObject({ k_best: z.looseObject({ objectives: z.array(z.unknown()) }) });

/** The first worse objective in a ranking of the best solutions; undefined if it contains none. */
async function worseIn(session: Session, { objective }: Facts, { bundle, flags }: Asked): Promise<unknown> {
  const { tool, options } = bundle.record;
  if (tool !== "solve") return undefined;
  const { timeout_ms } = { ...options, ...timeoutOf(flags) };
  const args = { k_best: ranked_max, ...(timeout_ms !== undefined && { timeout_ms }) };
  try {
    const { structured } = await session.ask({ tool: "solve_model", arguments: args });
    return Ranked.safeParse(structured).data?.k_best.objectives.find((each) => each !== objective);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "cancelled") throw thrown;
    return undefined;
  }
}

const ranked_max = 10;

function timeoutOf({ timeout }: RerunFlags): { readonly timeout_ms?: number } {
  return timeout === undefined ? {} : { timeout_ms: milliseconds(timeout) };
}

async function again(session: Session, bundle: Bundle, flags: RerunFlags) {
  const { record } = bundle;
  const { tool, language, options } = record;
  const items = record.items.map((name) => textOf(bundle, name));
  const data = record.data === null ? undefined : z.record(z.string(), z.unknown()).parse(jsonOf(bundle, record.data));
  const timed = { ...options, ...timeoutOf(flags) };
  const args =
    tool === "solve_smtlib"
      ? { smtlib: items.join("\n"), ...timed }
      : { items, language, ...timed, ...(data && { data }) };
  const { structured: answer } = await session.ask({ tool, arguments: args });
  const plain = await plainOf(session, { language, items, options, data, answer });
  return { answer, versions: versionsOf({ answer, plain }) };
}

export function milliseconds(seconds: string): number {
  const value = Number(seconds) * 1000;
  if (value > 0 && Number.isFinite(value)) return Math.round(value);
  throw new Fault("invalid_argument", `--timeout takes a number above 0. Given: ${seconds}.`, [
    "write, for example, --timeout 10",
  ]);
}

/** Raises `input_rejected` for an answer that `verdict bundle` did not write. */
function factsIn(answer: unknown) {
  try {
    return factsOf(answer);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new Fault("input_rejected", "answer.json does not have the form of an answer.", [
      "ask its sender for the bundle exactly as Verdict wrote it",
    ]);
  }
}

export function textOf({ contents }: Pick<Bundle, "contents">, name: string): string {
  return new TextDecoder().decode(contents.get(name));
}

function jsonOf(bundle: Bundle, name: string): unknown {
  try {
    return JSON.parse(textOf(bundle, name));
  } catch {
    throw new Fault("input_rejected", `${name} is not JSON.`, [
      "ask its sender for the bundle exactly as Verdict wrote it",
    ]);
  }
}

function differing(recorded: BundleRecord["versions"], now: Readonly<Record<string, string>>): Report["versions"] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  return names
    .map((name) => ({ name, recorded: recorded[name] ?? "none", now: now[name] ?? "none" }))
    .filter((each) => each.recorded !== each.now);
}

function shown({ message, changed_files, versions, bundle_sha256 }: Report): string {
  const { shown_max } = bundle_limits;
  return [
    message,
    ...changed_files.slice(0, shown_max).map(({ file, how }) => `File ${how}: ${file}`),
    ...(changed_files.length > shown_max ? [`and ${changed_files.length - shown_max} more files`] : []),
    ...versions
      .slice(0, shown_max)
      .map(({ name, recorded, now }) => `Version of ${name}: recorded ${recorded}, now ${now}`),
    `SHA-256 of bundle.json: ${bundle_sha256}`,
  ].join("\n");
}
