import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cli } from "../support/client.ts";
import { command } from "../support/command_line.ts";
import { openBench, quickest_z3 } from "../support/engines.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { has_python } from "../support/models.ts";
import { pythonData, real_setup_ms_max } from "../support/python.ts";
import { runs_all, some } from "../support/runs_all.ts";

/** The program in a process of its own; the rest is asked in this one. */
function verdict(args: string[], input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    env: { ...process.env, VERDICT_Z3: quickest_z3 },
    input,
  });
  return { status, stdout, stderr };
}

describe("the command line", () => {
  it("calls a tool, prints the structured answer, and shows nothing where stderr is not a terminal", () => {
    const { status, stdout, stderr } = verdict(["call", "solve_smtlib", "--json", '{"smtlib":"(assert false)"}']);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "unsat", output: "; unsat" });
  });

  it("says on an older Node which one it needs, and where that is", () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })';
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(older)}`, cli],
      { encoding: "utf8", input: "" },
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^Verdict needs Node 20\.19 or newer, and this is Node 18\.20\.8: install .*nodejs\.org.*\n$/,
    );
  });

  it("prints a fault and exits with 1", () => {
    const { status, stdout } = verdict(["call", "solve_smtlib", "--json", '{"smtlib":""}']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: "error", code: "invalid_argument" });
  });

  it("takes a script from a .smt2 file, and arguments from a JSON file", async () => {
    const { stdout } = await command([
      "call",
      "solve_smtlib",
      "--file",
      "test/fixtures/core.smt2",
      "--json",
      '{"explain_unsat":true}',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "unsat", unsat_core: [{ name: "line_2" }, { name: "line_3" }] });
    const { stdout: again } = await command(["call", "solve_smtlib", "--file", "test/fixtures/call.json"]);
    expect(JSON.parse(again)).toMatchObject({ status: "sat", model: { x: "4" } });
  });

  const faulty: [string, string[], string][] = [
    ["broken JSON", ["call", "solve_smtlib", "--json", "{smtlib}"], "is not JSON"],
    ["a tool that is not there", ["call", "solve_all"], 'There is no tool "solve_all"'],
    ["a file that is not there", ["call", "solve_smtlib", "--file", "nowhere.smt2"], "could not be read (ENOENT)"],
  ];
  it.each(faulty)("gives a fault for %s", async (_, args, words) => {
    const { status, stdout } = await command(args);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).error).toContain(words);
  });

  it.each([
    [["doctr"], "unknown command 'doctr'", "Did you mean doctor?"],
    [["frobnicate"], "unknown command 'frobnicate'", "`verdict help` lists the commands"],
    [["call", "solve_smtlib", "--jsn", "{}"], "unknown option '--jsn'", "Did you mean --json?"],
    [["call"], "missing required argument 'TOOL'", "`verdict help COMMAND`"],
  ])("%j is a mistake of usage: exit 2, a few lines, and what was probably meant", async (args, problem, step) => {
    const { status, stdout, stderr } = await command(args);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(problem);
    expect(stderr).toContain(step);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
  });

  it.each([[["solve", "--nope", "--json", "x.mzn"]], [["doctor", "--json", "--nope"]]])(
    "%j prints the object of a fault, as JSON was asked for",
    async (args) => {
      const { status, stdout } = await command(args);
      expect(status).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ status: "error", code: "invalid_argument" });
    },
  );

  it.skipIf(!existsSync("/dev/full"))("fails where its output can't be written, and says so", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [cli, "schemas"], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect(status).toBe(2);
    expect(stderr).toContain("could not be written (ENOSPC)");
  });

  it("a server without a toolset ends, and says what there is to choose from", () => {
    const { status, stderr } = verdict(["serve", "--tools", "modle"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("write model if you meant that")]);
  });

  it.each([
    [["call", "solve", "--language", "mzn3"], "minizinc"],
    [["call", "solve", "--tools", "frob"], "choose from: smtlib, model, symbolic, lean, memo"],
  ])("%j says what there is to choose from", async (args, words) => {
    const { status, stdout } = await command(args);
    expect([status, stdout]).toEqual([1, expect.stringContaining(words)]);
  });

  it("takes a script as an argument, from a file, and from standard input", async () => {
    const script = "(declare-const x Int)(assert (= x 4))";
    const called = async (args: readonly string[], input = "") =>
      JSON.parse((await command(["call", "solve_smtlib", ...args], { input })).stdout);
    expect(await called([script])).toMatchObject({ model: { x: "4" } });
    expect(await called([JSON.stringify({ smtlib: script })])).toMatchObject({ model: { x: "4" } });
    expect(await called(["test/fixtures/core.smt2", "--json", '{"explain_unsat":true}'])).toMatchObject({
      status: "unsat",
    });
    expect(JSON.parse(verdict(["call", "solve_smtlib", "-"], script).stdout)).toMatchObject({ model: { x: "4" } });
    expect(await called(["--file", "-"], script)).toMatchObject({ model: { x: "4" } });
    expect(await called(["--file", "-"], JSON.stringify({ smtlib: script }))).toMatchObject({ model: { x: "4" } });
  });

  it("says which tool takes no script", async () => {
    const { status, stdout } = await command(["call", "clear_model", "x.py"]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).error).toBe("clear_model takes no script.");
  });

  it("prints what a client would show with --text, faults too", async () => {
    const { status, stdout } = await command(["call", "solve_smtlib", "(assert false)", "--text"]);
    expect(status).toBe(0);
    expect(stdout).toBe("; unsat\n");
    const fault = await command(["call", "solve_smtlib", "(assert", "--text"]);
    expect(fault.status).toBe(1);
    expect(fault.stdout).toBe("");
    expect(fault.stderr).toMatch(/What to do: \(1\)/);
  });

  it("doctor reports each engine, says how to get what is missing, and only that, and fails for none", async () => {
    const env = { VERDICT_PYTHON: "/nowhere/python", VERDICT_ENVIRONMENTS: "/nowhere" };
    const { status, stdout } = await command(["doctor"], { env });
    const engines = stdout.split(/^(?=[✓✗])/m).slice(1);
    expect(engines.length).toBeGreaterThan(4);
    for (const engine of engines) expect(engine.includes("to get it")).toBe(engine.startsWith("✗"));
    expect(engines.some((engine) => engine.startsWith("✗"))).toBe(true);
    expect(stdout).toContain("✓ z3");
    expect(status).toBe(0);
  });

  it("demo solves every problem", { timeout: 3 * real_setup_ms_max }, async () => {
    // The models and the agent take most of its time; the suite has such models in test/model/, and the agent in test/agent/.
    const tools = runs_all ? {} : { VERDICT_TOOLS: "smtlib,symbolic" };
    const env = has_python ? { ...tools, VERDICT_DATA: await pythonData() } : tools;
    const { status, stdout } = await command(["demo"], { env });
    expect(status).toBe(0);
    expect(stdout).toContain("((+ send more) 10652)");
    expect(stdout).toContain("(line_2 line_4 line_5 line_7)");
    expect(stdout).toContain("; reason: timeout");
    expect(stdout).not.toContain("Verdict failed");
    expect(stdout).toContain(has_python ? "equivalent (proven" : "VERDICT_PYTHON");
    if (!runs_all) return;
    expect(stdout).toMatch(
      /and no others have a better objective\..*\n.* tour = .*\n.* total_distance = 1564\n.* objective: 1564\n/,
    );
    expect(stdout).toContain('sent = [["tweety"]]');
    if (!has_python) return expect(stdout).toContain("VERDICT_PYTHON");
    expect(stdout).toContain("Satisfiable, with these values.");
    expect(stdout).toContain("item 5, line 1: panel > games");
    expect(stdout).toContain("objective: 4");
    expect(stdout).toContain("write <= instead of ≤");
  });
});

/** The same at a terminal, which `script` of util-linux makes; stdout and stderr come together. */
function atTerminal(args: string[], input = "", env: Record<string, string> = {}): string {
  const line = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(" ");
  const { stdout } = spawnSync("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    encoding: "utf8",
    env: { ...process.env, VERDICT_Z3: quickest_z3, ...env },
    input,
  });
  return stdout;
}

describe.skipIf(process.platform !== "linux")("the command line at a terminal", () => {
  it("says what the bare program is and waits for", () => {
    // End of input, as Ctrl-D at a terminal.
    const shown = atTerminal([], "\u0004");
    expect(shown).toContain("Verdict is an MCP server");
    expect(shown).toContain("verdict help");
  });

  it("shows that a call goes on, and for how long", () => {
    const shown = atTerminal(["call", "solve_smtlib", "(assert false)", "--text"]);
    expect(shown).toMatch(/working, \d+ s/);
    expect(shown).toContain("; unsat");
  });

  if (has_python)
    it.each(
      some([
        ["check", ["total"]],
        ["compare", ["price", "price_again"]],
        ["branches", ["total"]],
      ] as const),
    )(
      "shows that %s goes on",
      async (command, functions) => {
        const places = functions.map((name) => `test/fixtures/symbolic/shop.py::${name}`);
        const shown = atTerminal([command, ...places, "--timeout", "1"], "", { VERDICT_DATA: await pythonData() });
        expect(shown).toMatch(/working, 0 s/);
      },
      real_setup_ms_max,
    );
});

describe.skipIf(!has_python)("questions about Python files", () => {
  const shop = "test/fixtures/symbolic/shop.py";
  const ask = async (...args: string[]) => command(args, { env: { VERDICT_DATA: await pythonData() } });

  it.each([
    [["check", `${shop}::price`], 0, /^verified \(proven/],
    [["check", `${shop}::mean`], 1, /^counterexample\nmean\(values=\[\]\)\n.*ZeroDivisionError/],
    [["compare", `${shop}::price`, `${shop}::price_again`], 1, /^different/],
    [["branches", `${shop}::price`], 0, /dead lines: 7/],
  ])(
    "%j exits with %i",
    async (args, code, words) => {
      const { status, stdout } = await ask(...args, "--timeout", "150");
      expect(stdout).toMatch(words);
      expect(status).toBe(code);
    },
    real_setup_ms_max,
  );

  it("a check of what stays open exits with 3", async () => {
    const { status, stdout } = await withEnoughTime(
      (ms) => ask("check", `${shop}::total`, "--timeout", String(ms / 1000)),
      (ended) => ended.status === 3,
      2_000,
    );
    expect([status, stdout]).toEqual([3, expect.stringMatching(/^timeout\n/)]);
  });

  const wrong: [string[], string][] = [
    [["compare", `${shop}::price`], "verdict compare takes FILE.py::first FILE.py::second."],
    [["check", `${shop}::prise`], "name price if you meant that"],
    [["check", `${shop}::price`, "--timeout", "soon"], 'Parameter "timeout_seconds" must be 1-600'],
    [["check", shop], "verdict check takes FILE.py::function."],
    [["check", "nowhere.py::f"], "nowhere.py could not be read (ENOENT)."],
  ];
  it.each(wrong)("%j is told what is wrong, and exits with 2", async (args, words) => {
    const { status, stderr } = await ask(...args);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });
});

describe("doctor on an engine", () => {
  const nothing_else = { VERDICT_ENVIRONMENTS: "/nowhere" };
  const fixture = (name: string) => `${resolve(`test/fixtures/${name}`)}:/usr/bin:/bin`;
  const private_z3 = { PATH: "/usr/bin:/bin", VERDICT_DATA: "test/fixtures/data" };
  /** What doctor prints of one engine, without asking the others. */
  const report = async (name: "z3" | "minizinc", z3: string, env: Record<string, string>) => {
    const { engines } = openBench(z3, undefined, env);
    const [of_engine] = await engines[name].probe().finally(() => engines.close());
    return of_engine;
  };

  it("takes the embedded one where the one that is named is missing", async () => {
    expect(await report("z3", "/nowhere/z3", nothing_else)).toMatchObject({
      ...{ name: "z3", found: true, kind: "wasm", why: "embedded: the one of VERDICT_Z3 does not answer" },
    });
  });

  it.skipIf(process.platform === "win32")("does not say that a slow MiniZinc has no solver", async () => {
    const env = { ...nothing_else, VERDICT_MINIZINC: "", PATH: fixture("slow") };
    expect(await report("minizinc", quickest_z3, env)).toMatchObject({
      ...{ kind: "wasm", why: "embedded: the one of PATH did not list its solvers in time" },
    });
  });

  it("does not take an old Z3 from PATH, and says so", async () => {
    expect(await report("z3", "", { ...nothing_else, PATH: fixture("old") })).toMatchObject({
      ...{ kind: "wasm", why: "embedded: the one of PATH is 4.8.12, older than 4.12 (VERDICT_Z3 forces it)" },
    });
  });

  it("does not take a MiniZinc from PATH that is known for false answers, and says so", async () => {
    expect(
      await report("minizinc", quickest_z3, { ...nothing_else, VERDICT_MINIZINC: "", PATH: fixture("old") }),
    ).toMatchObject({
      ...{ kind: "wasm", why: "embedded: the one of PATH is 2.6.4, older than 2.10" },
    });
    // Where the user names it, its answers would be taken for those of the build that answers.
    const named = { ...nothing_else, VERDICT_MINIZINC: resolve("test/fixtures/old/minizinc") };
    await expect(report("minizinc", quickest_z3, named)).rejects.toMatchObject({
      code: "engine_missing",
      message: "VERDICT_MINIZINC points to MiniZinc 2.6.4, but Verdict needs MiniZinc 2.10 or newer. Nothing was run.",
    });
  });

  it.each([
    ["when there is none on PATH", "", ""],
    ["where the one that was named does not answer", "/nowhere/z3", "; the one of VERDICT_Z3 does not answer"],
  ])("uses the Z3 of the private Python environment %s", async (_, named, more) => {
    expect(await report("z3", named, private_z3)).toMatchObject({
      ...{ kind: "native", version: "9.9.9", why: `native, found by the private Python environment${more}` },
    });
  });
});

describe("the guide", () => {
  const guide = readFileSync("src/tools/smtlib/guide.md", "utf8");
  const blocks = [...guide.matchAll(/```smt2\n; answer: (\w+)\n([\s\S]*?)```/g)];

  it("has an answer on every block", () => {
    expect(blocks.length).toBe(guide.split("```smt2").length - 1);
    expect(blocks.length).toBeGreaterThanOrEqual(5);
  });

  const bench = openBench(quickest_z3);
  afterAll(() => bench.engines.close());

  it.each(blocks.map(([, answer = "", script = ""]) => [answer, script]))(
    "gives %s for its block",
    async (answer, script) => {
      expect(await bench.call("solve_smtlib", { smtlib: script })).toMatchObject({ status: answer, warnings: [] });
    },
  );
});

describe("the documents", () => {
  const documents = [
    "README.md",
    "ARCHITECTURE.md",
    ...readdirSync("docs/decisions").map((file) => `docs/decisions/${file}`),
  ];

  it.each(documents)("%s names only files that exist", (document) => {
    const text = readFileSync(document, "utf8");
    const named = [...text.matchAll(/`((?:src|test|docs|bench|scripts)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    const files = new Set(
      ["src", "test", "docs", "bench", "scripts"].flatMap((root) =>
        readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => `${root}/${file}`),
      ),
    );
    expect(named.filter((path) => !files.has(path.replace(/\/$/, "")) && path !== "src/" && path !== "test/")).toEqual(
      [],
    );
  });
});
