import { describe, expect, it } from "vitest";
import { connect, solve } from "../support/client.ts";
import { builds, quickest_z3 } from "../support/engines.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { runs_all } from "../support/runs_all.ts";
import { endless } from "../support/scripts.ts";

/** What a client of solve_smtlib may rely on, on both builds of Z3, through a real client. */
describe.each(builds)("solve_smtlib on $name Z3", ({ name, z3 }) => {
  describe.skipIf(z3 === undefined)(name, () => {
    const server = fixture(() => connect({ env: { VERDICT_Z3: z3 ?? "" } }));
    const ask = (smtlib: string, more: Record<string, unknown> = {}) => solve(server, { smtlib, ...more });

    it("answers the sat example of the specification exactly as specified", async () => {
      const { text, structured, isError } = await ask("(declare-const x Int)\n(assert (> x 0))\n(check-sat)");
      expect(text).toBe("; sat\n(model\n  (define-fun x () Int 1)\n)");
      expect(isError).toBe(false);
      expect(structured).toMatchObject({
        status: "sat",
        output: text,
        model: { x: "1" },
        transcript: [{ line: 3, command: "(check-sat)", output: "sat" }],
        warnings: [],
      });
      expect(structured["engine"]).toMatch(new RegExp(`^z3 \\d+\\.\\d+\\.\\d+ \\(${name}\\)$`));
      expect(structured["time_ms"]).toBeTypeOf("number");
    });

    const is_whole = runs_all || z3 === quickest_z3;
    // Beside a native Z3 the embedded one, which is the same program, is not asked this.
    if (is_whole)
      it("answers an unsat script with the core of its named assertions, asked for or not", async () => {
        const script = `(declare-const x Int)
(assert (! (> x 0) :named core-constraint-name))
(assert (! (< x 5) :named harmless))
(assert (! (< x 0) :named other))`;
        for (const option of [
          "",
          "(set-option :produce-unsat-cores true)\n",
          "(set-option :produce-unsat-cores false)\n",
        ]) {
          const { text, structured } = await ask(`${option}${script}\n(check-sat)`);
          expect(text).toBe("; unsat\n(core-constraint-name other)");
          expect(structured["unsat_core"]).toEqual([
            {
              name: "core-constraint-name",
              line: option ? 3 : 2,
              text: "(assert (! (> x 0) :named core-constraint-name))",
            },
            { name: "other", line: option ? 5 : 4, text: "(assert (! (< x 0) :named other))" },
          ]);
        }
      });

    if (is_whole)
      it("says why an answer is unknown", async () => {
        const { structured, text } = await ask(`(set-option :smt.mbqi false)(set-option :smt.auto_config false)
(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-const a Int)
(assert (forall ((x Int)) (! (=> (p x) (q (* x x))) :pattern ((p x)))))
(assert (p a))
(check-sat)`);
        expect(text).toBe("; unknown");
        expect(structured["status"]).toBe("unknown");
        expect(structured["reason"]).toContain("incomplete quantifiers");
        expect(structured["model"]).toBeUndefined();
      });

    it("answers a timeout with the specified text, as no verdict and no fault", async () => {
      const { structured, text, isError } = await ask(endless, { timeout_ms: 700 });
      expect(isError).toBe(false);
      expect(structured).toMatchObject({ status: "unknown", reason: "timeout" });
      expect(text).toBe(
        "; unknown\n; Z3 solver timed out after 700ms. Try: (1) simplify constraints, (2) reduce variables, or (3) increase timeout_ms parameter.",
      );
    });

    if (is_whole)
      it("keeps in the transcript what was answered before the time ran out", async () => {
        const script = `(push)(assert false)(check-sat)(pop)\n${endless}`;
        const { structured } = await withEnoughTime(
          (timeout_ms) => ask(script, { timeout_ms }),
          (answer) => JSON.stringify(answer.structured["transcript"]) !== "[]",
        );
        expect(structured).toMatchObject({ status: "unknown", reason: "timeout" });
        expect(structured["transcript"]).toEqual([{ line: 1, command: "(check-sat)", output: "unsat" }]);
      });

    it("leaves out options that have no effect in a script, where the embedded Z3 refuses them", async () => {
      const options = "(set-option :global-declarations true)(set-option :produce-assertions true)";
      const { structured } = await ask(`${options}(assert false)(check-sat)`);
      expect(structured).toMatchObject({ status: "unsat", warnings: [] });
    });

    it("keeps declarations through a pop natively, and says what to do where it can't", async () => {
      const script = `(set-option :global-declarations true)
(push)(declare-const x Int)(pop)
(assert (= x 1))
(check-sat)`;
      const { structured } = await ask(script);
      if (name === "native") expect(structured).toMatchObject({ status: "sat", model: { x: "1" } });
      else expect(String(structured["error"])).toContain("The embedded Z3 can't change this option");
    });

    it("never carries anything from one call to the next", async () => {
      await ask("(declare-const leak Int)(set-option :timeout 1)(assert (= leak 5))(check-sat)");
      const { structured } = await ask("(assert (= leak 5))(check-sat)");
      expect(structured).toMatchObject({ status: "error", code: "input_rejected" });
    });

    // Verdict's own part is tested with one build in the suite, and with both in test/long/.
    if (!is_whole) return;

    it("gives objectives as data, lexicographic and soft", async () => {
      const { structured } = await ask(`(declare-const x Int)(declare-const y Int)
(assert (and (<= 0 x 9) (<= 0 y 9) (<= (+ x y) 12)))
(assert-soft (> y 8) :weight 2 :id wish)
(assert-soft (> y 9) :weight 5 :id wish)
(maximize (+ x (* 2 y)))
(minimize x)
(check-sat)`);
      expect(structured["objectives"]).toEqual([
        { term: "wish", value: "5" },
        { term: "(+ x (* 2 y))", value: "21" },
        { term: "x", value: "3" },
      ]);
      expect(structured["model"]).toEqual({ x: "3", y: "9" });
    });

    it("says that an objective is unbounded, or never reached", async () => {
      const { structured } = await ask("(declare-const x Int)(maximize x)(check-sat)");
      expect(structured["warnings"]).toEqual(["The objective x is unbounded: for every model there is a better one."]);
      const open = await ask("(declare-const r Real)(assert (< r 1.0))(maximize r)(check-sat)");
      expect(String(open.structured["warnings"])).toContain("without reaching it");
    });

    it("does not say that an objective is unbounded where nothing proves it, as with functions", async () => {
      const { structured } = await ask("(declare-fun f (Int) Int)(assert (> (f 1) 2))(maximize (f 0))(check-sat)");
      expect(structured["optimal"]).toBe(false);
      expect(String(structured["warnings"])).toContain("found no bound for the objective (f 0); there may be one");
      expect(String(structured["warnings"])).not.toContain("is unbounded");
    });

    it("explains unsat: names unnamed assertions by line and minimises the core", async () => {
      const { structured, text } = await ask(
        `(declare-const x Int)
(declare-const y Int)
(assert (> x 10))
(assert (! (< y 3) :named small))
(assert (= y (+ x 1))) (assert (> y 0))
(assert (distinct x 50))
(check-sat)`,
        { explain_unsat: true },
      );
      expect(text).toBe("; unsat\n(line_3 small line_5)");
      expect(structured["unsat_core"]).toEqual([
        { name: "line_3", line: 3, text: "(assert (> x 10))" },
        { name: "small", line: 4, text: "(assert (! (< y 3) :named small))" },
        { name: "line_5", line: 5, text: "(assert (= y (+ x 1)))" },
      ]);
      expect(structured["warnings"]).toEqual([]);
    });

    it("keeps a verdict that was reached before the time ran out", async () => {
      const endless = "(simplify ((_ repeat 90000) #xffff))";
      const { structured, text } = await withEnoughTime(
        (timeout_ms) => ask(`(assert false)\n(check-sat)\n${endless}`, { timeout_ms }),
        (answer) => answer.structured["status"] === "unsat",
      );
      expect(text).toBe("; unsat");
      expect(structured["status"]).toBe("unsat");
      expect(structured["warnings"]).toEqual([
        "Z3 stopped after the last check (timeout), so the output of the later commands is missing.",
      ]);
    });

    it("solves with all theories, whatever logic a script names", async () => {
      for (const logic of ["QF_NOTHING", "QF_UF", "QF_BV", "ALL"]) {
        const { structured } = await ask(
          `(set-logic ${logic})(declare-const x Int)(assert (> x 3))(assert (< x 3))(check-sat)`,
        );
        expect(structured).toMatchObject({ status: "unsat", warnings: [] });
      }
    });

    it("reads Horn clauses as such", async () => {
      const clauses = `(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((x Int)) (=> (and (inv x) (< x 10)) (inv (+ x 1)))))`;
      const safe = await ask(`${clauses}(assert (forall ((x Int)) (=> (and (inv x) (> x 10)) false)))(check-sat)`);
      expect(safe.structured["status"]).toBe("sat");
      const unsafe = await ask(`${clauses}(assert (forall ((x Int)) (=> (and (inv x) (> x 9)) false)))(check-sat)`);
      expect(unsafe.structured["status"]).toBe("unsat");
    });

    it("solves many scripts at once, each with its own answer", async () => {
      const values = Array.from({ length: name === "wasm" ? 4 : 12 }, (_, i) => i);
      const answers = await Promise.all(values.map((i) => ask(`(declare-const x Int)(assert (= x ${i}))(check-sat)`)));
      expect(answers.map(({ structured }) => structured["model"])).toEqual(values.map((i) => ({ x: String(i) })));
    });

    it("answers an unsat script without names by its status alone", async () => {
      const { text, structured } = await ask("(assert false)(check-sat)");
      expect(text).toBe("; unsat");
      expect(structured["unsat_core"]).toBeUndefined();
    });

    it("says why there is no core where a script asks for one and names no assertion", async () => {
      const script = "(declare-const x Int)(assert (> x 3))(assert (< x 2))(check-sat)";
      const named = ["No core: no assertion has a name. Set explain_unsat to name them all."];
      expect((await ask(`${script}(get-unsat-core)`)).structured["warnings"]).toEqual(named);
      expect((await ask(script)).structured["warnings"]).toEqual([]);
    });

    it("has assumptions that conflict without an option for them", async () => {
      const script = "(declare-const a Bool)(declare-const b Bool)(assert (=> a (not b)))(check-sat-assuming (a b))";
      const { structured } = await ask(`${script}(get-unsat-assumptions)`);
      expect(structured).toMatchObject({ status: "unsat", warnings: [], unsat_core: [{ name: "a" }, { name: "b" }] });
      expect(structured["transcript"]).toEqual([
        expect.objectContaining({ output: "unsat" }),
        expect.objectContaining({ output: "(a b)" }),
      ]);
    });

    it("says in the text, too, that an optimum is proved", async () => {
      const texts = async (smtlib: string) => {
        const { content } = await server.client.callTool({ name: "solve_smtlib", arguments: { smtlib } });
        return content.map((part) => (part.type === "text" ? part.text : ""));
      };
      const [, ...remarks] = await texts("(declare-const x Int)(assert (< x 4))(maximize x)(check-sat)");
      expect(remarks).toEqual(["; optimal: proved best"]);
      expect((await texts("(declare-const x Int)(maximize x)(check-sat)")).join()).not.toContain("proved best");
    });

    it("takes out (get-model), (get-unsat-core) and (exit) as commands, never as text", async () => {
      const { structured, isError } = await ask(`; (get-model) and (exit) in a comment stay
(declare-const |(exit)| String)
(assert (= |(exit)| "(get-unsat-core)(check-sat)"))
(get-unsat-core)
(check-sat)
(get-model)
(exit)
(assert false)
(check-sat)`);
      expect(isError).toBe(false);
      expect(structured["status"]).toBe("sat");
      expect(structured["model"]).toEqual({ "(exit)": '"(get-unsat-core)(check-sat)"' });
      expect(structured["warnings"]).toEqual(["Line 7: 2 commands after (exit) were not run."]);
    });

    it("adds a check to a script without one, before commands that ask for values", async () => {
      const { structured } = await ask("(declare-const x Int)(assert (= x 7))\n(get-value (x))");
      expect(structured["transcript"]).toEqual([
        { command: "(check-sat)", output: "sat" },
        { line: 2, command: "(get-value (x))", output: "((x 7))" },
      ]);
    });

    it("runs every check in order, and the last one is the status", async () => {
      const { structured, text } = await ask(`(declare-const x Int)
(assert (> x 0))
(check-sat)
(push)
(assert (< x 0))
(check-sat)
(pop)
(check-sat)
(get-value (x))`);
      expect(structured["transcript"]).toEqual([
        { line: 3, command: "(check-sat)", output: "sat" },
        { line: 6, command: "(check-sat)", output: "unsat" },
        { line: 8, command: "(check-sat)", output: "sat" },
        { line: 9, command: "(get-value (x))", output: "((x 1))" },
      ]);
      expect(text).toBe(`; sat (check 3 of 3, line 8)
; check 1, line 3
sat
; check 2, line 6
unsat
; check 3, line 8
sat
((x 1))`);
    });

    it("gives the model of the last check although assertions follow it", async () => {
      const { structured } = await ask("(declare-const x Int)(assert (= x 3))(check-sat)(assert (= x 4))");
      expect(structured).toMatchObject({ status: "sat", model: { x: "3" } });
    });

    it("explains the last check under push and pop, and with assumptions", async () => {
      const { structured } = await ask(
        `(declare-const p Bool)(declare-const q Bool)
(assert (or p q))
(push)
(assert (not p))
(pop)
(assert (not q))
(check-sat-assuming ((not p)))`,
        { explain_unsat: true },
      );
      const core = structured["unsat_core"];
      expect(core).toEqual([
        { name: "line_2", line: 2, text: "(assert (or p q))" },
        { name: "line_6", line: 6, text: "(assert (not q))" },
        { name: "(not p)", text: "(not p)" },
      ]);
    });

    it("takes code fences off and says so, with positions as the user sees them", async () => {
      const { structured } = await ask("```smt2\n(declare-const x Int)\n(check-sat)\n```");
      expect(structured).toMatchObject({
        status: "sat",
        warnings: ["The code fence around the script was removed."],
      });
      const fault = await ask("```\n(assert x)\n```");
      expect(fault.structured["position"]).toEqual({ line: 2, column: 9 });
    });

    it("counts letters beyond ASCII as SMT-LIB does, and finds places behind them", async () => {
      const { structured } = await ask('(simplify (str.len "é→😀"))');
      expect(structured["transcript"]).toContainEqual({ line: 1, command: '(simplify (str.len "é→😀"))', output: "3" });
      const fault = await ask('(declare-const |é| String)\n(assert (= |é| "éé" missing))');
      expect(fault.structured["position"]).toEqual({ line: 2, column: 21 });
    });

    it("warns when the script's own :status says otherwise, and keeps the solver's verdict", async () => {
      const { structured } = await ask("(set-info :status sat)(assert false)(check-sat)");
      expect(structured).toMatchObject({
        status: "unsat",
        warnings: ["The script says (set-info :status sat), but Z3 answered unsat."],
      });
    });
  });
});
