import { describe, expect, it } from "vitest";
import { type Connection, connect, solve } from "../support/client.ts";
import { builds_by_itself } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";

const missing =
  'Parameter "smtlib" is required and must contain valid SMT-LIB2 code. Include variable declarations, assertions, and (check-sat).';
const timeout = (given: string) =>
  `Parameter "timeout_ms" must be 1-600000 (milliseconds). Given: ${given}. Omit for default 30000ms.`;

/** A fault: nothing decided, a code, two or three steps. */
async function fault(server: Connection, args: Record<string, unknown>) {
  const { structured, isError, text } = await solve(server, args);
  expect(isError).toBe(true);
  expect(structured["status"]).toBe("error");
  expect(String(structured["remedy"])).toMatch(/^\(1\) .+; \(2\) .+/);
  expect(text).toContain(String(structured["error"]));
  expect(text).toContain(String(structured["remedy"]));
  return {
    error: String(structured["error"]),
    code: structured["code"],
    position: structured["position"],
    remedy: String(structured["remedy"]),
  };
}

describe("arguments that can't be", () => {
  // Where a call may become a job, its time limit may be longer (test/jobs/).
  const server = fixture(() => connect({ env: { VERDICT_HANDOVER_MS: "0" } }));

  it.each([
    ["nothing", {}],
    ["empty", { smtlib: "" }],
    ["blank", { smtlib: " \n\t" }],
    ["null", { smtlib: null }],
    ["a number", { smtlib: 5 }],
  ])("a script that is %s gets the specified message", async (_, args) => {
    expect(await fault(server, args)).toMatchObject({ error: missing, code: "invalid_argument" });
  });

  it("a script of comments alone has no command", async () => {
    expect(await fault(server, { smtlib: "; (check-sat)\n" })).toMatchObject({ error: missing });
  });

  it.each([
    [0, "0"],
    [-1, "-1"],
    [600_001, "600001"],
    [1e9, "1000000000"],
    ["30 s", '"30 s"'],
    [{ toString: 1 }, '{"toString":1}'],
  ])("timeout_ms %j gets the specified message", async (given, shown) => {
    expect(await fault(server, { smtlib: "(check-sat)", timeout_ms: given })).toMatchObject({
      error: timeout(shown),
      code: "invalid_argument",
    });
  });

  it("an argument that the tool does not know is refused by name", async () => {
    const { error, remedy } = await fault(server, { smtlib: "(check-sat)", timeout: 5 });
    expect(error).toBe('Unknown argument "timeout": did you mean "timeout_ms"?');
    expect(remedy).toContain("solve_smtlib takes: smtlib, timeout_ms, explain_unsat, engine");
  });

  it("a script past the size limit is refused before it is read", async () => {
    const { error } = await fault(server, { smtlib: `;${"x".repeat(2 * 1024 * 1024)}` });
    expect(error).toContain("is longer than 2097152 characters");
  });
});

describe.each(builds_by_itself)("scripts that can't be, on $name Z3", ({ name, z3 }) => {
  describe.skipIf(z3 === undefined)(name, () => {
    const server = fixture(() => connect({ env: { VERDICT_Z3: z3 ?? "" } }));

    it.each([
      [
        "an unclosed list",
        "(declare-const x Int)\n(assert (> x 0)\n(check-sat)",
        2,
        1,
        "`(assert (> x 0)` at line 2, column 1 is never closed",
      ],
      ["two unclosed lists", "(assert\n  (and true\n(check-sat)", 2, 3, "It is inside `(assert` at line 1, column 1"],
      [
        "a stray closing",
        "(declare-const x Int))\n(check-sat)",
        1,
        22,
        "The command `(declare-const x Int` at line 1, column 1 already ended at line 1, column 21",
      ],
      [
        "a string without end",
        '(assert true)\n(echo "abc)\n(check-sat)',
        2,
        7,
        'the string that begins here is never closed. It is inside `(echo "abc)` at line 2, column 1',
      ],
      [
        "a symbol without end",
        "(declare-const |abc Int)\n(check-sat)",
        1,
        16,
        "the quoted symbol that begins with | here is never closed",
      ],
      [
        "a backslash in a symbol",
        "(declare-const |a\\| Int)(check-sat)",
        1,
        18,
        "a backslash inside |…| is not allowed",
      ],
      ["a block comment", "#| hidden |#\n(check-sat)", 1, 1, "is not a comment in SMT-LIB"],
      ["a NUL", "(check-sat)\n(assert \0 true)", 2, 9, "NUL"],
      ["a letter beyond ASCII in a bare symbol", "(declare-const é Int)", 1, 16, "unexpected character `é` (U+00E9)"],
      ["a no-break space", "(declare-const\u00a0x Int)", 1, 15, "unexpected character U+00A0"],
      ["a name of digits", "(assert (! true :named 1a))", 1, 24, "`1a` is not a name: a name begins with a letter"],
      ["brackets", "(assert [true])", 1, 9, "unexpected character `[`"],
      ["prose", "Please solve x > 3", 1, 1, "expected a command such as (assert …), found `Please`"],
      ["a bare formula in a list", "((> x 3))", 1, 1, "found a list that does not begin with a command's name"],
    ])("%s is a syntax fault with its place", async (_, smtlib, line, column, words) => {
      const got = await fault(server, { smtlib });
      expect(got).toMatchObject({ code: "syntax_error", position: { line, column } });
      expect(got.error).toContain(`line ${line}, column ${column}`);
      expect(got.error).toContain(words);
    });

    it.each([
      [
        "an undeclared constant",
        "(declare-const total Int)\n(assert\n  (> totl 10))\n(check-sat)",
        3,
        6,
        "unknown constant totl, in `(> totl 10)`. Did you mean `total`?",
      ],
      [
        "an undeclared function",
        "(declare-fun area (Int Int) Int)\n(assert (= (aera 1 2) 3))",
        2,
        21,
        "unknown constant aera (Int Int), in `(aera 1 2)`. Did you mean `area`?",
      ],
      ["an undeclared sort", "(declare-const x Integer)", 1, 18, "SMT-LIB writes Int."],
      ["another language's operator", "(declare-const x Int)\n(assert (== x 3))", 2, 16, "SMT-LIB writes (= a b)."],
      [
        "an operator read as an empty symbol",
        "(declare-const p Bool)\n(assert (|| p p))",
        2,
        16,
        "SMT-LIB writes (or a b)",
      ],
      ["a wrong sort", '(declare-const x Int)\n(assert (> x "a"))', 2, 17, "Sort mismatch at argument #2"],
      ["a formula that is not a Bool", "(declare-const x Int)\n(assert (+ x 1))", 2, 16, "term is not Boolean"],
      [
        "a wrong number of arguments",
        "(declare-fun f (Int) Int)\n(assert (= 0 (f 1 2)))",
        2,
        20,
        "declared: (declare-fun f (Int) Int)",
      ],
      [
        "a command with a typing error",
        "(declare-const x Int)\n (chek-sat)",
        2,
        2,
        "Unknown command `chek-sat` at line 2, column 2. Did you mean check-sat?",
      ],
      ["a formula without assert", "(declare-const x Int)\n(= x 3)", 2, 1, "Unknown command `=`"],
      [
        "an info that Z3 does not have",
        "(check-sat)\n(get-info :nothing)",
        2,
        1,
        "Z3 does not support `(get-info :nothing)`",
      ],
      [
        "a value before any check",
        "(declare-const x Int)\n(get-value (x))\n(assert true)(check-sat)",
        2,
        15,
        "model is not available",
      ],
      ["too many pops", "(push)(pop)\n(pop)", 2, 5, "argument is greater than the current stack depth"],
    ])("%s is a fault with the solver's place", async (_, smtlib, line, column, words) => {
      const got = await fault(server, { smtlib });
      expect(got).toMatchObject({ code: "input_rejected", position: { line, column } });
      expect(got.error).toContain(words);
    });

    it("an error after a verdict voids the verdict", async () => {
      const { error } = await fault(server, { smtlib: "(assert false)\n(check-sat)\n(assert missing)" });
      expect(error).toContain("unknown constant missing");
      expect(error).toContain("Nothing was decided");
    });

    it("several errors are reported at once", async () => {
      const { error } = await fault(server, { smtlib: "(assert a)\n(assert b)\n(assert c)\n(check-sat)" });
      expect(error).toContain(
        "Further errors: line 2, column 9: unknown constant b; line 3, column 9: unknown constant c.",
      );
    });

    it.each([
      ["an echo of unsat", '(declare-const x Int)(assert (> x 0))(check-sat)(echo "unsat")', "sat"],
      ["an echo of a fault", '(echo "(error ""line 1 column 1: no"")")(assert false)(check-sat)', "unsat"],
      ["an echo before the check", '(echo "sat")(assert false)(check-sat)(echo "sat")', "unsat"],
      [
        "a constant of that name",
        "(declare-const unsat Bool)(assert unsat)(check-sat)(simplify unsat)(eval unsat)",
        "sat",
      ],
      ["a symbol of several lines", "(declare-const |\nunsat\n| Bool)(check-sat)(simplify |\nunsat\n|)", "sat"],
      ["a comment with a check", "(assert false) ; (check-sat) (get-model)\n; (reset)\n(check-sat)", "unsat"],
      [
        "a string with commands",
        '(declare-const s String)(assert (= s "(reset)(check-sat)\n(exit)"))(check-sat)',
        "sat",
      ],
      ["a false :status", "(set-info :status unsat)(check-sat)", "sat"],
      ["success after each command", "(set-option :print-success true)(assert false)(check-sat)", "unsat"],
      ["models left out", "(set-option :produce-models false)(check-sat)", "sat"],
      ["echoes in quotes", "(set-option :smtlib2_compliant true)(assert false)(check-sat)", "unsat"],
    ])("%s changes no verdict", async (_, smtlib, status) => {
      const { structured } = await solve(server, { smtlib });
      expect(structured["status"]).toBe(status);
    });

    it.each([
      [
        "output to a file",
        '(set-option :regular-output-channel "out.txt")(check-sat)',
        "sends the solver's output elsewhere",
      ],
      [
        "errors to a file",
        '(set-option :diagnostic-output-channel "err.txt")(check-sat)',
        "sends the solver's output elsewhere",
      ],
      ["an include", '(include "/etc/hostname")(check-sat)', "reads or writes files of this machine"],
      ["an include in bars", '(|include| "/etc/hostname")(check-sat)', "reads or writes files of this machine"],
      ["a log of the solver", "(set-option :solver.smtlib2_log out.smt2)(check-sat)", "read or write files"],
      ["a log under another spelling", '(set-option :Solver.SMTLIB2-Log "out.smt2")(check-sat)', "read or write files"],
      ["a proof log", "(set-option :sat.drat.file out.drat)(check-sat)", "read or write files"],
      ["a trace", "(set-option :trace true)(check-sat)", "read or write files"],
      [
        "a dump by a tactic's parameter",
        "(check-sat-using (using-params smt :solver.smtlib2_log out))",
        "read or write files",
      ],
      ["a dump of benchmarks", "(set-option :opt.dump_benchmarks true)(check-sat)", "read or write files"],
    ])("%s is refused with the reason", async (_, smtlib, words) => {
      const { error, code } = await fault(server, { smtlib });
      expect(code).toBe("forbidden");
      expect(error).toContain(words);
    });
  });
});
