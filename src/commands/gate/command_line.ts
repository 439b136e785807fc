import type { Command } from "commander";
import type { Config } from "../../config.ts";
import type { GateFlags } from "./options.ts";

/** Adds `gate` to the program; its exit code is passed to `ended`. */
export function addGate(program: Command, configOf: () => Config, ended: (code: number) => void): void {
  program
    .command("gate")
    .description("for a pull request: do the changed Python functions behave as before, and satisfy their contracts?")
    .requiredOption("--base <REF>", "the merge target, such as origin/main")
    .option("--head <REF>", "the change; HEAD by default")
    .option("--repository <DIR>", "the repository; the current directory by default")
    .option("--format <FORMAT>", "text, json, sarif, github or markdown, on standard output")
    .option("--write <FORMAT=FILE...>", "further reports, each written to a file")
    .option(
      "--fail-on <LIST>",
      "of: different, unexpected, contract, any-contract, undecided, not-checked, error; or none (default: contract,unexpected)",
    )
    .option(
      "--expect-same <PATTERN...>",
      "functions that must be checked and must not differ, as FILE::FUNCTION with *",
    )
    .option("--expect-different <PATTERN...>", "functions that may differ with --fail-on different")
    .option(
      "--allow <LIST>",
      "statuses that --expect-same functions may nevertheless have, from: not-checked, error, removed",
    )
    .option("--only <GLOB...>", "files to check; **/*.py by default")
    .option("--exclude <GLOB...>", "more files to skip, in addition to tests, generated and vendored code")
    .option("--no-default-excludes", "also check tests, generated and vendored code")
    .option("--timeout-per-function <SECONDS>", "the time limit for each question about a function; 20 by default")
    .option("--timeout <SECONDS>", "the time limit for all functions together; 300 by default")
    .option("--max-functions <N>", "the largest number of functions to check; 50 by default")
    .option("--no-cache", "do not use or cache answers")
    .action(async (flags: GateFlags) => ended(await (await import("./index.ts")).gate(configOf(), flags)));
}
