#!/usr/bin/env node
import { runCommandLine, tellError } from "./command_line.ts";
import { takeEnvironment } from "./config.ts";
import { failWithoutOutput, not_done, showControlCharacters } from "./output.ts";

takeEnvironment();
failWithoutOutput();
showControlCharacters();
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const ended =
  major > 20 || (major === 20 && minor >= 19) ? runCommandLine(process.argv.slice(2)) : Promise.resolve(refuseNode());
ended.then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    tellError(error);
    process.exit(1);
  },
);

/**
 * Reports an unsupported Node version on stderr, which clients show: npm only warns when it installs Verdict on an
 * older Node.
 */
function refuseNode(): number {
  console.error(
    `Verdict needs Node 20.19 or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org, then start this again.`,
  );
  return not_done;
}
