import { describe, expect, it } from "vitest";
import { toFault } from "../../src/kernel/fault.ts";
import { nativeZ3, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { endless } from "../support/scripts.ts";
import { solveText } from "../support/smtlib.ts";

/** What an answer shows, and that no way of asking loses it. */
describe("an answer of solve_smtlib", () => {
  const bench = fixture(() => openBench(nativeZ3() ?? "wasm"));
  const ask = (smtlib: string, more = {}) => solveText(bench, smtlib, more);

  describe("to several checks", () => {
    it("is in the order of the script, below the last verdict and the check that it answers", async () => {
      const { output } = await ask(`(declare-const x Int)
(assert (> x 0))
(check-sat)
(push)
(assert (! (< x 0) :named negative))
(echo "between")
(check-sat)`);
      expect(output).toBe(`; unsat (check 2 of 2, line 7)
; check 1, line 3
sat
between
; check 2, line 7
unsat
(negative)`);
    });

    it("has each model beside its own check", async () => {
      const { output } = await ask(`(declare-const x Int)
(push)(assert (= x 1))
(check-sat)
(get-model)
(pop)
(assert (= x 2))
(check-sat)
(get-value (x))`);
      expect(output).toBe(`; sat (check 2 of 2, line 7)
; check 1, line 3
sat
(model
  (define-fun x () Int 1)
)
; check 2, line 7
sat
((x 2))`);
    });

    it("names a last check that was not reached", async () => {
      const { output } = await ask(`(assert true)\n(check-sat)\n${endless}`, { timeout_ms: 1500 });
      expect(output).toMatch(
        /^; unknown \(check 2 of 2, line 7\)\n; Z3 solver timed out[^\n]*\n; check 1, line 2\nsat$/,
      );
    });
  });

  describe("with a model", () => {
    it("leaves out the script's own definitions, in text and data, also in models of earlier checks", async () => {
      const { output, model, transcript } = await ask(
        `(declare-const x Int)
(define-fun limit () Int 5)
(define-fun twice ((n Int)) Int (* 2 n))
(define-fun-rec count ((n Int)) Int (ite (<= n 0) 0 (+ 1 (count (- n 1)))))
(assert (! (= (twice x) (+ limit 1)) :named goal))
(assert (or (! (= (count x) x) :named inner) false))
(check-sat)
(get-model)
(check-sat)`,
        { explain_unsat: true },
      );
      expect(model).toEqual({ x: "3" });
      expect(output.match(/define-fun/g)).toHaveLength(2);
      expect(transcript[1]?.output).toBe("(model\n  (define-fun x () Int 3)\n)");
    });

    it("shows the universe of an uninterpreted sort as Z3 has it", async () => {
      const { output } = await ask(`(declare-sort Person 0)
(declare-const a Person)(declare-const b Person)
(assert (distinct a b))
(assert (forall ((x Person)) (or (= x a) (= x b))))
(check-sat)`);
      expect(output).toMatch(/\n {2}\(forall \(\(x Person\)\) \(or \(= x Person!val!\d\) \(= x Person!val!\d\)\)\)\n/);
      expect(output).not.toContain("||");
    });

    it.each([
      ["a division", "(declare-const y Real)(assert (and (= (/ 1 y) 7.0) (= y 0.0)))", "where `y` is 0"],
      ["div", "(declare-const y Int)(assert (= (div 5 y) 7))", "where `y` is 0"],
      ["mod", "(declare-const y Int)(assert (= (mod 5 y) 7))(assert (= y 0))", "`(mod 5 y)`, where `y` is 0"],
      [
        "a division behind let and ite",
        "(declare-const y Int)(assert (let ((d (- y 1))) (ite (> y 0) (= (div 5 d) 7) false)))",
        "where `d` is 0",
      ],
      ["a division by the number 0", "(declare-const x Int)(assert (= (div x 0) 3))", "Change the divisor"],
      [
        "a sequence read beyond its end",
        "(declare-const s (Seq Int))(assert (= (seq.nth s 3) 7))(assert (= (seq.len s) 1))",
        "beyond the end of the sequence",
      ],
      [
        "a field of another constructor",
        "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)(assert (= (hd l) 7))(assert (= l nil))",
        "Assert ((_ is cons) l)",
      ],
    ])("says that it rests on an open value: %s", async (_, script, words) => {
      const { status, warnings } = await ask(script);
      expect(status).toBe("sat");
      expect(warnings.join("\n")).toContain(words);
      expect(warnings.join("\n")).toContain("SMT-LIB does not define that value");
    });

    it("is not shown where the script wants none, or asks for single values instead", async () => {
      const script = "(declare-const x Int)(declare-const y Int)(assert (= x 7 (+ y 1)))(check-sat)";
      const none = await ask(`(set-option :produce-models false)${script}`);
      expect(none).toMatchObject({ status: "sat", output: "; sat", warnings: [] });
      expect(none).not.toHaveProperty("model");
      const asked = await ask(`${script}\n(get-value ((+ x y) y))`);
      expect(asked).toMatchObject({ output: "; sat\n(((+ x y) 13)\n (y 6))", model: { "(+ x y)": "13", y: "6" } });
      const both = await ask(`${script}(get-value ((+ x y)))(get-model)`);
      expect(both.model).toEqual({ x: "7", y: "6", "(+ x y)": "13" });
    });

    it("of many constants shows those that are not 0 or false, and says how to see others", async () => {
      const names = Array.from({ length: 900 }, (_, i) => `edge_from_${i}_to_its_neighbour`);
      const script = names.map((name, i) => `(declare-const ${name} Int)(assert (= ${name} ${i % 30 === 29 ? 5 : 0}))`);
      const { output, model, warnings } = await ask(script.join("\n"));
      expect(output.match(/define-fun/g)).toHaveLength(30);
      expect(output).toContain("  ; not shown: 870 values that are 0 or false; (get-value (a b)) after (check-sat)");
      expect(Object.keys(model ?? {})).toHaveLength(30);
      expect(warnings).toEqual([expect.stringContaining("870 values that are 0 or false")]);
    });

    it("looks into a formula with thousands of such places without growing out of bounds", async () => {
      const names = Array.from({ length: 3000 }, (_, i) => `l${i}`);
      const script = `(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const p Bool)
${names.map((name) => `(declare-const ${name} L)`).join("")}
(assert (or p (and ${names.map((name) => `(= (hd ${name}) 7)`).join("\n")})))(assert p)(check-sat)(get-value (p))`;
      expect(await ask(script)).toMatchObject({ status: "sat", warnings: [] });
    });

    it.each([
      ["a product of reals", "(declare-const r Real)(declare-const h Real)(assert (= (* r h) 330.0))"],
      ["a divisor that is not 0", "(declare-const y Int)(assert (= (div 5 y) 5))(assert (= y 1))"],
      [
        "a divisor that is guarded",
        "(declare-const y Int)(assert (=> (distinct y 0) (= (div 5 y) 7)))(assert (= y 0))",
      ],
      ["a case that is not taken", "(declare-const y Int)(assert (= 1 (ite (= y 0) 1 (div 5 y))))(assert (= y 0))"],
      ["a disjunct that need not hold", "(declare-const y Int)(assert (or (= y 0) (= (div 5 y) 7)))(assert (= y 0))"],
    ])("says nothing of open values where none is used: %s", async (_, script) => {
      expect(await ask(script)).toMatchObject({ status: "sat", warnings: [] });
    });
  });

  describe("to a script with options of other solvers", () => {
    it.each([
      ["an unknown one", "(set-option :incremental true)", ":incremental was omitted: Z3 has no such option."],
      ["one of an unknown module", "(set-option :foo.bar 3)", ":foo.bar was omitted"],
      ["one with a word", "(set-option :sygus-out status)", ":sygus-out with a word or string is not on the list"],
    ])("leaves %s out with a note", async (_, option, words) => {
      const { status, warnings } = await ask(`${option}(assert false)(check-sat)`);
      expect(status).toBe("unsat");
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`Line 1: ${words}`);
    });

    it.each([
      "(set-option :global-declarations false)(push)(pop)",
      '(set-option :regular-output-channel "stdout")',
      '(set-option :diagnostic-output-channel "stderr")',
    ])("takes %s as what it is anyway", async (option) => {
      expect(await ask(`${option}(assert false)(check-sat)`)).toMatchObject({ status: "unsat", warnings: [] });
    });

    it("lets a script in HO_ALL declare the names that Z3 uses itself elsewhere", async () => {
      const russell = `(set-logic HO_ALL)(declare-sort Set 0)(declare-fun elem () (-> Set (-> Set Bool)))
(declare-fun R () Set)(assert (forall ((x Set)) (= ((elem x) R) (not ((elem x) x)))))(check-sat)`;
      if (nativeZ3() !== undefined) return expect((await ask(russell)).status).toBe("unsat");
      // The embedded Z3 keeps its own names in every logic: the fault names the one to change.
      await expect(ask(russell)).rejects.toThrow("Z3 has its own sort `Set`");
    });
  });

  describe("with cores", () => {
    const exceeds = "(assert (! (forall ((x Real)) (exists ((y Real)) (> (* y y y) x))) :named exceeds))";
    const contradiction = `(declare-const a Real)
(assert (! (forall ((x Real)) (exists ((y Real)) (and (> (* y y y) x) (> y a) (distinct (* a a) 2.0)))) :named one))
(assert (! (forall ((z Real)) (distinct (* z z z) a)) :named two))`;

    it.each([
      ["sat, though it is unknown when names are kept track of", exceeds, {}, "sat"],
      [
        "the same, explained",
        "(assert (forall ((x Real)) (exists ((y Real)) (> (* y y y) x))))",
        { explain_unsat: true },
        "sat",
      ],
      [
        "a tactic with proofs, which has no cores",
        "(set-option :produce-proofs true)(declare-const p Bool)(assert (! (or p (not p)) :named a))(check-sat-using (then simplify smt))",
        {},
        "sat",
      ],
      [
        "a tactic that reads a named formula in another way",
        "(set-option :proof true)(declare-fun a (Int Real) Real)(assert (forall ((b Real)) (= (a 0 b) 0.0)))(check-sat-using quasi-macros)",
        { explain_unsat: true },
        "sat",
      ],
      [
        "the same with a name of the script's own",
        "(set-option :proof true)(declare-fun a (Int Real) Real)(assert (! (forall ((b Real)) (= (a 0 b) 0.0)) :named zero))(check-sat-using quasi-macros)",
        {},
        "sat",
      ],
    ])("decide what is decided without them: %s", async (_, script, more, status) => {
      expect(await ask(script, more)).toMatchObject({ status });
    });

    it("answer unsat without a core rather than not at all", async () => {
      const { status, unsat_core, warnings } = await ask(contradiction, { timeout_ms: 3000 });
      expect(status).toBe("unsat");
      if (unsat_core === undefined) expect(warnings.join()).toContain("No core: ");
    });

    it("says that unnamed assertions contradict each other already", async () => {
      const { unsat_core, warnings } = await ask("(declare-const x Int)(assert (! (> x 1) :named a))(assert false)");
      expect(unsat_core).toEqual([]);
      expect(warnings.join()).toContain("The core is empty");
    });

    it("knows an assertion with two names by the one in the core", async () => {
      const { unsat_core } = await ask(
        "(declare-const x Int)\n(assert (! (> x 1) :named a :named b))\n(assert (< x 1))",
      );
      expect(unsat_core).toMatchObject([{ name: "b", line: 2 }]);
    });
  });
});

describe("the names of a script", () => {
  const bench = fixture(() => openBench(nativeZ3() ?? "wasm"));
  const name = "|a\nunsat\nb|";

  it.each([
    ["a model", `(declare-const ${name} Int)`],
    ["several checks", `(declare-const ${name} Int)(check-sat)(get-value (${name}))`],
    ["text after an open bar", `(declare-const ${name} Int)(check-sat)(echo "one | bar")(get-value (${name}))`],
    ["text after an open quote", `(declare-const ${name} Int)(check-sat)(echo "one "" quote")(get-value (${name}))`],
    ["an objective", `(declare-const ${name} Real)(assert (> ${name} 0.0))(minimize ${name})`],
    [
      "a sort and a constructor",
      `(declare-datatypes ((${name} 0)) (((c))))(declare-const x ${name})(check-sat)(get-model)`,
    ],
    ["a core", `(declare-const x Bool)(assert (! x :named ${name}))(assert (! (not x) :named c))`],
    ["a name that is taken", `(declare-const ${name} Int)(declare-const ${name} Int)`],
    ["two formulas of one name", `(assert (! true :named ${name}))(assert (! true :named ${name}))`],
  ])("add no lines to an answer or a fault: %s", async (_, script) => {
    const lines = await solveText(bench, `${script}\n(check-sat)`)
      .then(({ output, transcript }) => [
        output,
        ...transcript.flatMap((e) => (e.command === "(check-sat)" ? [] : [e.output])),
      ])
      .catch((thrown) => [toFault(thrown).message, toFault(thrown).remedy]);
    expect(lines.join("\n")).toContain("\\u000aunsat\\u000a");
    expect(lines.join("\n")).not.toMatch(/^unsat$/m);
  });
});
