import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import type { Engines } from "../../engines/index.ts";
import { engine_limits } from "../../engines/limits.ts";
import { asking } from "../../engines/smt/second.ts";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import type { CallContext } from "../../kernel/tool.ts";
import { gateTools } from "../../tools/symbolic/index.ts";
import { version } from "../../version.ts";
import { tellFault, withEngines } from "../engines.ts";
import { watched } from "../waiting.ts";
import { OwnAnswers } from "./affected.ts";
import { AnswerCache, cacheContext } from "./cache.ts";
import { type Change, type Changed, changedFunctions } from "./changed.ts";
import { type Examining, examine, notExamined, out_of_time, overBudget } from "./examine.ts";
import { Git } from "./git.ts";
import { type Format, type GateFlags, type GateOptions, readOptions } from "./options.ts";
import { atOnce } from "./parallel.ts";
import { expectedNotes, hasPassed, isNamed, judged } from "./policy.ts";
import { Questions } from "./questions.ts";
import type { Report, Result } from "./report.ts";
import { githubReport } from "./reports/github.ts";
import { markdownReport } from "./reports/markdown.ts";
import { sarifReport } from "./reports/sarif.ts";
import { textReport } from "./reports/text.ts";

const renderers: Readonly<Record<Format, (report: Report) => string>> = {
  text: textReport,
  json: (report) => JSON.stringify(report, null, 2),
  sarif: (report) => JSON.stringify(sarifReport(report), null, 2),
  github: (report) => githubReport(report, randomUUID()),
  markdown: markdownReport,
};

/**
 * Compares the Python functions in a change with their base versions, and prints the findings. Returns the exit code: 0
 * passed, 1 failed according to the policy, 2 not run.
 */
export async function gate(config: Config, flags: GateFlags): Promise<number> {
  try {
    const options = readOptions(flags);
    const report = await withEngines(config, (engines, signal) =>
      watched(signal, (context) => reportOn({ config, engines, options, context })),
    );
    for (const { format, file } of options.writes) await writeReport(resolve(file), renderers[format](report));
    console.log(renderers[options.format](report));
    if (report.counts["error"] !== undefined && report.counts["error"] === report.results.length)
      throw nothingRan(report);
    return report.passed ? 0 : 1;
  } catch (thrown) {
    tellFault(thrown);
    return 2;
  }
}

interface Run {
  readonly config: Config;
  readonly engines: Engines;
  readonly options: GateOptions;
  readonly context: CallContext;
}

async function reportOn(run: Run): Promise<Report> {
  const start = performance.now();
  const { config, options, context, engines } = run;
  const git = new Git(config, resolve(options.repository), context.signal);
  try {
    const [base_tip, head] = [await git.commit(options.base), await git.commit(options.head)];
    const merge_base = await git.mergeBase(base_tip, head);
    context.progress("looking for functions that changed");
    const files = await git.changedFiles(merge_base, head, options.pathspecs);
    const reading = new Deadline(options.total_s * 1000, context.signal);
    const services = { git, python: engines.python, deadline: reading };
    const changed = await changedFunctions(services, { base: merge_base, head }, files);
    const { results, python } = await examined(run, changed.changes.toSorted(byImportance), {
      git,
      commits: { base: merge_base, head },
    });
    return {
      version,
      base: { ref: options.base, commit: base_tip, merge_base },
      head: { ref: options.head, commit: head },
      python,
      passed: hasPassed(results, changed.left_out, options),
      fail_on: [...options.fail_on],
      counts: countsOf(results),
      results,
      left_out: changed.left_out.map(({ file, why }) => ({ file, why })),
      notes: notesOn(options, changed, { results, python }),
      time_seconds: Math.round(performance.now() - start) / 1000,
    };
  } finally {
    git.close();
  }
}

/**
 * Functions whose own code changed come first, and those of which only what they use changed come later, last of them
 * those that use functions with changes of their own.
 */
function byImportance(one: Change, other: Change): number {
  return rank(one) - rank(other);
}

function rank({ kind, through, uses, has_contract }: Change): number {
  if (kind === "changed" && through.length === 0) return 0;
  if (kind === "moved") return 1;
  if (kind === "added" || kind === "removed") return has_contract ? 2 : 3;
  if (kind === "changed") return uses ? 5 : 4;
  return 6;
}

/** Examines the functions in parallel, one per solver slot. */
async function examined(
  { config, engines, options, context }: Run,
  changes: readonly Change[],
  repository: Pick<Examining, "git" | "commits">,
): Promise<{ results: Result[]; python: string }> {
  const asks = changes.some(
    ({ kind, head, base, has_contract }) => has_contract || (head && base && kind !== "same_code"),
  );
  const environment = asks ? await readyPython(engines, context) : undefined;
  const deadline = new Deadline(options.total_s * 1000, context.signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deadline.left_ms);
  const signal = AbortSignal.any([context.signal, late.signal]);
  const cache = options.uses_cache
    ? new AnswerCache(config.data_directory, await cacheContext(config, environment))
    : undefined;
  const tools = gateTools(engines, {
    prover_file: config.prover_file,
    other: config.prover_check ? asking(engines.cvc5) : undefined,
  });
  const questions = new Questions(tools, cache, signal);
  const { function_s, functions_max } = options;
  const asked = new Set<Change>();
  let begun = 0;
  try {
    const own = new OwnAnswers();
    const one = async (change: Change) => {
      if (deadline.is_over) return notExamined(change, out_of_time, own);
      const { file, name } = change.head ?? change.base ?? { file: "", name: "" };
      context.progress(`${++begun} of ${changes.length}: ${file}::${name}`.replace(/\p{Cc}/gu, "?"));
      return examine(change, {
        ...repository,
        python: engines.python,
        questions,
        deadline,
        function_s,
        functions_max,
        asked,
        own,
        isPromised: ({ base, head }) => isNamed(options.expect_same, [base, head]),
      });
    };
    const results: Omit<Result, "failures">[] = [];
    // The answers about functions with changes of their own decide which others are asked.
    for (const is_later of [false, true]) {
      const some = changes.filter(({ through }) => through.length > 0 === is_later);
      const found = await atOnce(config.solvers_at_once, some, one);
      for (const [place, change] of some.entries()) own.add(change, found[place] ?? { comparison: null });
      results.push(...found);
    }
    return { results: results.map((result) => judged(result, options)), python: environment?.version ?? "" };
  } finally {
    clearTimeout(timer);
    await cache?.bound();
  }
}

/**
 * Gets the private Python environment, creating it on first use. The setup time does not count towards the functions'
 * time limit.
 */
async function readyPython(engines: Engines, { signal, progress }: CallContext) {
  const ready = await engines.python.environment.ready(
    new Deadline(engine_limits.python_setup_ms_max, signal),
    progress,
  );
  if (ready === "expired")
    throw new Fault("busy", "The Python environment was not ready in time.", [
      "run `verdict setup` first",
      "then run this again",
    ]);
  return ready;
}

function countsOf(results: readonly Result[]): Record<string, number> {
  const counts: Record<string, number> = {
    functions: results.length,
    own_changes: results.filter(({ through }) => through.length === 0).length,
  };
  for (const { change, comparison, contract } of results)
    for (const status of [comparison?.status ?? change, contract && `contract_${contract.status}`])
      if (status) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function notesOn(
  options: GateOptions,
  { changes, left_out }: Changed,
  { results, python }: { readonly results: readonly Result[]; readonly python: string },
): string[] {
  const over = overBudget(options.functions_max);
  const left = results.filter(({ comparison, contract }) => comparison?.why === over || contract?.why === over).length;
  const compared = python !== "" && changes.some(({ base, head }) => base && head);
  const differ = results.some(({ comparison }) => comparison?.status === "different");
  return [
    ...(left > 0 ? [`${left} functions were not checked: ${over}.`] : []),
    ...(left_out.length > 0 ? [`${left_out.length} changed files were skipped.`] : []),
    ...expectedNotes(results, options),
    ...(differ
      ? ["NAME_base is the base version of the function NAME. A difference can be intended: read both results."]
      : []),
    ...(compared
      ? [
          `The results hold for Python ${python}, and only for inputs of the annotated types. Running time, printed output, exception messages, recursion depth and memory were not compared.`,
        ]
      : []),
  ];
}

async function writeReport(file: string, text: string): Promise<void> {
  await writeWhole(file, `${text}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new Fault("invalid_argument", `The report could not be written (${error.code ?? error.message}).`, [
      "check the path in --write: it must be a regular file",
    ]);
  });
}

function nothingRan({ results }: Report): Fault {
  const why = results.map(({ comparison, contract }) => comparison?.why ?? contract?.why).find(Boolean) ?? "";
  return new Fault("engine_failed", `No function could be examined: ${why}`, [
    "run `verdict doctor`, which shows whether Python's engines work",
    "run this again: another program may have taken the memory or the processes that it needs",
  ]);
}
