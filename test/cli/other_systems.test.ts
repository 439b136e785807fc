import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { cli } from "../support/client.ts";
import { scratchDirectory } from "../support/directories.ts";

/** What Verdict itself does by the name of the system. The programs that it starts are those of this machine. */
const systems = ["darwin", "win32"] as const;
const home = scratchDirectory();

function as(system: NodeJS.Platform, path = process.env["PATH"]) {
  const is = `Object.defineProperty(process, "platform", { value: "${system}" })`;
  const load = ["--import", `data:text/javascript,${encodeURIComponent(is)}`, cli];
  return (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...load, ...args], {
      encoding: "utf8",
      // Windows names the directory for temporary files so.
      env: { PATH: path, HOME: home, TEMP: tmpdir(), VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm" },
    });
    return { status, stdout, stderr };
  };
}

describe.each(systems)("a process that takes its system for %s", (system) => {
  const verdict = as(system);
  const call = (tool: string, args: object) => JSON.parse(verdict("call", tool, "--json", JSON.stringify(args)).stdout);

  it("solves a script, and stops an engine at its time limit", () => {
    expect(call("solve_smtlib", { smtlib: "(declare-const x Int) (assert (= (* x x) 49)) (check-sat)" })).toMatchObject(
      {
        status: "sat",
      },
    );
    const cubes = "(= (+ (* x x x) (* y y y)) (* z z z))";
    const names = ["x", "y", "z"].map((name) => `(declare-const ${name} Int) (assert (> ${name} 1))`).join(" ");
    expect(call("solve_smtlib", { smtlib: `${names} (assert ${cubes}) (check-sat)`, timeout_ms: 1_000 })).toMatchObject(
      {
        status: "unknown",
        reason: "timeout",
      },
    );
  });

  it("solves a file of MiniZinc in the embedded build", () => {
    const file = join(home, "squares.mzn");
    writeFileSync(file, "var 1..9: x; constraint x * x = 49; solve satisfy;");
    expect(verdict("solve", file)).toMatchObject({ status: 0, stdout: expect.stringContaining("x = 7") });
  });

  it("says without a Python how to get one there", () => {
    const file = join(home, "program.py");
    writeFileSync(file, "from z3 import *\nexport_solution(satisfiable=True)\n");
    const { status, stderr, stdout } = as(system, "")("solve", file, "--language", "z3");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(system === "win32" ? "`winget install Python.Python.3.13`" : "`brew install python@3.13`");
  });
});

it.each([
  ["darwin", ["Library", "Application Support", "verdict"]],
  ["win32", ["AppData", "Local", "verdict"]],
  ["linux", [".local", "share", "verdict"]],
] as const)("keeps its data on %s in the directory that is meant for them", (system, parts) => {
  const own = process.platform;
  Object.defineProperty(process, "platform", { value: system });
  try {
    expect(readConfig({}, { HOME: home }).data_directory).toMatch(new RegExp(`${parts.join(".")}$`));
  } finally {
    Object.defineProperty(process, "platform", { value: own });
  }
});
