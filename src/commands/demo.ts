import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Config } from "../config.ts";
import { Engines } from "../engines/index.ts";
import { toFault } from "../kernel/fault.ts";
import { type Answer, quietContext, type Tool } from "../kernel/tool.ts";
import { openToolsets } from "../tools/index.ts";
import { inProcessServer } from "./ask.ts";
import { modelProblems } from "./problems/model.ts";
import type { Problem } from "./problems/problem.ts";
import { smtlibProblems } from "./problems/smtlib.ts";
import { symbolicProblems } from "./problems/symbolic.ts";

type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;

/** Solves real problems with every available engine, and shows the answers as a client would see them. */
export async function demo(config: Config): Promise<void> {
  const engines = new Engines(config);
  try {
    const tools = new Map(
      openToolsets(engines, config).flatMap((set) => set.session().map((tool) => [tool.name, tool] as const)),
    );
    const call: Call = (name, args) => callAloud(tools.get(name), name, args);
    for (const problem of [...smtlibProblems, ...modelProblems, ...symbolicProblems]) {
      if (!tools.has(toolOf(problem))) continue;
      console.log(`\n── ${problem.title}`);
      await show(problem, call);
    }
    if (tools.has("solve")) await askScripted(config, engines);
  } finally {
    engines.close();
  }
}

/** Runs the agent on a problem in words. A script replaces the language model; the tools and engines are real. */
async function askScripted(config: Config, engines: Engines): Promise<void> {
  console.log("\n── From words to a checked answer: `verdict ask`, with a script in place of a language model\n");
  const demo = join(config.problems_directory, "demo");
  const { runAsk } = await import("../agent/command.ts");
  console.log(indent((await readFile(join(demo, "talks.md"), "utf8")).trim(), "   "));
  await runAsk({
    words: [],
    flags: { file: join(demo, "talks.md"), model: `scripted:${join(demo, "script.json")}` },
    open: (data_files) => inProcessServer(config, engines, data_files),
    signal: new AbortController().signal,
  });
}

/** The tool that answers a problem. */
function toolOf(problem: Problem): string {
  if (problem.kind === "code") return problem.tool;
  return problem.kind === "script" ? "solve_smtlib" : "solve_model";
}

/** Makes a call and prints its progress, since the first call of a Python engine installs it. */
function callAloud(tool: Tool | undefined, name: string, args: Record<string, unknown>): Promise<Answer> {
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.call(args, {
    ...quietContext(),
    progress: (message) => waiting_for.test(message) && console.log(`   (${message})`),
  });
}

const waiting_for = /^(setting up|making|downloading|installing)/;

async function show(problem: Problem, call: Call): Promise<void> {
  if (problem.kind === "script") {
    console.log(indent(problem.args.smtlib, "   "));
    return answer(() => call("solve_smtlib", problem.args));
  }
  if (problem.kind === "code") {
    console.log(indent(problem.args.code.trimEnd(), "   "));
    return answer(() => call(problem.tool, { ...problem.args, timeout_seconds: question_s_max }));
  }
  await call("clear_model", { language: problem.language });
  let index = 0;
  for (const item of problem.items) {
    console.log(indent(item, "   ").replace(/^ {3}/, `${String(index).padStart(2)} `));
    const added = await isAccepted(() => call("add_item", { item }));
    if (added === "no engine") return;
    if (added === "yes") index++;
  }
  const solve = (options: Readonly<Record<string, unknown>>) => () =>
    call("solve_model", { timeout_ms: first_solve_ms_max, ...options });
  const { solver, ...others }: Readonly<Record<string, unknown>> = problem.options ?? {};
  // CP-SAT needs Python; without it, a built-in solver answers.
  await answer(solve(problem.options ?? {}), solver === undefined ? undefined : solve(others));
}

/**
 * The time limit for solving a model, which may first install its engine; how long that takes depends on the network
 * speed.
 */
const first_solve_ms_max = 300_000;

/** The time limit of a question; the earlier models have already installed the engines. */
const question_s_max = 60;

async function isAccepted(add: () => Promise<Answer>): Promise<"yes" | "no" | "no engine"> {
  try {
    await add();
    return "yes";
  } catch (thrown) {
    console.log(indent(faultText(thrown), " ✗ "));
    return toFault(thrown).code === "engine_missing" ? "no engine" : "no";
  }
}

/** Prints the answer to the first call, or to the other call if the first call's engine is not available. */
async function answer(call: () => Promise<Answer>, instead?: () => Promise<Answer>): Promise<void> {
  const start = performance.now();
  const elapsed = () => `${Math.round(performance.now() - start)} ms`;
  try {
    const { structured, text } = await call();
    console.log(`${indent(text.join("\n"), " ▸ ")}\n   (${engineWords(structured)}, ${elapsed()})`);
  } catch (thrown) {
    console.log(`${indent(faultText(thrown), " ▸ ")}\n   (a fault, ${elapsed()})`);
    if (instead && toFault(thrown).code === "engine_missing") await answer(instead);
  }
}

/** Lists the engine that answered and those that worked on the same problem at the same time. */
function engineWords({ engine, statistics }: Answer["structured"]): string {
  const others = Others.safeParse(statistics).data?.also_ran ?? [];
  return [String(engine), ...(others.length > 0 ? [`beside ${others.join(", ")}`] : [])].join(", ");
}

const Others = z.object({ also_ran: z.array(z.string()).default([]) });

function faultText(thrown: unknown): string {
  const { error, remedy } = toFault(thrown).report();
  return `${error}\nWhat to do: ${remedy}.`;
}

function indent(text: string, by: string): string {
  return text.replaceAll(/^/gm, by);
}
