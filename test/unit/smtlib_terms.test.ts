import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { planRun } from "../../src/tools/smtlib/plan.ts";
import { readScript } from "../../src/tools/smtlib/script/script.ts";

const list =
  "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (x (_ FloatingPoint 4 3)) (tl L)))))(declare-const l L)";
const repeated = (count: number, piece: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join("");
const nested = (depth: number, before: string, inside: string, after: string) =>
  `${before.repeat(depth)}${inside}${after.repeat(depth)}`;

/** The symbols of a script that have a known defect of Z3. */
function defectsIn(script: string): string[] {
  return readScript(script).defects.map(({ name }) => name);
}

describe("the defects of Z3 in a script", () => {
  it.each([
    ["fp.fma", "(declare-const f (_ FloatingPoint 4 3))(assert (fp.isNaN (fp.fma RNE f f f)))"],
    ["fp.fma", `${list}(assert (match l ((nil false) ((cons h y t) (fp.isNaN (fp.fma RNE y y y))))))`],
    [
      "fp.fma",
      "(define-sort F () (_ FloatingPoint 4 3))(assert (exists ((f F)) (let ((g f)) (fp.isNaN (fp.fma RNE g g g)))))",
    ],
    [
      "fp.fma",
      "(declare-const m (_ BitVec 2))(assert (fp.isNaN (fp.fma RNE (fp #b0 #b0111 m) (fp #b0 #b0111 m) (fp #b0 #b0111 m))))",
    ],
    [
      "fp.roundToIntegral",
      `${list}(declare-fun g (L) (_ FloatingPoint 2 4))(assert (fp.isNaN (fp.roundToIntegral RNE (g l))))`,
    ],
    ["seq.last_indexof", "(declare-const s (Seq Int))(assert (= 1 (seq.last_indexof s s)))"],
    ["to_fp", "(declare-const r Real)(assert (fp.isNaN ((_ to_fp 8 24) RNE (+ r 1.0))))"],
    ["to_fp", "(declare-const a (Array Int Real))(assert (fp.isNaN ((_ to_fp 8 24) RNE (select a 0))))"],
    ["map", "(declare-const a (Array Int Bool))(assert (= a ((_ map not) a)))"],
    ["cosh", "(declare-const r Real)(assert (= (|cosh| r) 1.0))"],
    ["FiniteSet", "(declare-const s (FiniteSet Int))"],
    ["set.singleton", "(assert (= 1 (set.size (set.singleton 1))))"],
    // The sort of what a tuple of parameters has is not known.
    [
      "fp.fma",
      "(declare-datatypes ((P 1)) ((par (T) ((mk (at T))))))(declare-const p (P (_ FloatingPoint 4 3)))(assert (fp.isNaN (fp.fma RNE (at p) (at p) (at p))))",
    ],
  ])("are found: %s", (name, script) => {
    expect(defectsIn(script)).toContain(name);
  });

  it.each([
    "(declare-const f (_ FloatingPoint 4 3))(declare-const g Float32)(assert (fp.isNaN (fp.fma RNE g g g)))(assert (fp.isNaN f))",
    "(declare-const g Float64)(assert (fp.isNaN (fp.roundToIntegral RNE (fp.add RNE g ((_ to_fp 11 53) RNE (/ 1 (- 3)))))))",
    '(declare-const s (Seq Int))(declare-const t String)(assert (= (seq.len s) (seq.last_indexof t "a")))',
    "(declare-const r Real)(declare-const a (Array Int Float32))(assert (fp.isNaN ((_ to_fp 11 53) RNE (select a 0))))(assert (< r 1.0))",
    '(declare-const s String); (sin x)\n(assert (= s "(sin x)"))',
    "(declare-fun map (Int) Int)(declare-fun set.size (Int) Int)(assert (= (map 1) (set.size 1)))",
  ])("are not found: %s", (script) => {
    expect(defectsIn(script)).toEqual([]);
  });
});

describe("a Real that Z3 would round down silently", () => {
  it.each([
    [
      "after a scope in which the name was an Int",
      "(push)(declare-const x Int)(pop)(declare-const x Real)(assert (= (mod x 2) 1))",
    ],
    ["below 400 lists", `(declare-const x Real)(assert ${nested(400, "(not ", "(= (mod x 2) 1)", ")")})`],
    ["in a case of match", `${list}(declare-const x Real)(assert (= 1 (match l ((nil 0) ((cons h y t) (div x h))))))`],
  ])("is refused %s", (_, script) => {
    expect(() => readScript(script)).toThrow(/`x` is a Real/);
  });

  it("is an Int if the name has that sort in this scope", () => {
    const script = "(push)(declare-const x Real)(pop)(declare-const x Int)(assert (= (mod x 2) 1))";
    expect(readScript(script).warnings).toEqual([]);
  });
});

/** Each of these took minutes, or ended in an internal error. */
describe("a script of hundreds of kilobytes is read in linear time", () => {
  it.each([
    ["pushes", `${"(push)".repeat(100_000)}(declare-const x Int)(assert (> x 1))${"(pop)".repeat(100_000)}(check-sat)`],
    ["pushes of many levels", "(push 10000)".repeat(50_000)],
    ["quotients", `(declare-const x Real)(assert (= x ${nested(60_000, "(/ 1 ", "x", ")")}))`],
    ["signs", `(declare-const x Real)(assert (= x (* x ${nested(150_000, "(- ", "1", ")")})))`],
    ["cases", `${list}(assert (= 1 ${nested(20_000, "(match l ((nil 0) (other ", "1", ")))")}))`],
  ])("%s", (_, script) => {
    expect(planRun(readScript(script), false).assertions).toEqual([]);
  });

  it("a function with 30,000 declarations is refused", () => {
    const script = repeated(30_000, () => "(declare-fun f (Int) Int)");
    expect(() => readScript(script)).toThrow(Fault);
  });
});

it("a constant that is declared in a scope is not in force after it", () => {
  const { open_values, goals } = planRun(
    readScript("(declare-const x Int)(push 3)(minimize x)(assert (= (div 1 x) 3))(pop)(pop 2)(check-sat)"),
    false,
  );
  expect({ open_values, goals }).toEqual({ open_values: [], goals: [] });
});
