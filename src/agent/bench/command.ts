import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readModelSettings } from "../../config.ts";
import type { Children } from "../../kernel/process/child.ts";
import { version } from "../../version.ts";
import { answerQuestion } from "../ask.ts";
import { type AskCall, eventPrinter, orFault, taskOf } from "../command.ts";
import { type BenchFlags, bench_flags, readFlags } from "../flags.ts";
import type { OpenTransport } from "../loop/session.ts";
import { openModels } from "../models/open.ts";
import { judge } from "./check.ts";
import { type Problem, readProblems } from "./problem.ts";
import { type BenchResult, earlierResults, keepResult, resultTable } from "./results.ts";

export interface BenchCall extends Omit<AskCall, "words" | "open"> {
  readonly open: OpenTransport;
  readonly folder: string;
  /** Runs the checkers. */
  readonly children: Children;
  readonly python: string;
}

/** `verdict bench-agent`: asks every problem in a folder, has its checker judge the answer, and prints a table. */
export async function runBench(call: BenchCall): Promise<number> {
  return orFault(async () => {
    const flags = readFlags(bench_flags, call.flags);
    const settings = readModelSettings(flags);
    if (settings.model === undefined) await openModels({ model: undefined }, settings);
    const problems = await readProblems(call.folder, flags.only);
    const model = settings.model ?? "";
    const out = flags.out ?? "bench_agent.jsonl";
    const earlier = await earlierResults(out);
    const results: BenchResult[] = [];
    for (const problem of problems) {
      const setting = await settingOf(problem, model, flags);
      const known = earlier.get(setting);
      const result = known ?? { ...(await benched(problem, model, flags, call)), setting };
      if (call.signal.aborted) break;
      results.push(result);
      if (known) continue;
      await keepResult(out, result);
      console.error(line(result));
    }
    console.log(resultTable(results));
    return call.signal.aborted ? 130 : results.every(({ valid }) => valid) ? 0 : 1;
  });
}

/**
 * Everything that a result depends on: the problem and its checker, the models and their addresses, the limits, and
 * Verdict itself.
 */
async function settingOf({ name, text, checker }: Problem, model: string, flags: BenchFlags): Promise<string> {
  const { out: _, only: __, quiet: ___, verbose: ____, ...settings } = flags;
  const parts = JSON.stringify([version, name, text, await readFile(checker, "utf8"), { ...settings, model }]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 16);
}

async function benched(
  problem: Problem,
  model: string,
  flags: BenchFlags,
  call: BenchCall,
): Promise<Omit<BenchResult, "setting">> {
  const settings = readModelSettings({ ...flags, model: scriptOf(model, problem) });
  const reviewer = flags.reviewerModel === undefined ? undefined : scriptOf(flags.reviewerModel, problem);
  const models = await openModels({ model: settings.model, reviewer }, settings);
  const language = flags.language === "given" ? problem.language : flags.language;
  const task = await taskOf(problem.text, { ...flags, language }, { ...call, models, settings });
  const outcome = await answerQuestion({ ...task, emit: eventPrinter({ ...flags, quiet: !flags.verbose }, settings) });
  const { status, reason, statistics, review } = outcome;
  const judged =
    outcome.verdict === null
      ? { valid: false, optimal: null, reason: reason ?? "nothing was decided" }
      : await judge(problem.checker, outcome, call);
  const { tokens, steps, repairs, seconds, tool_seconds } = statistics;
  return {
    problem: problem.name,
    model,
    language: outcome.language,
    size: problem.size,
    status,
    reason: judged.valid ? reason : judged.reason,
    valid: judged.valid,
    optimal: judged.optimal,
    review: review?.result ?? null,
    steps,
    repairs,
    tokens: Object.values(tokens).reduce((sum, { input, output }) => sum + input + output, 0),
    seconds,
    tool_seconds,
  };
}

/** The script for a problem: a folder of scripts contains one per problem. */
function scriptOf(model: string, { name }: Problem): string {
  return model.startsWith("scripted:") && !model.endsWith(".json") ? `${model}/${name}.json` : model;
}

function line({ problem, status, valid, optimal, steps, tokens, seconds, reason }: BenchResult): string {
  const best = optimal === null ? "" : optimal ? ", optimal" : ", not optimal";
  const judged = valid ? `valid${best}` : `not valid: ${reason}`;
  return `${problem}: ${status}, ${judged}; ${steps} steps, ${tokens} tokens, ${seconds} s`;
}
