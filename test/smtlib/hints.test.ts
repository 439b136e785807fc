import { describe, expect, it } from "vitest";
import { nativeZ3, openBench } from "../support/engines.ts";
import { faultIn } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";

/** The steps of a fault lead to a right script; those that would only make Z3 accept a wrong one are not given. */
describe("what a fault of solve_smtlib advises", () => {
  const bench = fixture(() => openBench(nativeZ3() ?? "wasm"));

  const declarations = `(declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const a Bool)
(declare-const b Bool)(declare-const r Real)(declare-const v (_ BitVec 8))(declare-const s String)\n`;
  const fault = (smtlib: string) => faultIn(bench.call("solve_smtlib", { smtlib }));

  it.each([
    ["(assert (between x 1 5))", "(<= lo x hi)"],
    ["(assert (= (length s) 3))", "(str.len s)"],
    ["(assert (all-different x y z))", "(distinct a b c)"],
    ["(assert (member x y z))", "(or (= x 1) (= x 2))"],
    ["(assert (= (floor r) 2))", "(to_int r)"],
    ["(assert (exactly 1 a b))", "((_ pbeq 1 1 1 1) a b c)"],
    ["(assert ((_ divisible 3) x))", "(= (mod a 3) 0)"],
    ["(assert (= (ite x y) 1))", "(ite condition a b)"],
    ["(assert (= (str.at s) s))", "as many arguments as it accepts"],
    ["(declare-const q Double)", "Real, or (_ FloatingPoint 11 53)"],
    ["(declare-const q Nat)", "(assert (>= x 0))"],
    ["(declare-const q Char)", "(= (str.len c) 1)"],
    ["(assert (/= x y))", "(distinct a b)"],
    ["(assert (! a :named 1a))", "write |1a|, or a name that begins with a letter, such as n1a"],
    ["(assert (! a :named 12))", "write |12|, or a name that begins with a letter, such as n12"],
    ["(declare-const 2nd Int)", "write |2nd|, or a name that begins with a letter, such as n2nd"],
    ["(assert (bvmul_no_overflow v v))", "(not (bvumulo a b)), or (not (bvsmulo a b)) for signed numbers"],
    ["(assert (bvadd_no_overflow v v))", "(not (bvuaddo a b)), or (not (bvsaddo a b)) for signed numbers"],
    ["(assert (BVSubNoUnderflow v v))", "(not (bvusubo a b)), or (not (bvssubo a b)) for signed numbers"],
    ["(assert (nand a b))", "(not (and a b))"],
    ["(assert (bvult v 10))", "write (_ bv10 8) instead of 10"],
    ["(assert x)", "assert a Bool"],
    ["(declare-const q (Array Int))", "write it as (Array Int Int)"],
    ["(declare-datatypes ((P 0)) ((mk (fst Int) (snd Int))))", "(((pair (first Int) (second Int))))"],
    ["(define-fun fac ((n Int)) Int (ite (= n 0) 1 (* n (fac (- n 1)))))", "write (define-fun-rec fac …)"],
    ["(minimise x)", "write (minimize term)"],
    ["(assert (= -x 1))", "(- x)"],
    ["(assert (= x 1_000))", "1000, without _"],
    ["(assert (= r .5))", "0.5"],
    ["(assert !a)", "(not a)"],
    ["(assert (a && b))", "(and a b)"],
    ["(assert (a || b))", "(or a b)"],
    ["(assert (|| a b))", "(or a b)"],
    ["(assert (x != y))", "(distinct x y)"],
    ["(assert (= x (-5)))", "(- 5)"],
    ["(assert (! a named c))", "(! a :named c)"],
    ["(assert (= (_ extract 3 0) v))", "((_ extract 3 0) v)"],
    ["(assert (= (_ extract 3 0 v) #xf))", "((_ extract 3 0) v)"],
    ["(assert (= ((extract 3 0) v) #xf))", "((_ extract 3 0) v)"],
    ["(assert (= (extract 3 0 v) #xf))", "((_ extract 3 0) v)"],
    ["(assert (at-most 1 a b))", "((_ at-most 1) a b c)"],
    ['(assert (= (str.rev s) "abc"))', 'engine: "cvc5"'],
    ["(declare-fun S () (Set Int))(assert (set.member 3 S))", 'engine: "cvc5"'],
    ["(assert (> (arcsin r) 0.5))", 'engine: "cvc5"'],
    ["(declare-const q (Bag Int))", 'engine: "cvc5"'],
    ["(define-fun abs ((q Int)) Int q)", "rename yours, for example to my_abs"],
    ["(declare-fun cos (Real) Real)", "rename yours, for example to my_cos"],
    ["(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))", "rename yours, for example to my_List"],
    ["(declare-sort Set 0)", "rename yours, for example to my_Set"],
    ["(define-fun implies ((p Bool) (q Bool)) Bool (or (not p) q))", "rename yours, for example to my_implies"],
  ])("against %s", async (command, cure) => {
    const { message, remedy } = await fault(`${declarations}${command}`);
    expect(remedy).toContain(cure);
    expect(remedy).toMatch(/^\(1\) .+; \(2\) .+/);
    expect(`${message} ${remedy}`).not.toMatch(
      /declare-(fun|const|sort)( \S+ )?.*before|Did you mean|assert \(> x 0\)/,
    );
  });

  it.each([
    ["(assert (= (price x y) 1))", "(declare-fun price (Int Int) Int)"],
    ["(assert (= total 1))", "(declare-const total Int)"],
    [
      "(declare-const m (Array Int (Array Int Bool)))(assert (price 1 m))",
      "(declare-fun price (Int (Array Int (Array Int Bool))) Int)",
    ],
    ["(declare-const q Town)", "(declare-sort Town 0)"],
  ])("a declaration that fits the use: %s", async (command, cure) => {
    expect((await fault(`${declarations}${command}`)).remedy).toContain(cure);
  });

  it.each([
    ["MiniZinc", "var 1..9: x;\nconstraint x > 3;\nsolve satisfy;", 'language: "minizinc"'],
    ["MiniZinc", 'include "globals.mzn";\nvar int: x;', 'language: "minizinc"'],
    ["Python", "from z3 import *\nx = Int('x')\ns = Solver()", 'language: "z3"'],
    ["Python", "def f(x):\n  return x + 1\nprint(f(2))", 'language: "z3"'],
    ["Prolog", "parent(tom, bob).\nancestor(X,Y) :- parent(X,Y).", 'language: "asp"'],
    ["answer-set", "{p(1..3)}.\n#show p/1.", 'language: "asp"'],
    ["DIMACS", "p cnf 3 2\n1 -3 0\n2 3 -1 0", 'language: "pysat"'],
    ["JSON", '{"smtlib": "(check-sat)"}', "without JSON"],
    ["Lean", "theorem foo : 1 + 1 = 2 := by rfl", "(assert (not …))"],
  ])("a text in %s is known as such", async (what, text, step) => {
    const { message, remedy, code } = await fault(text);
    expect(code).toBe("syntax_error");
    expect(message).toContain(what);
    expect(remedy).toContain(step);
  });

  it.each([
    ["a comment in another language", "; from z3 import *\n(assert (> 1 0)"],
    ["a script with one wrong line", "(declare-const x Int)\nconstraint x > 3;"],
  ])("a script is not taken for another language: %s", async (_, text) => {
    expect((await fault(text)).message).not.toContain("looks like");
  });
});
