import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { withLibrary } from "../../src/engines/minizinc/library/index.ts";
import type { Answer, Status } from "../../src/engines/minizinc/read.ts";
import { readFlatZinc } from "../../src/evidence/flatzinc/trust.ts";
import { type Decision, decisionOf } from "../../src/evidence/minizinc/decide.ts";
import type { Reply } from "../../src/evidence/minizinc/question.ts";
import { removeDirectory } from "./directories.ts";
import type { Assignment, RandomModel } from "./random_minizinc.ts";

/**
 * Random models many at a time: a batch is compiled at once, which is most of the work of a small model, its FlatZinc
 * is taken apart into the models again, and each is solved by itself. What is measured is the solver's own word on
 * each model and what `decide` makes of it, without Z3 and without another solver.
 */

/** What runs the two steps of a solver. */
export interface Driver {
  readonly solver: string;
  compile(source: string): Promise<{ readonly flatzinc: string | undefined; readonly lines: readonly string[] }>;
  solve(flatzinc: string, all: boolean): Promise<{ readonly code: number; readonly lines: readonly string[] }>;
  close(): void;
}

const time_ms = 20_000;

/** What flatzinc_host.mjs writes behind each answer. */
const line_end = " end";

interface HostReply {
  readonly code: number;
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly files: Readonly<Record<string, string | null>>;
}

/** The embedded build. */
export function embeddedDriver(solver: string): Driver {
  const host = fileURLToPath(new URL("flatzinc_host.mjs", import.meta.url));
  let child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  let answers: AsyncIterator<string> | undefined;
  const ask = async (job: object): Promise<HostReply> => {
    child ??= spawn(process.execPath, [host], { stdio: ["pipe", "pipe", "inherit"] });
    answers ??= createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify(job)}\n`);
    // Chuffed looks at its limit of time only now and then.
    const slow = setTimeout(() => child?.kill("SIGKILL"), 3 * time_ms);
    const { value, done } = await answers.next();
    clearTimeout(slow);
    // A host that is killed while it writes leaves the beginning of a line.
    if (done !== true && value.endsWith(line_end)) return JSON.parse(value.slice(0, -line_end.length));
    child = undefined;
    answers = undefined;
    return { code: -1, lines: [], stderr: "died", files: {} };
  };
  return {
    solver,
    async compile(source) {
      const args = ["--solver", solver, "--compile", "--fzn", "model.fzn", "model.mzn"];
      const reply = await ask(withLibrary({ files: { "model.mzn": source }, args, keeps: ["model.fzn"] }));
      return { flatzinc: reply.files["model.fzn"] ?? undefined, lines: reply.lines };
    },
    async solve(flatzinc, all) {
      const many = all ? ["-n", "100000"] : ["--intermediate"];
      const args = ["--solver", solver, ...many, "--time-limit", String(time_ms), "model.fzn"];
      return ask({ is_flatzinc: true, files: { "model.fzn": flatzinc }, args, keeps: [] });
    },
    close: () => child?.stdin.end(),
  };
}

/** A native MiniZinc with Gecode's own program; its lines are made those of the JSON stream. */
export function nativeDriver(minizinc: string, library: readonly string[]): Driver {
  const directory = mkdtempSync(join(tmpdir(), "verdict-batch-"));
  const [model, fzn] = [join(directory, "model.mzn"), join(directory, "model.fzn")];
  return {
    solver: "gecode",
    async compile(source) {
      writeFileSync(model, source);
      rmSync(fzn, { force: true });
      const args = ["--json-stream", "--solver", "gecode", ...library, "--compile", "--fzn", fzn, model];
      const { stdout } = spawnSync(minizinc, args, { encoding: "utf8", maxBuffer: 1e8 });
      const lines = stdout.split("\n");
      try {
        return { flatzinc: readFileSync(fzn, "utf8"), lines };
      } catch {
        return { flatzinc: undefined, lines };
      }
    },
    async solve(flatzinc, all) {
      writeFileSync(fzn, flatzinc);
      const { stdout, status } = spawnSync("fzn-gecode", ["-a", "-time", String(time_ms), fzn], {
        encoding: "utf8",
        maxBuffer: 1e8,
      });
      const parts = stdout.split("----------\n");
      const rest = parts.pop() ?? "";
      const solutions = parts.map((dzn) => JSON.stringify({ type: "solution", output: { dzn } }));
      const ended = rest.includes("==========") ? (all || !/solve satisfy/.test(flatzinc) ? "ALL_SOLUTIONS" : "") : "";
      const word = rest.includes("=====UNSATISFIABLE=====") ? "UNSATISFIABLE" : ended;
      const best = word === "ALL_SOLUTIONS" && !all ? "OPTIMAL_SOLUTION" : word;
      return { code: status ?? -1, lines: [...solutions, JSON.stringify({ type: "status", status: best })] };
    },
    close: () => removeDirectory(directory),
  };
}

/** The Gecode program of a native MiniZinc. */
export function hasNativeGecode(): boolean {
  try {
    execFileSync("fzn-gecode", ["--help"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The result of a run for one model. */
export interface Word {
  readonly model: RandomModel;
  readonly flatzinc: string;
  readonly reply: Reply;
  /** Undefined where the solver crashed or refused. */
  readonly decision: Decision | undefined;
  readonly values: readonly Assignment[];
}

/** Solves models in one batch; those that can't be distinguished afterwards are returned in `left`. */
export async function solveBatch(
  driver: Driver,
  models: readonly RandomModel[],
): Promise<{ readonly words: readonly Word[]; readonly left: readonly RandomModel[] }> {
  const sources = models.map((model, i) => renamed(model, `m${i}_`));
  const { flatzinc, lines } = await driver.compile(['include "globals.mzn";', ...sources, "solve satisfy;"].join("\n"));
  const alone = flatzinc?.replaceAll(/^(?:%.*|solve .*)\n/gm, "");
  const parts =
    flatzinc === undefined ? undefined : models.length === 1 ? [alone] : takenApart(flatzinc, models.length);
  if (!parts) return { words: [], left: models };
  const words: Word[] = [];
  const left: RandomModel[] = [];
  for (const [i, model] of models.entries()) {
    const part = parts[i];
    if (part === undefined) left.push(model);
    else words.push(await wordOn(driver, model, part, i, lines));
  }
  return { words, left };
}

/** A model in one line, its variables with a prefix, its objective in a variable. */
function renamed({ names, declarations, constraints, goal, objective, objective_type }: RandomModel, prefix: string) {
  const goal_items = goal === "satisfy" ? [] : [`var ${objective_type}: goal;`, `constraint goal = (${objective});`];
  const text = [...declarations, ...constraints.map((each) => `constraint ${each};`), ...goal_items].join(" ");
  const pattern = new RegExp(`\\b(?:${[...names, "goal"].join("|")})\\b`, "g");
  return text.replaceAll(pattern, (name) => prefix + name);
}

const identifier = /\b[A-Za-z_]\w*\b/g;

/** The FlatZinc of each model of a batch; undefined for those that share a variable. */
function takenApart(flatzinc: string, count: number): (string | undefined)[] | undefined {
  const lines = flatzinc.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("%"));
  const parent = new Map<string, string>();
  const constants = new Map<string, string>();
  for (const line of lines) {
    const name = /^(?:var|array).*?:\s*(\w+)\s*(?:::|=|;)/.exec(line)?.[1];
    if (name === undefined) continue;
    if (/^array \[[^\]]*\] of (?!var)/.test(line)) constants.set(name, line);
    else parent.set(name, name);
  }
  const rootOf = (name: string): string => {
    const up = parent.get(name) ?? name;
    return up === name ? name : rootOf(up);
  };
  const inLine = lines.map((line) => (line.startsWith("predicate") ? [] : (line.match(identifier) ?? [])));
  for (const words of inLine) {
    const [first, ...others] = words.filter((word) => parent.has(word));
    for (const other of others) if (first !== undefined) parent.set(rootOf(other), rootOf(first));
  }
  const owner = new Map<string, Set<number>>();
  for (const name of parent.keys()) {
    const own = /^m(\d+)_/.exec(name)?.[1];
    if (own === undefined) continue;
    owner.set(rootOf(name), (owner.get(rootOf(name)) ?? new Set()).add(Number(own)));
  }
  const predicates = lines.filter((line) => line.startsWith("predicate"));
  const parts = Array.from({ length: count }, () => ({
    lines: [...predicates],
    used: new Set<string>(),
    mixed: false,
  }));
  for (const [i, line] of lines.entries()) {
    if (/^(?:predicate|solve)/.test(line)) continue;
    const name = inLine[i]?.find((word) => parent.has(word));
    if (name === undefined && line.startsWith("constraint")) return undefined;
    if (name === undefined) continue;
    const owners = owner.get(rootOf(name)) ?? new Set();
    if (owners.size === 0 && line.startsWith("constraint")) return undefined;
    for (const each of owners) {
      const part = parts[each];
      if (!part) continue;
      part.mixed ||= owners.size > 1;
      for (const word of inLine[i] ?? []) if (constants.has(word)) part.used.add(word);
      part.lines.push(line);
    }
  }
  return parts.map(({ lines, used, mixed }) => {
    if (mixed) return undefined;
    const shared = [...used].flatMap((name) => constants.get(name) ?? []);
    const kind = (line: string) =>
      ["predicate", "array_of_constants", "var", "array", "constraint"].indexOf(wordOf(line));
    return [
      ...lines.filter((l) => kind(l) === 0),
      ...shared,
      ...["var", "array", "constraint"].flatMap((word) => lines.filter((l) => wordOf(l) === word)),
    ].join("\n");
  });
}

function wordOf(line: string): string {
  return /^\w+/.exec(line)?.[0] ?? "";
}

async function wordOn(
  driver: Driver,
  model: RandomModel,
  part: string,
  i: number,
  compiling: readonly string[],
): Promise<Word> {
  const goal = model.goal === "satisfy" ? "solve satisfy;" : `solve ${model.goal} m${i}_goal;`;
  const flatzinc = `${part}\n${goal}\n`;
  const all = model.goal === "satisfy" && /gecode|chuffed/.test(driver.solver);
  const { code, lines } = await driver.solve(flatzinc, all);
  const solutions = lines.flatMap((line) => solutionIn(line, `m${i}_`));
  const distinct = [...new Map(solutions.map((each) => [JSON.stringify(each.values), each])).values()];
  const answer: Answer = {
    status: statusIn(lines),
    solutions: distinct.slice(all ? 0 : -1).map(({ values, objective }) => ({ values, objective, text: "" })),
    statistics: {},
    warnings: warningsAt(compiling, i + 2),
    errors: [],
    traces: [],
  };
  const question = {
    source: model.items.join("\n"),
    data: [],
    solver: driver.solver,
    time_ms,
    ...(all && { solutions_max: 100_000 }),
  };
  const end = { ending: { kind: "exited", code } as const, stderr: "", kept_files: {} };
  const compiled = readFlatZinc(flatzinc) ?? "unreadable";
  const reply: Reply = { question, answer, solutions_seen: distinct.length, end, compiled, ms: 0 };
  return { model, flatzinc, reply, decision: decisionOf(reply), values: distinct.map(({ encoded }) => encoded) };
}

function statusIn(lines: readonly string[]): Status | undefined {
  const status_match = lines
    .map((line) => /"type": ?"status", "?status": ?"(\w+)"|"status":"(\w+)"/.exec(line))
    .findLast(Boolean);
  const word =
    status_match?.[1] ?? status_match?.[2] ?? (lines.includes("=====UNSATISFIABLE=====") ? "UNSATISFIABLE" : undefined);
  return words.find((each) => each === word);
}

const words = ["ALL_SOLUTIONS", "OPTIMAL_SOLUTION", "UNSATISFIABLE", "SATISFIED", "UNKNOWN", "ERROR"] as const;

interface Found {
  readonly values: Readonly<Record<string, unknown>>;
  readonly encoded: Assignment;
  readonly objective: unknown;
}

/** A solution in a line of the JSON stream, with the names of the model. */
function solutionIn(line: string, prefix: string): Found[] {
  if (!line.startsWith('{"type": "solution"') && !line.startsWith('{"type":"solution"')) return [];
  const { output }: { readonly output: { readonly dzn: string } } = JSON.parse(line);
  const own = output.dzn.split("\n").flatMap((each) => {
    const [, name, text] = /^(\w+) = (.*);$/.exec(each) ?? [];
    return name?.startsWith(prefix) && text !== undefined ? [[name.slice(prefix.length), text] as const] : [];
  });
  const encoded_all = own.map(([name, text]) => [name, encode(text)] as const);
  const goal = encoded_all.find(([name]) => name === "goal")?.[1];
  const encoded = Object.fromEntries(encoded_all.filter(([name]) => name !== "goal"));
  const values = Object.fromEntries(own.map(([name, text]) => [prefix + name, plain(text)]));
  return [{ values, encoded, objective: goal }];
}

/** A set is the sum of the powers of two of its elements, a truth value 0 or 1. */
function encode(text: string): number {
  const set = setIn(text);
  if (set) return set.reduce((sum, each) => sum + 2 ** each, 0);
  return text === "true" ? 1 : text === "false" ? 0 : Number(text);
}

function plain(text: string): unknown {
  const set = setIn(text);
  if (set) return { set };
  return text === "true" || text === "false" ? text === "true" : Number(text);
}

function setIn(text: string): number[] | undefined {
  const [, low, high] = /^(-?\d+)\.\.(-?\d+)$/.exec(text) ?? [];
  if (low !== undefined)
    return Array.from({ length: Math.max(0, Number(high) - Number(low) + 1) }, (_, i) => Number(low) + i);
  const [, list] = /^\{(.*)\}$/.exec(text) ?? [];
  return list === undefined ? undefined : list.split(",").flatMap((each) => (each.trim() === "" ? [] : [Number(each)]));
}

/** The warnings about one line of a batch. */
function warningsAt(lines: readonly string[], at: number): Answer["warnings"] {
  return lines.flatMap((line) => {
    if (!line.startsWith('{"type": "warning"')) return [];
    const { message, location, stack = [] } = JSON.parse(line);
    const places = [location, ...stack.map((each: { location: unknown }) => each.location).reverse()].flatMap((each) =>
      each?.filename
        ? [{ file: each.filename.replace(/^.*\//, ""), line: each.firstLine, column: each.firstColumn }]
        : [],
    );
    const is_own = places.some(({ file, line: its }) => file === "model.mzn" && its === at);
    return is_own ? [{ what: "warning", message: message.trim(), places }] : [];
  });
}
