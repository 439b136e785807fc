/**
 * Questions with known answers, asked of a Z3 before it is believed: one that gets them wrong loses
 * the theory that they are about. What solvers were seen to get wrong (reals and whole numbers as
 * floats) has no canary here, since no question of ours contains it.
 */
import type { Job } from "../../../kernel/child.ts";
import { limits } from "../../../kernel/limits.ts";
import { within } from "../../../kernel/within.ts";
import type { Z3 } from "../../../solvers/z3/index.ts";

export type Theory = "integers" | "arrays" | "floats";

interface Canary {
  readonly text: string;
  readonly answer: "sat" | "unsat";
}

const canaries: Readonly<Record<Theory, readonly Canary[]>> = {
  integers: [
    { answer: "sat", text: "(declare-const a Int)(assert (= (mod a 7) 3))(assert (< (div a 7) (- 5)))" },
    { answer: "unsat", text: "(declare-const a Int)(assert (not (= a (+ (* 7 (div a 7)) (mod a 7)))))" },
    {
      answer: "sat",
      text: "(declare-const a Int)(assert (> a 9007199254740992))(assert (= (* a a) (* 4 (div (* a a) 4))))",
    },
    { answer: "unsat", text: "(declare-const a Int)(assert (= (* 2 a) 9007199254740993))" },
  ],
  arrays: [
    {
      answer: "unsat",
      text: "(declare-const a (Array Int Int))(declare-const i Int)(declare-const j Int)(assert (not (= i j)))(assert (not (= (select (store a i 1) j) (select a j))))",
    },
    {
      answer: "sat",
      text: "(declare-const a (Array Int Int))(declare-const i Int)(declare-const j Int)(assert (not (= (select (store a i 1) j) (select a j))))",
    },
  ],
  floats: [
    // NaN is not equal to itself, and the zeros are equal but not the same.
    { answer: "sat", text: "(declare-const x (_ FloatingPoint 11 53))(assert (not (fp.eq x x)))" },
    {
      answer: "sat",
      text: "(declare-const x (_ FloatingPoint 11 53))(declare-const y (_ FloatingPoint 11 53))(assert (fp.eq x y))(assert (not (= x y)))",
    },
    {
      answer: "unsat",
      text: "(declare-const x (_ FloatingPoint 11 53))(assert (fp.leq (_ +zero 11 53) x))(assert (fp.lt (fp.sqrt RNE x) (_ +zero 11 53)))",
    },
    // 2 ** 53 + 1 is no float: adding 1 changes nothing there.
    {
      answer: "unsat",
      text: "(assert (not (= (fp.add RNE (fp #b0 #b10000110100 #x0000000000000) (fp #b0 #b01111111111 #x0000000000000)) (fp #b0 #b10000110100 #x0000000000000))))",
    },
    // Through a bit vector the conversion of a whole number is right.
    {
      answer: "sat",
      text: "(declare-const v (_ BitVec 64))(assert (bvsge v #x0020000000000000))(assert (bvsle v #x0020000000000003))(assert (not (= v #x0020000000000000)))(assert (= ((_ to_fp 11 53) RNE v) ((_ to_fp 11 53) RNE #x0020000000000000)))",
    },
  ],
};

/** The canaries of one Z3, each asked at most once. */
export class Canaries {
  readonly #z3: Z3;
  readonly #heard = new Map<Theory, boolean>();

  constructor(z3: Z3) {
    this.#z3 = z3;
  }

  /** Whether this Z3 got all questions of a theory right. What it does not answer in time is asked again the next time. */
  async trusts(theory: Theory, job: Job): Promise<boolean> {
    const known = this.#heard.get(theory);
    if (known !== undefined) return known;
    const bounded = { left_ms: Math.min(job.left_ms, limits.prover_canary_ms_max), signal: job.signal };
    const right = await this.#z3.run(bounded, async (session) => {
      for (const { text, answer } of canaries[theory]) {
        const reply = await within(bounded, session.ask(`(reset)\n${text}\n(check-sat)`));
        if (reply === "expired" || reply.kind === "gone") return undefined;
        if (reply.text !== answer) return false;
      }
      return true;
    });
    if (right === undefined || right === "expired") return false;
    this.#heard.set(theory, right);
    return right;
  }
}
