import type { Command } from "commander";
import type { Config } from "../../config.ts";
import type { GateFlags } from "./options.ts";

/** Adds `gate` to the program; its exit code goes to `ended`. */
export function addGate(program: Command, configOf: () => Config, ended: (code: number) => void): void {
  program
    .command("gate")
    .description("for a pull request: do the Python functions that changed behave as before, and keep their contracts?")
    .requiredOption("--base <REF>", "what the change is to be merged into, such as origin/main")
    .option("--head <REF>", "the change; HEAD if it is not named")
    .option("--repository <DIR>", "the repository; the current directory if it is not named")
    .option("--format <FORMAT>", "text, json, sarif, github or markdown, on standard output")
    .option("--write <FORMAT=FILE...>", "further reports, each into a file")
    .option(
      "--fail-on <LIST>",
      "of: different, unexpected, contract, any-contract, undecided, not-checked, error; or none (default: contract,unexpected)",
    )
    .option(
      "--expect-same <PATTERN...>",
      "functions that must not differ, and have to be looked at, as FILE::FUNCTION with *",
    )
    .option("--expect-different <PATTERN...>", "functions that may differ with --fail-on different")
    .option("--allow <LIST>", "what passes of --expect-same all the same, of: not-checked, error, removed")
    .option("--only <GLOB...>", "files to look at; **/*.py if they are not named")
    .option("--exclude <GLOB...>", "more files to leave out, in addition to tests, generated and vendored code")
    .option("--no-default-excludes", "look at tests, generated and vendored code too")
    .option("--timeout-per-function <SECONDS>", "for each question about a function; 20 by default")
    .option("--timeout <SECONDS>", "for all functions; 300 by default")
    .option("--max-functions <N>", "how many functions are looked at; 50 by default")
    .option("--no-cache", "do not use or keep answers of earlier runs")
    .action(async (flags: GateFlags) => ended(await (await import("./index.ts")).gate(configOf(), flags)));
}
