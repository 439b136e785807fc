import { Command, CommanderError, Option } from "commander";
import type { BundleFlags } from "./commands/bundle/bundle.ts";
import type { RerunFlags } from "./commands/bundle/rerun.ts";
import { addGate } from "./commands/gate/command_line.ts";
import type { InstallFlags } from "./commands/install/index.ts";
import type { HttpFlags } from "./commands/serve_http.ts";
import type { SolveFlags } from "./commands/solve/index.ts";
import type { SymbolicFlags } from "./commands/symbolic.ts";
import type { TokenFlags } from "./commands/token.ts";
import type { ViewFlags } from "./commands/view/index.ts";
import type { WorkerFlags } from "./commands/worker/index.ts";
import { type Config, type HttpSettingFlags, readConfig, readDesktop, readInstallation } from "./config.ts";
import { Fault } from "./kernel/fault.ts";
import { visible } from "./kernel/text/visible.ts";
import { not_done, tellWrongArguments } from "./output.ts";
import { python_ids } from "./tools/model/languages/python/index.ts";
import { shown_languages } from "./tools/model/languages/shown.ts";
import { version } from "./version.ts";

const environment = `
Environment: VERDICT_TOOLS (as --tools), VERDICT_LANGUAGE (as --language), VERDICT_Z3, VERDICT_MINIZINC,
VERDICT_CLINGO (path of a native build, or \`wasm\`), VERDICT_PYTHON (the CPython for the Python engines),
VERDICT_ALLOW_UNCONFINED (as --allow-unconfined), VERDICT_DATA_DIR (as --data-dir),
VERDICT_DATA (where Verdict keeps what it installs, the memo and jobs), VERDICT_HANDOVER_MS (after which a call
becomes a job, 45000; 0: never), VERDICT_REDIS (redis://HOST:6379: calls and jobs go to \`verdict worker\`). For Lean: VERDICT_LEAN_MODEL (a GGUF file,
or ollama:NAME or openai:NAME of the server in VERDICT_LEAN_URL), TACTIC_SERVER_HOST, TACTIC_SERVER_PORT,
TACTIC_SERVER_TIMEOUT.`;

const solve_exit_codes = `
Exit codes: 0 a solution, and the best one if the model has an objective; 1 unsatisfiable; 2 a fault; 3 undecided;
4 a solution, but not proved to be the best one, not passed by its checker, or a count that is not exact; 130 interrupted.`;

const rerun_exit_codes = `
Exit codes: 0 it holds; 1 the answer is another one; 2 a fault; 3 not decided now; 4 files of the bundle were changed or
are missing; 130 interrupted.`;

const recheck_exit_codes = `
Exit codes: 0 it holds; 1 a question has an answer (sat); 2 a fault; 3 a solver did not decide a question, or the code leads
to other questions; 4 files of the proof were changed or are missing; 130 interrupted.`;

/** The flags shared by all commands that open toolsets. */
interface ToolFlags {
  readonly tools?: string;
  readonly language?: string;
}

/** A command's settings, from its own flags and those shared by all commands. */
const configOf = (program: Command, flags: ToolFlags & HttpSettingFlags = {}): Config =>
  readConfig({ ...flags, ...program.opts<{ allowUnconfined?: boolean; dataDir?: string[] }>() });

/** Collects the values of an option that can be given several times. */
const allOf = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** The command line; each action passes its exit code to `ended`. */
function commandLine(ended: (code: number) => void): Command {
  const program = new Command("verdict")
    .description("Formal engines for language models, over MCP. Without a command: serve.")
    .version(version, "-v, --version", "print the version")
    .option("--allow-unconfined", "run programs even if the system can't confine them; not with --http")
    .option("--data-dir <DIRECTORY...>", "where calls can read data files; the current directory by default")
    .helpCommand("help [COMMAND]", "help, in general or for one command")
    .addHelpText("after", environment)
    .showHelpAfterError("`verdict help` lists the commands, `verdict help COMMAND` its flags.")
    .configureOutput({ writeErr: (text) => process.stderr.write(visible(text)) })
    .exitOverride();
  addServer(program, ended);
  addQuestions(program, ended);
  addGate(program, () => configOf(program), ended);
  addAgent(program, ended);
  addBenchAgent(program, ended);
  addHousekeeping(program, ended);
  return program;
}

function addServer(program: Command, ended: (code: number) => void): void {
  withToolFlags(program.command("serve"))
    .description("the MCP server, on stdio or over HTTP")
    .option("--http <[HOST:]PORT>", "serve MCP over HTTP at /mcp; 127.0.0.1 if no host is named")
    .option("--tokens <FILE>", "require a token from this file, with --http")
    .option("--allow-host <NAME...>", "other host names that clients use for the server, such as a proxy's")
    .option("--public-url <URL>", "the address of /mcp as clients use it, such as a proxy's")
    .option("--quota <LIST>", "default limits of a principal, such as calls_at_once=4,processor_s_per_hour=600")
    .option("--log-questions", "also write the arguments of calls to the log")
    .option("--oauth-issuer <URL>", "accept access tokens of this issuer, with --http")
    .option("--oauth-jwks <URL>", "the URL of the issuer's public keys")
    .option("--oauth-audience <ID>", "the expected audience of the tokens; the public URL by default")
    .option(
      "--oauth-algorithms <LIST>",
      "the accepted signature algorithms: RS256, PS256, ES256, EdDSA, Ed25519 by default",
    )
    .option("--oauth-scope-claim <NAME>", "the claim with the scopes: scope or scp by default")
    .option("--oauth-scope-prefix <TEXT>", "the prefix of Verdict's scopes in this claim, such as verdict:")
    .action(async (flags: ToolFlags & HttpSettingFlags & Partial<HttpFlags>) => {
      const config = configOf(program, flags);
      const { http } = flags;
      if (http !== undefined) {
        await (await import("./commands/serve_http.ts")).serveHttp(config, { ...flags, http });
        return ended(0);
      }
      if (process.stdin.isTTY) console.error(at_a_terminal);
      await (await import("./commands/serve.ts")).serve(config);
      ended(0);
    });
  program
    .command("worker")
    .description("runs calls for servers that share the Redis in VERDICT_REDIS")
    .option("--tools <LIST>", "the toolsets that it serves, from: smtlib, model, symbolic")
    .option(
      "--at-once <N>",
      "the number of concurrent calls, and of concurrent jobs in addition; by default one per core",
    )
    .action(async (flags: Pick<ToolFlags, "tools"> & WorkerFlags) => {
      await (await import("./commands/worker/index.ts")).worker(configOf(program, flags), flags);
      ended(0);
    });
  program
    .command("token")
    .description("creates a token for `serve --http --tokens FILE`, prints it once, and adds its hash to the file")
    .argument("<NAME>", "the principal: models and memos belong to this name")
    .requiredOption("--file <FILE>", "the token file")
    .option("--scopes <LIST>", "what it allows, from: solve, symbolic, lean, admin", "solve,symbolic")
    .option("--quota <LIST>", "its limits, such as calls_at_once=4,processor_s_per_hour=600")
    .option("--expires <TIME>", "when it expires, such as 2027-01-31T00:00:00Z")
    .action(async (name: string, flags: TokenFlags) =>
      ended(await (await import("./commands/token.ts")).token(name, flags)),
    );
  program
    .command("daemon")
    .description("the Lean tactic daemon (run: in the foreground)")
    .argument("<start|stop|restart|status|run>")
    .addOption(new Option("--automatic", "started by a server, which may end it again").hideHelp())
    .action(async (action: string, { automatic = false }: { automatic?: boolean }) =>
      ended(await (await import("./commands/daemon.ts")).daemon(configOf(program), action, automatic)),
    );
}

function addQuestions(program: Command, ended: (code: number) => void): void {
  withToolFlags(program.command("call"))
    .description("one tool call; prints the structured result as JSON")
    .argument("<TOOL>", "the tool's name")
    .argument("[SCRIPT]", "the arguments as JSON; or a script, its file, or - for standard input")
    .option("--json <JSON>", "the arguments")
    .option("--file <FILE>", "a JSON file of arguments, or a script; - is standard input")
    .option("--text", "print what a client would show, not JSON")
    .action(async (tool: string, script: string | undefined, flags: ToolFlags & CallFlags) =>
      ended(await (await import("./commands/call.ts")).call(configOf(program, flags), { ...flags, tool, script })),
    );
  addSolve(program, ended);
  const questions = {
    check: ["does a Python function meet its contract?", "<FILE.py::f>"],
    compare: ["do two functions behave the same?", "<FILE.py::f> <FILE.py::g>"],
    branches: ["which sides of its decisions can a function take?", "<FILE.py::f>"],
  } as const;
  for (const name of ["check", "compare", "branches"] as const) {
    const [description, places] = questions[name];
    const asking = program
      .command(name)
      .description(description)
      .usage(`${places} [--timeout SECONDS]`)
      .argument("[PLACE...]", "a file, and a function in that file")
      .option("--timeout <SECONDS>", "the time limit")
      .option("--html <FILE>", "a page with the answer and the code; - is standard output")
      .option("--open", "show that page in the browser")
      .action(async (places: string[], flags: SymbolicFlags) => {
        const { symbolicCommand } = await import("./commands/symbolic.ts");
        ended(await symbolicCommand(configOf(program), readDesktop(), { command: name, places, flags }));
      });
    if (name !== "branches") asking.option("--proof <DIR|ZIP>", "keep the proof: a new folder, or a .zip");
  }
}

/** Adds a command about a model in a file, with its arguments and the flags that define the question. */
function modelCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument("<MODEL>", "the file, or - for standard input")
    .argument(
      "[DATA...]",
      "data: .csv, .tsv, .xlsx, .xlsm or .json; also .dzn for MiniZinc, .lp for answer-set programs",
    )
    .option("--data <DATA...>", "the same files, or values by name as inline JSON")
    .option(
      "--language <ID>",
      `if the file does not show it, one of: ${["smtlib", ...Object.keys(shown_languages)].join(", ")}`,
    )
    .option("--timeout <SECONDS>", "the time limit, 300 by default")
    .option("--solver <NAME>", "such as chuffed or highs (.mzn), cvc5 or all (.smt2), exact (cpmpy)")
    .option("--solutions <N|all>", "more than one solution")
    .option("--check", "confirm unsat and optimal with a second engine")
    .option("--count", "count the solutions")
    .option("--backbone", "values that are the same in all solutions")
    .option("--k-best <N>", "this many best solutions")
    .option("--diverse <N>", "this many solutions that differ as much as possible")
    .option("--why", "why there is no solution, or no better one")
    .option("--keep <JSON>", "a plan to change as little as possible: what --save wrote, or inline JSON")
    .option("--weights <JSON>", "the cost of changing each value of --keep, by name")
    .option("--what-if <JSON>", "cases to solve in addition to the model: see docs/living_plans.md")
    .option("--checker <FILE>", "Python that lists the rules violated by the values: see docs/checkers.md");
}

function addSolve(program: Command, ended: (code: number) => void): void {
  modelCommand(
    program,
    "solve",
    `solves a model in a file: .mzn, .fzn, .lp, .mps, .cnf, .wcnf, .opb, .smt2, or .py with one of: ${python_ids.join(", ")}`,
  )
    .option("--save <FILE>", "the values as .csv, .xlsx, .json, .html or .ics (a calendar)")
    .option("--overwrite", "replace the file of --save if it exists")
    .option("--html <FILE>", "a page with the answer and the model, to read or send; - is standard output")
    .option("--view <JSON>", "what the values mean, for the page: see docs/viewer.md")
    .option("--open", "show that page in the browser")
    .option("--json", "print the structured answer")
    .option("--quiet", "no progress on stderr")
    .addHelpText("after", solve_exit_codes)
    .action(async (file: string, data: string[], flags: SolveFlags) => {
      const all_flags = { ...flags, data: [...data, ...(flags.data ?? [])] };
      ended(await (await import("./commands/solve/index.ts")).solve(configOf(program), readDesktop(), file, all_flags));
    });
  modelCommand(program, "bundle", "solves a model, and keeps question, answer and a script without Verdict")
    .requiredOption("--out <DIR|ZIP>", "a new folder, or a file that ends with .zip")
    .option("--overwrite", "replace the ZIP if it exists")
    .option("--json", "print the structured answer")
    .option("--quiet", "no progress on stderr")
    .addHelpText("after", solve_exit_codes)
    .action(async (file: string, data: string[], flags: BundleFlags) => {
      const all_flags = { ...flags, data: [...data, ...(flags.data ?? [])] };
      ended(await (await import("./commands/bundle/bundle.ts")).bundle(configOf(program), file, all_flags));
    });
  program
    .command("rerun")
    .description("asks a bundle's question again: does its answer still hold?")
    .argument("<BUNDLE>", "the folder, or the ZIP")
    .option("--timeout <SECONDS>", "the time limit; by default the bundle's")
    .option("--json", "print JSON")
    .option("--quiet", "no progress on stderr")
    .addHelpText("after", rerun_exit_codes)
    .action(async (path: string, flags: RerunFlags) =>
      ended(await (await import("./commands/bundle/rerun.ts")).rerun(configOf(program), path, flags)),
    );
  program
    .command("recheck")
    .description("asks Z3 and cvc5 the questions of a proof that `check --proof` kept: do both still say unsat?")
    .argument("<PROOF>", "the folder, or the ZIP")
    .option("--timeout <SECONDS>", "the time limit of each question, 30 by default")
    .option("--json", "print JSON")
    .option("--quiet", "print the result only")
    .addHelpText("after", recheck_exit_codes)
    .action(async (path: string, flags: RerunFlags) =>
      ended(await (await import("./commands/proof/recheck.ts")).recheck(configOf(program), path, flags)),
    );
  program
    .command("view")
    .description("creates a page from an answer saved as JSON")
    .argument("<ANSWER>", "the JSON of `solve --json` or `call`, or - for standard input")
    .option("--source <FILE...>", "the model or the code that was asked about")
    .option("--view <JSON>", "what the values mean: see docs/viewer.md")
    .option("--html <FILE>", "the file of the page; - is standard output")
    .option("--open", "show it in the browser")
    .action(async (file: string, flags: ViewFlags) =>
      ended(await (await import("./commands/view/index.ts")).view(file, flags, readDesktop())),
    );
}

function addAgent(program: Command, ended: (code: number) => void): void {
  withModelFlags(program.command("ask"))
    .description("solves a problem in words: a language model states it, the engines decide it, a reviewer checks it")
    .argument("[PROBLEM...]", "the problem; - or nothing is standard input")
    .option(
      "--file <FILE>",
      "the problem as a file, or its data (CSV, XLSX, JSON); can be given several times",
      allOf,
      [],
    )
    .option(
      "--language <ID>",
      "auto (the model chooses), z3, pysat, minizinc, asp, cpmpy, ortools, smtlib or symbolic",
      "auto",
    )
    .option("--json", "print the whole outcome as JSON")
    .option("--save <DIR>", "keep the transcript, model, answer and statistics in this directory")
    .action(async (words: string[], flags: Record<string, unknown>) =>
      ended(await (await import("./commands/ask.ts")).ask(configOf(program), words, flags)),
    );
}

function addBenchAgent(program: Command, ended: (code: number) => void): void {
  withModelFlags(program.command("bench-agent"))
    .description(
      "runs the agent on a folder of problems, each with a checker; if restarted, it continues where it stopped",
    )
    .argument("[PROBLEMS]", "the folder; by default the problems included in Verdict")
    .option("--language <ID>", "given (each problem's own), auto, or one language for all", "given")
    .option("--only <TEXT>", "only problems whose name contains this text")
    .option("--out <FILE>", "the results, one line of JSON each", "bench_agent.jsonl")
    .action(async (folder: string | undefined, flags: Record<string, unknown>) =>
      ended(await (await import("./commands/ask.ts")).benchAgent(configOf(program), folder, flags)),
    );
}

function withModelFlags(command: Command): Command {
  return command
    .option("--model <PROVIDER:NAME>", "anthropic, openai, google, ollama or compatible; or set VERDICT_MODEL")
    .option("--reviewer-model <PROVIDER:NAME>", "another model for the review")
    .option("--model-url <URL>", "the server of compatible:NAME, with chat completions")
    .option("--max-steps <N>", "the maximum number of requests to the agent's model", "30")
    .option("--budget-tokens <N>", "the maximum number of tokens, for all models together", "400000")
    .option("--timeout <SECONDS>", "the time limit for the whole question", "600")
    .option("--reviews <N>", "how many times an objection goes back to the agent", "2")
    .option("--no-review", "answer without a review")
    .option("--mcp <URL|COMMAND>", "an MCP server other than the one in this program")
    .option("--mcp-env <NAME>", "a variable to pass to this command; can be given several times", allOf, [])
    .option("--quiet", "print the outcome only")
    .option("--verbose", "print calls and answers in full");
}

interface CallFlags {
  readonly json?: string;
  readonly file?: string;
  readonly text?: boolean;
}

function addHousekeeping(program: Command, ended: (code: number) => void): void {
  program
    .command("demo")
    .description("solves real problems with every available engine")
    .action(async () => (await import("./commands/demo.ts")).demo(configOf(program)));
  program
    .command("doctor")
    .description("shows which engines are available, and how to get the others")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) =>
      (await import("./commands/doctor.ts")).doctor(configOf(program), json),
    );
  program
    .command("setup")
    .description("installs the Python engines now, not at their first use")
    .argument(
      "[GROUP]",
      "more packages: cp (for the languages cpmpy and ortools), smt (cvc5 and Bitwuzla), solvers (Exact and Pumpkin)",
    )
    .addOption(new Option("--in-background", "record the progress for servers that are waiting for it").hideHelp())
    .action(async (group: string | undefined, { inBackground = false }: { inBackground?: boolean }) => {
      const { setup, setupInBackground } = await import("./commands/setup.ts");
      ended(await (inBackground ? setupInBackground : setup)(configOf(program), group));
    });
  program
    .command("install")
    .description("adds Verdict to the MCP clients on this machine, with a copy of each file that it changes")
    .option(
      "--client <NAME...>",
      "only these: claude-desktop, claude-code, cursor, vscode, codex, gemini, windsurf, zed, cline, copilot-cli",
    )
    .option("--dry-run", "show what would change, and write nothing")
    .option("--by <npx|path>", "how clients start it: the published package, or this program (the default in a clone)")
    .option("--uninstall", "remove it again")
    .action(async (flags: InstallFlags) =>
      ended(await (await import("./commands/install/index.ts")).install(readInstallation(), flags)),
    );
  withToolFlags(program.command("schemas"))
    .description("prints the JSON Schemas of each tool's arguments and answers")
    .action(async (flags: ToolFlags) => (await import("./commands/schemas.ts")).schemas(configOf(program, flags)));
  program
    .command("version")
    .description("print the version")
    .action(() => console.log(version));
}

function withToolFlags(command: Command): Command {
  return command
    .option("--tools <LIST>", "the toolsets to offer, from: smtlib, model, symbolic, lean, memo, jobs")
    .option(
      "--language <ID>",
      `the one modelling language of the model tools: ${Object.keys(shown_languages).join(", ")}`,
    );
}

const at_a_terminal = `Verdict is an MCP server: a client starts it and speaks to it on standard input. It waits for one now; Ctrl-C ends it.
To see what it does: \`verdict demo\`. To ask it something yourself: \`verdict call solve_smtlib '(assert …)'\`. All commands: \`verdict help\`.`;

/** Adds `serve` if the arguments contain no command: a client can start the program with server flags alone. */
function withCommand(args: readonly string[]): readonly string[] {
  const [first] = args;
  const bare = first === undefined || (first.startsWith("-") && !["-h", "--help", "-v", "--version"].includes(first));
  return bare ? ["serve", ...args] : args;
}

/**
 * Runs one command and returns its exit code. Invalid arguments are reported here; a command's fault or an unexpected
 * error is thrown, and `tellError` prints it.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exit_code = 0;
  const program = commandLine((code) => {
    exit_code = code;
  });
  try {
    await program.parseAsync(withCommand(args), { from: "user" });
    return exit_code;
  } catch (error) {
    // Commander has already printed the error in the command line, or the requested help.
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    tellWrongArguments(args, error.message);
    return not_done;
  }
}

/** Prints the error that ended a command, in a form for people. */
export function tellError(error: unknown): void {
  if (error instanceof Fault) console.error(`${error.message}\nWhat to do: ${error.remedy}.`);
  else console.error(error instanceof Error ? error.message : error);
}
