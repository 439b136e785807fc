/** Scripts that are hard on a solver, each in its own way. */

/** A sum of three cubes for 114 is not known to exist: Z3 looks for one without an end. */
export const endless = `(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))
(check-sat)`;

/** A call with a script that Z3 does not decide. */
export const open_question = { engine: "z3", timeout_ms: 3_600_000, smtlib: endless };

/** Multiplies and divides words of 2048 bits: bit-blasting takes gigabytes. */
export const memory_bomb = `(set-option :memory_max_size 200)
(declare-fun a () (_ BitVec 2048))
(declare-fun b () (_ BitVec 2048))
(declare-fun c () (_ BitVec 2048))
(assert (= (bvmul a b c) (bvadd (bvmul a a) (bvurem b c) (bvudiv c a))))
(check-sat)`;

/** The same without a limit of its own. */
export const unlimited_bomb = memory_bomb.replace("(set-option :memory_max_size 200)\n", "");

const names = Array.from({ length: 500 }, (_, i) => `${"long_".repeat(20)}${i}`);

/** Prints some kilobytes so often that they come to tens of megabytes, and checks nothing. */
export const output_flood = `${names.map((name) => `(declare-const ${name} Bool)`).join("\n")}
(define-fun long () Bool (or ${names.join(" ")}))
${"(simplify long)\n".repeat(2_000)}`;

/** More than a MiB of assertions, all of which hold for 1. */
export const one_mebibyte = `(declare-const x Int)
(assert (> x 0))
${Array.from({ length: 52_000 }, (_, i) => `(assert (> x (- ${i})))`).join("\n")}
(check-sat)`;

/** A formula of a given depth of lists. */
export function nested(depth: number): string {
  return `(declare-const p Bool)\n(assert ${"(not ".repeat(depth)}p${")".repeat(depth)})\n(check-sat)`;
}

export const easy = "(declare-const x Int)(assert (> x 3))(check-sat)";
