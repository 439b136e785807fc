#!/usr/bin/env node
import { parseArgs } from "node:util";
import { readConfig } from "./config.ts";

const help = `verdict: formal engines for language models, over MCP

  verdict [serve] [--tools LIST]       the MCP server on stdio (LIST of: smtlib, model, symbolic, lean, memo)
                  [--language ID]      the one modelling language of the model tools
  verdict call TOOL [--json '{…}']     one tool call; prints the structured result
                    [--file F]         arguments from a JSON file, or a script from a .smt2 file
  verdict check FILE.py::f             does a Python function keep its contract?    [--timeout SECONDS]
  verdict compare FILE.py::f FILE.py::g  do two functions do the same?              [--timeout SECONDS]
  verdict branches FILE.py::f          which sides of its decisions can it take?    [--timeout SECONDS]
  verdict setup                        installs the Python engines now, not at their first use
  verdict doctor [--json]              which engines are there, and how to get the others
  verdict schemas                      the JSON Schemas of what each tool takes and answers
  verdict daemon start|stop|restart|status   the Lean tactic daemon (run: in the foreground)
  verdict demo                         solves real problems and shows the answers
  verdict help | version

Environment: VERDICT_TOOLS (as --tools), VERDICT_LANGUAGE (as --language), VERDICT_Z3 (path of a
native Z3, or \`wasm\`), VERDICT_MINIZINC, VERDICT_CLINGO (likewise), VERDICT_PYTHON (the CPython for the Python engines),
VERDICT_DATA (where Verdict keeps what it installs, and the memo). For Lean: VERDICT_LEAN_MODEL (a GGUF file, or
ollama:NAME or openai:NAME of the server in VERDICT_LEAN_URL), TACTIC_SERVER_HOST, TACTIC_SERVER_PORT, TACTIC_SERVER_TIMEOUT.
`;

const options = {
  tools: { type: "string" },
  language: { type: "string" },
  json: { type: "string" },
  file: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** `--json` is a flag for `doctor` and takes a value for `call`. */
function readArgs(args: string[]) {
  const doctor = args[0] === "doctor";
  return parseArgs({ args: args.filter((arg) => !(doctor && arg === "--json")), options, allowPositionals: true });
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = readArgs(args);
  const [command = "serve", tool] = positionals;
  const name = values.help ? "help" : values.version ? "version" : command;
  const config = readConfig(values);
  switch (name) {
    case "serve":
      (await import("./commands/serve.ts")).serve(config);
      return 0;
    case "call":
      if (tool === undefined) return usage("verdict call needs the name of a tool.");
      return (await import("./commands/call.ts")).call(config, { tool, json: values.json, file: values.file });
    case "check":
    case "compare":
    case "branches": {
      const { symbolicCommand } = await import("./commands/symbolic.ts");
      const timeout_s = values.timeout === undefined ? undefined : Number(values.timeout);
      return symbolicCommand(config, name, positionals.slice(1), timeout_s);
    }
    case "setup":
      return (await import("./commands/setup.ts")).setup(config);
    case "daemon":
      return (await import("./commands/daemon.ts")).daemon(config, tool);
    case "doctor":
      await (await import("./commands/doctor.ts")).doctor(config, args.includes("--json"));
      return 0;
    case "schemas":
      (await import("./commands/schemas.ts")).schemas(config);
      return 0;
    case "demo":
      await (await import("./commands/demo.ts")).demo(config);
      return 0;
    case "version":
      console.log((await import("./version.ts")).version);
      return 0;
    case "help":
      console.log(help);
      return 0;
    default:
      return usage(`There is no command "${name}".`);
  }
}

function usage(problem: string): number {
  console.error(`${problem}\n\n${help}`);
  return 2;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
