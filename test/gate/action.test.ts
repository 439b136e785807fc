import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cli } from "../support/client.ts";
import { scratchDirectory } from "../support/directories.ts";
import { Repository } from "../support/gate.ts";

const directory = scratchDirectory();
const project = new Repository().change({ "a.py": "x = 1\n" }, { "a.py": "x = 2\n" });
afterAll(() => project.remove());

/** Runs the action's script as a runner does, with the program of this clone. */
function run(base: string, more: Readonly<Record<string, string>> = {}) {
  const program = join(directory, "verdict");
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${directory}/arguments'\nexec '${process.execPath}' '${resolve(cli)}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  const files = { GITHUB_OUTPUT: join(directory, "output"), GITHUB_STEP_SUMMARY: join(directory, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const { status, stdout, stderr } = spawnSync("bash", [resolve("action/gate.sh")], {
    cwd: project.directory,
    encoding: "utf8",
    env: {
      ...process.env,
      ...files,
      GATE_COMMAND: program,
      GATE_PACKAGE: "",
      GATE_BASE: base,
      GATE_FAIL_ON: "contract,unexpected",
      GATE_EXPECT_SAME: "a.py::*\r\n\n--fail-on=none\n",
      GATE_ALLOW: "removed",
      GATE_EXPECT_DIFFERENT: "",
      GATE_TIMEOUT_PER_FUNCTION: "20",
      GATE_TIMEOUT: "300",
      GATE_MAX_FUNCTIONS: "50",
      GATE_SARIF: join(directory, "gate.sarif"),
      GATE_REPORT: join(directory, "report.json"),
      GATE_SUMMARY: join(directory, "summary.md"),
      ...more,
    },
  });
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  return { status, stdout, stderr, output: read("output"), summary: read("summary"), arguments: read("arguments") };
}

describe.skipIf(process.platform === "win32")("the GitHub action", () => {
  it("gives the verdict, the report and a summary", () => {
    const { status, stdout, output, summary, arguments: given } = run("main");
    expect(status).toBe(0);
    expect(output).toBe(`passed=true\nreport=${join(directory, "report.json")}\n`);
    expect(summary).toContain("Verdict gate: passed");
    expect(stdout).toContain("::stop-commands::");
    expect(JSON.parse(readFileSync(join(directory, "gate.sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
    expect(given.split("\n")).toContain("--allow=removed");
    // Patterns are never flags.
    expect(given.split("\n")).toContain("--expect-same=--fail-on=none");
    expect(given.split("\n")).toContain("--expect-same=a.py::*");
  });

  it("fails without a verdict where the gate did not run", () => {
    const { status, output, stderr } = run('$(touch x)";--version');
    expect(status).toBe(2);
    expect(output).not.toContain("passed=");
    expect(stderr).toContain("There is no commit");
  });

  it("runs this version, and puts no input into the text of a script", () => {
    const action = readFileSync("action/action.yml", "utf8");
    const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(action).toContain(`default: "${name}@${version}"`);
    expect(readFileSync("docs/gate.md", "utf8").match(/verdict\/action@v([\d.]+)/)?.[1]).toBe(version);
    const scripts = [...action.matchAll(/^ *run: (.*)$/gm)].map(([, script]) => script ?? "");
    expect(scripts.length).toBe(1);
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  });
});
