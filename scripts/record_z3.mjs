// Records what a real Z3 prints, for the tests of src/engines/smt/read.ts:
//   node scripts/record_z3.mjs PATH_OF_A_NATIVE_Z3
// Each file of test/fixtures/z3/ has the engine's version in its first line, then the answer to the
// last command of its script, as it was printed.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../test/fixtures/z3/", import.meta.url));

/** Scripts by the name of their file; what is recorded is printed after the mark. */
const mark = "the answer follows";
const asked = (command) => `(echo "${mark}")${command}`;

const simple_values = `(declare-const truth Bool)(assert truth)
(declare-const whole Int)(assert (= whole (- 12)))
(declare-const part Real)(assert (= (* 3.0 part) (- 2.0)))
(declare-const bits (_ BitVec 6))(assert (= bits #b010110))
(declare-const byte (_ BitVec 8))(assert (= byte #xa7))
(declare-const text String)(assert (= text "say ""é\\u{a}"""))
(declare-datatype Pair ((pair (one Int) (two Bool))))
(declare-const both Pair)(assert (= both (pair (- 1) false)))`;

/** Without a search for models, a rule on all numbers stays open when no number is named to try it on. */
const undecided = `(set-option :smt.auto_config false)(set-option :smt.mbqi false)(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (> (f x) (f (+ x 1))) :pattern ((f x)))))`;

const scripts = {
  check_sat: `(declare-const p Bool)(assert p)${asked("(check-sat)")}`,
  check_unsat: `(assert false)${asked("(check-sat)")}`,
  check_unknown: `${undecided}${asked("(check-sat)")}`,
  model_empty: `(check-sat)${asked("(get-model)")}`,
  model_simple_values: `${simple_values}(check-sat)${asked("(get-model)")}`,
  model_functions: `(declare-fun f (Int Bool) Int)(declare-const a (Array Int Bool))
(assert (and (= (f 1 true) 5) (= (f 2 false) (- 6)) (select a 3) (not (select a 4))))(check-sat)${asked("(get-model)")}`,
  model_odd_names: `(declare-const |two words| Int)(declare-const |a
line; and (more "| Int)(declare-const || Int)(declare-const |größer| Int)
(assert (= |two words| 1))(assert (= |a
line; and (more "| 2))(assert (= || 3))(assert (= |größer| 4))(check-sat)${asked("(get-model)")}`,
  model_free_sort: `(declare-sort Town 0)(declare-const home Town)(declare-fun road (Town) Town)
(assert (distinct home (road home)))(check-sat)${asked("(get-model)")}`,
  model_long_value: `(declare-const s (Seq Int))
(assert (= s (seq.++ ${Array.from({ length: 30 }, (_, i) => `(seq.unit ${100_000 + i})`).join(" ")})))
(check-sat)${asked("(get-model)")}`,
  model_error: `(assert false)(check-sat)${asked("(get-model)")}`,
  objectives_in_order: `(declare-const x Int)(declare-const y Int)(assert (and (< 0 x 5) (< (+ x y) 9)))
(maximize x)(minimize (- x y))(check-sat)${asked("(get-objectives)")}`,
  objectives_without_end: `(declare-const n Int)(declare-const m Int)(maximize n)(minimize (* 2 m))
(check-sat)${asked("(get-objectives)")}`,
  objectives_never_reached: `(declare-const x Real)(assert (< x 3.0))(maximize x)(check-sat)${asked("(get-objectives)")}`,
  objectives_interval: `(declare-const x Real)(declare-const n Int)(assert (< x 3.0))(maximize x)(maximize n)
(check-sat)${asked("(get-objectives)")}`,
  objectives_wishes: `(declare-const x Int)(assert-soft (> x 1) :weight 0.5 :id small)
(assert-soft (< x 1) :weight 2.5)(minimize x)(check-sat)${asked("(get-objectives)")}`,
  objectives_none: `(check-sat)${asked("(get-objectives)")}`,
  core_two: `(set-option :produce-unsat-cores true)(declare-const x Int)
(assert (! (> x 3) :named high))(assert (! (< x 9) :named wide))(assert (! (< x 2) :named low))
(check-sat)${asked("(get-unsat-core)")}`,
  core_empty: `(set-option :produce-unsat-cores true)(assert false)(check-sat)${asked("(get-unsat-core)")}`,
  core_odd_names: `(set-option :produce-unsat-cores true)(declare-const x Int)
(assert (! (> x 3) :named |rule (1)|))(assert (! (< x 2) :named |größer; "|))
(check-sat)${asked("(get-unsat-core)")}`,
  core_assumptions: `(set-option :produce-unsat-cores true)(declare-const a Bool)(declare-const b Bool)
(assert (=> a b))(check-sat-assuming (a (not b)))${asked("(get-unsat-core)")}`,
  core_error: `(assert false)(check-sat)${asked("(get-unsat-core)")}`,
  reason_timeout: `(set-option :timeout 50)(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)${asked("(get-info :reason-unknown)")}`,
  reason_incomplete: `${undecided}(check-sat)${asked("(get-info :reason-unknown)")}`,
  reason_none: `(check-sat)${asked("(get-info :reason-unknown)")}`,
  errors_one: asked("\n(assert (= g 3))"),
  errors_several: asked("\n(assert (= g 3))\n(assert (bvadd n 1))\n(push) (assert (h 1))"),
  errors_over_lines: `(declare-fun f (Int) Int)${asked("\n(assert (= (f 1 2) 3))\n(assert |no\nthing|)")}`,
  errors_among_answers: `(declare-const n Int)(assert (= n 4))(check-sat)${asked("(get-value (n))\n(get-value (m))")}`,
  unsupported_logic: asked("(set-logic NO_SUCH_LOGIC)"),
  unsupported_info: asked("(get-info :colour)"),
  silent: asked("(declare-const n Int)(assert (> n 4))(push)"),
};

const [z3] = process.argv.slice(2);
if (z3 === undefined) {
  console.error("usage: node scripts/record_z3.mjs PATH_OF_A_NATIVE_Z3");
  process.exit(2);
}

const run = (args, input) => spawnSync(z3, args, { input, encoding: "utf8", timeout: 30_000 }).stdout;
const version = run(["--version"], "").trim();
mkdirSync(directory, { recursive: true });
for (const [name, script] of Object.entries(scripts)) {
  const output = run(["-in"], `${script}\n`);
  const at = output.lastIndexOf(mark);
  if (at < 0) throw new Error(`${name} printed no mark: ${output}`);
  writeFileSync(`${directory}${name}.txt`, `${version}\n${output.slice(at + mark.length).trim()}\n`);
}
console.log(`${Object.keys(scripts).length} recordings of ${version}`);
