#!/usr/bin/env node
import { runCommandLine, tellError } from "./command_line.ts";
import { failWithoutOutput } from "./output.ts";

failWithoutOutput();
runCommandLine(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    tellError(error);
    process.exit(1);
  },
);
