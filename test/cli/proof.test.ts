import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/tools/model/bundle/record.ts";
import { command } from "../support/command_line.ts";
import { removeDirectory } from "../support/directories.ts";
import { openFakes } from "../support/fakes.ts";
import { has_python } from "../support/models.ts";
import { privatePython } from "../support/python.ts";

const code = `def root(n: int) -> int:
    """post: _ * _ <= n < (_ + 1) * (_ + 1)"""
    assert n >= 0
    lo, hi = 0, n + 1
    while hi - lo > 1:
        assert 0 <= lo < hi and lo * lo <= n < hi * hi
        mid = (lo + hi) // 2
        if mid * mid <= n:
            lo = mid
        else:
            hi = mid
    return lo


def wrong(n: int) -> int:
    """post: _ != 7"""
    return n


def bits(n: int) -> int:
    """pre: 0 <= n < 8"""
    return n.bit_count()
`;

describe.skipIf(!has_python)("a proof that is kept", () => {
  let directory = "";
  let data = "";
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "verdict-proof-"));
    writeFileSync(at("f.py"), code);
    ({ data } = await privatePython("smt"));
    await run(["check", "f.py::root", "--proof", "root"]);
  });
  afterAll(() => {
    fakes.remove();
    removeDirectory(directory);
  });
  const fakes = openFakes();

  const at = (...parts: string[]) => join(directory, ...parts);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    command(args, { directory, env: { VERDICT_DATA: data, ...env } });

  /** Asks again about the proof with one file changed, and its hash too, if that is forged. */
  async function recheckedWith(change: { file?: string; edit?: (text: string) => string; forged?: boolean }, env = {}) {
    const copy = mkdtempSync(at("copy-"));
    cpSync(at("root"), copy, { recursive: true });
    const { file = "code.py", edit = (text) => text, forged = false } = change;
    const text = edit(readFileSync(join(copy, file), "utf8"));
    writeFileSync(join(copy, file), text);
    if (forged) {
      const record = JSON.parse(readFileSync(join(copy, "bundle.json"), "utf8"));
      record.files[file] = { bytes: Buffer.byteLength(text), sha256: sha256(text) };
      writeFileSync(join(copy, "bundle.json"), JSON.stringify(record));
    }
    const { status, stdout } = await run(["recheck", copy, "--json", "--timeout", "60"], env);
    return { status, report: JSON.parse(stdout) };
  }

  it("has the code, the assumptions and every question, which Z3 and cvc5 answer again", async () => {
    const record = JSON.parse(readFileSync(at("root", "bundle.json"), "utf8"));
    expect(record).toMatchObject({ tool: "symbolic_check", functions: ["root"], method: /induction/ });
    expect(record.assumptions.join()).toMatch(/Python 3.*exactly its annotated type/);
    expect(readFileSync(at("root", "code.py"), "utf8")).toBe(code);
    const names = readdirSync(at("root", "questions")).map((name) => `questions/${name}`);
    expect(names.length).toBeGreaterThan(3);
    expect(record.questions).toEqual(names.toSorted().map((file) => ({ file, answer: "unsat" })));
    const { status, stdout } = await run(["recheck", "root"]);
    expect(stdout).toContain(`${names.toSorted()[0]}: z3 unsat, cvc5 unsat`);
    expect(stdout).toMatch(/The proof holds: code\.py leads to these questions.*\nAsked: z3 .*cvc5 /);
    expect(status).toBe(0);
  });

  it("does not hold if a question has an answer, and is undecided if a solver did not decide one", async () => {
    const file = `questions/${readdirSync(at("root", "questions"))[0]}`;
    const weaker = (text: string) => text.replace(/^\(assert .*$/gm, "");
    expect(await recheckedWith({ file, edit: weaker, forged: true })).toMatchObject({
      status: 1,
      report: { holds: false, message: expect.stringContaining(file) },
    });
    // A solver that says sat has to show values that satisfy the question.
    for (const behaviour of ["lies", "segfault"]) {
      const recheck = await recheckedWith({}, { VERDICT_CVC5: fakes.path(behaviour) });
      expect(recheck).toMatchObject({ status: 3, report: { holds: null } });
      expect(recheck.report.questions[0].answers.z3).toBe("unsat");
    }
  });

  it("is undecided if the code leads to other questions, and does not hold if the code is wrong", async () => {
    const file = `questions/${readdirSync(at("root", "questions"))[0]}`;
    const trivial = () => "(set-logic ALL)\n(assert false)\n(check-sat)\n";
    expect(await recheckedWith({ file, edit: trivial, forged: true })).toMatchObject({
      status: 3,
      report: { holds: null, message: expect.stringMatching(/(\d+) of (?!\1 )\d+ that Verdict derives from code\.py/) },
    });
    const edit = (text: string) => text.replace("<= n <", "< n <");
    expect(await recheckedWith({ edit, forged: true })).toMatchObject({
      status: 1,
      report: { holds: false, message: "The proof does not hold: Verdict answers counterexample to code.py." },
    });
  });

  it("says that only the solvers were asked if there is no Python", async () => {
    const env = { VERDICT_CVC5: fakes.path("lies_unsat"), VERDICT_PYTHON: at("none"), VERDICT_DATA: at("no_data") };
    expect(await recheckedWith({}, env)).toMatchObject({
      status: 0,
      report: { holds: true, message: expect.stringMatching(/Only the solvers were asked.*CPython/) },
    });
  });

  it("is not asked about if its files were changed, and nothing in it writes a file", async () => {
    const changed = await recheckedWith({ file: "code.py", edit: (text) => `${text}\n` });
    expect(changed).toMatchObject({
      status: 4,
      report: { holds: null, changed_files: [{ file: "code.py", how: "changed" }] },
    });
    const file = `questions/${readdirSync(at("root", "questions"))[0]}`;
    const writes = (text: string) => `(set-option :regular-output-channel "${at("written")}")\n${text}`;
    const hostile = await recheckedWith({ file, edit: writes, forged: true });
    expect(hostile).toMatchObject({ status: 3, report: { holds: null } });
    expect(hostile.report.questions[0].answers.z3).toMatch(/^not asked/);
    expect(existsSync(at("written"))).toBe(false);
  });

  it("is written only as a proof, and never over files", async () => {
    const before = readFileSync(at("root", "bundle.json"), "utf8");
    expect(await run(["check", "f.py::root", "--proof", "root"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("has files already"),
    });
    expect(readFileSync(at("root", "bundle.json"), "utf8")).toBe(before);
    expect(await run(["check", "f.py::wrong", "--proof", "none"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("No proof was written"),
    });
    expect(existsSync(at("none"))).toBe(false);
    expect(await run(["rerun", "root"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("`verdict recheck`"),
    });
  });

  it("without questions is undecided, as a ZIP too", async () => {
    await run(["check", "f.py::bits", "--proof", "bits.zip"]);
    const { status, stdout } = await run(["recheck", "bits.zip"]);
    expect(stdout).toContain("all 8 inputs were run) has no questions");
    expect(status).toBe(3);
  });
});
