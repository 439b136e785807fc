import { describe, expect, it } from "vitest";
import { builds_by_itself, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { type SmtlibAnswer, solveText } from "../support/smtlib.ts";

/** Small scripts that random tests brought up; each went wrong once. */

const explained = { explain_unsat: true };

/** Line and text of each member of a core, in the order of the script. */
function members({ unsat_core }: SmtlibAnswer) {
  const in_order = (unsat_core ?? []).toSorted((a, b) => (a.line ?? 1e6) - (b.line ?? 1e6));
  return in_order.map(({ line, text }) => (line === undefined ? text : `${line}: ${text}`));
}

for (const { name, z3 } of builds_by_itself) {
  describe.skipIf(!z3)(`on the ${name} build`, () => {
    const bench = fixture(() => openBench(z3 ?? ""));

    const solve = (lines: readonly string[], options = {}) => solveText(bench, lines.join("\n"), options);

    describe("a core", () => {
      it("may have names of any letters", async () => {
        const lines = ["(assert (! true :named |nötig (1)|))", '(assert (! false :named |größer; "als"|))'];
        const answer = await solve(lines, explained);
        expect(answer.unsat_core?.map((member) => member.name)).toEqual(['größer; "als"']);
        expect(answer.output).toBe('; unsat\n(|größer; "als"|)');
      });

      it("is unsat also where assumptions alone are", async () => {
        const lines = ["(declare-const q Bool)", "(assert false)", "(check-sat-assuming ((not q) q))"];
        const answer = await solve(lines, explained);
        expect([["2: (assert false)"], ["(not q)", "q"], ["q", "(not q)"]]).toContainEqual(members(answer));
      });

      it("names the assertion that has the name now, not one of a scope that is gone", async () => {
        const answer = await solve([
          ...["(declare-const x Int)", "(push)", "(assert (! (> x 1) :named n))", "(check-sat)", "(pop)"],
          ...["(push)", "(assert (! (< x x) :named n))", "(check-sat)"],
        ]);
        expect(members(answer)).toEqual(["7: (assert (! (< x x) :named n))"]);
      });

      it("is not emptied by a name that comes again after the last check", async () => {
        const lines = [
          ...["(declare-const x Int)", "(push)", "(assert (! (< x x) :named n))", "(check-sat)", "(pop)"],
          "(assert (! (> x 1) :named n))",
        ];
        expect(members(await solve(lines, explained))).toEqual(["3: (assert (! (< x x) :named n))"]);
      });

      it("is shown to be minimal also where one assertion uses the name of another", async () => {
        const answer = await solve(
          [
            ...["(declare-const a Bool)", "(declare-const b Bool)"],
            ...["(assert (! (or a b) :named claim))", "(assert (! (not claim) :named denial))"],
          ],
          explained,
        );
        expect(answer.unsat_core).toHaveLength(2);
        expect(answer.warnings).toEqual([]);
      });
    });

    describe("a model", () => {
      it("has no names that the script does not have", async () => {
        const answer = await solve(["(declare-const x Int)", "(assert (= x 2))"], explained);
        expect(answer.model).toEqual({ x: "2" });
      });

      it("has the constant of the empty name", async () => {
        const answer = await solve(["(declare-const || Int)", "(assert (= || 3))"]);
        expect(answer.model).toEqual({ "": "3" });
      });
    });

    it("wishes without an :id are among the objectives", async () => {
      const answer = await solve(["(declare-const x Int)", "(assert (< x 0))", "(assert-soft (> x 1) :weight 2.5)"]);
      expect(answer.objectives?.map(({ value }) => value)).toEqual(["(/ 5.0 2.0)"]);
    });

    it("a literal that is none is refused, and no command is lost in it", async () => {
      for (const literal of ["#", "#b", "#xg", "#b2", "#o7"]) {
        const answer = solveText(bench, `(assert (${literal} true))\n(check-sat)`, { timeout_ms: 60_000 });
        await expect(answer).rejects.toMatchObject({ code: "syntax_error", position: { line: 1, column: 10 } });
      }
    });

    it("a name that looks like an error of Z3 is none", async () => {
      const odd = '|a\n(error "line 1 column 1: b")\nc|';
      const answer = await solve([
        `(declare-const ${odd} Int)`,
        `(assert (= ${odd} 7))`,
        "(check-sat)",
        `(get-value (${odd}))`,
      ]);
      expect(answer.transcript.at(-1)?.output).toBe(`((${odd.replaceAll("\n", "\\u000a")} 7))`);
    });

    it("a :status is compared with the check that follows it, and with no other", async () => {
      const answer = await solve([
        ...["(set-info :status unsat)", "(push)", "(assert false)", "(check-sat)", "(pop)", "(check-sat)"],
      ]);
      expect(answer.warnings).toEqual([]);
    });

    it("a :status is compared with the check that is added to a script without one", async () => {
      const answer = await solve(["(set-info :status unsat)", "(declare-const x Int)"]);
      expect(answer.warnings).toEqual([expect.stringContaining(":status")]);
    });
  });
}
