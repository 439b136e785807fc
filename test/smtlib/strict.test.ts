import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { nativeZ3, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { solveText } from "../support/smtlib.ts";

/** Scripts that Z3 silently reads otherwise than SMT-LIB has it. */
describe("a script that Z3 would read as another one", () => {
  const bench = fixture(() => openBench(nativeZ3() ?? "wasm"));

  const summary = async (smtlib: string) => {
    try {
      const { status, warnings } = await solveText(bench, smtlib);
      return `${status} ${warnings.join(" ")}`;
    } catch (error) {
      if (error instanceof Fault) {
        expect(error.remedy).toMatch(/^\(1\) .+; \(2\) .+/);
        return `${error.code} ${error.message}`;
      }
      throw error;
    }
  };

  const list = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)\n";

  it.each([
    ["a variable's name", "(declare-const x Int)(assert (! (> x 5) :named x))(assert (> x 3))", "x", 1],
    ["a function's name", "(declare-fun f (Int) Int)\n(assert (! (> (f 1) 5) :named f))(assert (= (f 1) 3))", "f", 2],
    ["a name in a scope", "(declare-const y Int)\n(push)\n(assert (! (> y 5) :named y))(pop)", "y", 3],
    ["a constructor", `${list}(assert (! (= l nil) :named nil))`, "nil", 2],
    ["a bound variable", "(assert (forall ((x Int)) (=> (> x 5) (! (> 5 3) :named x))))", "x", 1],
    ["a wish", "(declare-const x Real)(assert-soft (! (> x 5) :named x))", "x", 1],
    ["another formula", "(declare-const p Bool)(assert (! p :named a))\n(assert (! (not p) :named a))", "a", 2],
    ["a definition", "(define-fun c () Int 4)(assert (! (> c 5) :named c))", "c", 1],
    ["the second name", "(declare-const x Int)(assert (! (> x 5) :named a :named x))", "x", 1],
  ])("is refused when a formula is named like %s", async (_, script, name, line) => {
    const answer = await summary(script);
    expect(answer).toMatch(new RegExp(`^input_rejected Line ${line}, column \\d+: :named ${name} uses a name`));
  });

  it.each([
    ["(! F) without an attribute", "(declare-const p Bool)(assert (! p))(assert p)", "has no attribute"],
    ["(! F) inside", "(declare-const p Bool)(assert (or false (! (not p))))", "has no attribute"],
    ["a let that binds twice", "(assert (let ((a 1) (a 2)) (= a 2)))", "bound twice"],
    ["parameters of one name", "(define-fun f ((x Int) (x Int)) Int x)(assert (= (f 1 2) 2))", "bound twice"],
    [
      "parameters of one name in recursion",
      "(define-funs-rec ((f ((x Int) (x Int)) Int)) (x))(assert (= (f 1 2) 2))",
      "bound twice",
    ],
    ["a comparison of one term", "(declare-const x Int)(assert (< x))", "at least two terms"],
    ["distinct of one term", "(declare-const p Bool)(assert (distinct p))(assert (not p))", "at least two terms"],
    [
      "a recursive definition after a declaration that was used",
      "(declare-fun odd (Int) Bool)\n(define-fun-rec even ((n Int)) Bool (ite (= n 0) true (odd (- n 1))))\n(define-fun-rec odd ((n Int)) Bool (ite (= n 0) false (even (- n 1))))\n(assert (not (even 4)))",
      "already declared on line 1",
    ],
    [
      "a declaration after a recursive definition",
      "(define-fun-rec f ((x Int)) Int (+ 1 x))(declare-fun f (Int) Int)(assert (= (f 0) 7))",
      "already",
    ],
    [
      "a definition that hides a constructor",
      "(declare-datatypes ((T 0)) (((red) (green))))(define-fun red () Int 5)(assert (= red 5))",
      "is taken",
    ],
    ["a definition that hides a constant", "(declare-const n Real)(define-const n Int 5)(assert (= n 5))", "is taken"],
    [
      "a function that hides a selector",
      "(declare-datatypes ((T 0)) (((mk (f Int)))))(declare-fun f (T) Int)(assert (distinct (f (mk 1)) 1))",
      "is taken",
    ],
    ["a Real as the argument of an Int", "(declare-fun f (Int) Int)(assert (distinct (f 1.5) (f 1)))", "is a Real"],
    ["a Real that is divided as an Int", "(declare-const r Real)(assert (= (mod r 2) 1))", "is a Real"],
    ["a Real as an index", "(declare-const a (Array Int Int))(assert (= (select a 1.5) 1))", "is a Real"],
    ["a Real as an element", "(declare-const a (Array Int Int))(assert (= (store a 1 2.5) a))", "is a Real"],
    ["a Real in a field", "(declare-datatype P ((p (n Int))))(assert (= (n (p 2.5)) 2))", "is a Real"],
    [
      "a Real behind let and ite",
      "(declare-const r Real)(assert (let ((s (ite true 1 r))) (= (div s 2) 1)))",
      "is a Real",
    ],
  ])("is refused: %s", async (_, script, words) => {
    const answer = await summary(script);
    expect(answer).toMatch(/^input_rejected Line \d+, column \d+: /);
    expect(answer).toContain(words);
  });

  it.each([
    ["a Bool as a number", "(declare-const b Bool)(assert (= (+ b 1) 2))", "`b` is a Bool where a number is expected"],
    ["a Bool compared with a number", "(declare-const b Bool)(assert (= b 1))", "`b` is a Bool"],
    [
      "a misspelt constructor",
      `${list}(assert (= 1 (match l ((Nil 1) ((cons h t) 2)))))`,
      "`Nil` is not a constructor",
    ],
    ["a misspelt last constructor", `${list}(assert (= 1 (match l (((cons h t) 2) (nill 1)))))`, "Did you mean `nil`"],
    ["a literal that is too wide", "(assert (= (_ bv300 8) #x2c))", "300 does not fit into 8 bits; Z3 would use 44"],
    ["a backslash and a letter", '(assert (= (str.len "a\\nb") 4))', "is not an escape in SMT-LIB"],
    ["a short escape", '(assert (= (str.len "\\u41") 4))', "is not an escape in SMT-LIB"],
    ["an unknown attribute", "(declare-const p Bool)(assert (! p :name c))", "ignores it. Did you mean :named?"],
    [
      "functions of one name",
      "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (= (f 1) (f true)))",
      "`f` is already declared on line 1",
    ],
    ["a standard name", "(declare-const not Bool)(assert not)", "SMT-LIB has a built-in `not`"],
  ])("gets a note, and is solved: %s", async (_, script, words) => {
    const answer = await summary(script);
    expect(answer).toMatch(/^sat /);
    expect(answer).toContain(words);
  });

  it.each([
    ["names used again after a pop", "(push)(declare-const x Int)(pop)(assert (! (> 5 3) :named x))"],
    ["a bound variable of an outer name", "(declare-const x Int)(assert (forall ((x Real)) (= x x)))(assert (= x 1))"],
    ["a name inside of a formula, used again", "(declare-const p Bool)(assert (or (! p :named a) (not a)))"],
    ["constructors of two datatypes", "(declare-datatype A ((a (v Int))))(declare-datatype B ((b (w Bool))))"],
    ["escapes of SMT-LIB", '(assert (= (str.len "\\u{a}\\u0041\\u{1F600}") 3))'],
    ["a match that takes the rest", `${list}(assert (= 1 (match l ((nil 1) (other 2)))))`],
    ["an Int among Reals", "(declare-const r Real)(assert (= (+ r 1) (* 2 r)))"],
    ["a whole Real as an Int", "(declare-const x Int)(assert (= (mod x 2.0) 1))"],
    ["a Real rounded on purpose", "(declare-const r Real)(assert (= (mod (to_int r) 2) 1))"],
    ["a Bool among Bools", "(declare-const p Bool)(declare-const x Int)(assert (= p (> x 1)))"],
    ["assumptions that are not literals", "(declare-const x Int)(check-sat-assuming ((> x 5)))"],
    ["mutual recursion", "(define-funs-rec ((f ((n Int)) Int) (g ((n Int)) Int)) ((+ n 1) (f n)))(assert (= (g 1) 2))"],
  ])("is solved without a note when it is right: %s", async (_, script) => {
    expect((await summary(script)).replace(/The model could not be fully rechecked.*$/, "")).toBe("sat ");
  });
});
