#!/usr/bin/env node
import { runCommandLine, tellError } from "./command_line.ts";
import { takeEnvironment } from "./config.ts";
import { failWithoutOutput, showControlCharacters } from "./output.ts";

takeEnvironment();
failWithoutOutput();
showControlCharacters();
runCommandLine(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    tellError(error);
    process.exit(1);
  },
);
