/**
 * Questions with known answers that test a Z3 build. A build that answers a canary wrongly is not used for that
 * canary's theory. Solvers are known to convert integers and reals to floats incorrectly. There is no canary for this,
 * since none of the prover's questions contains such a conversion.
 */

import type { Session } from "../../engines/smt/session.ts";
import type { Deadline } from "../../kernel/deadline.ts";

export type Theory = "integers" | "arrays" | "rows" | "floats";

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
      text: "(declare-const a Int)(assert (> a 9007199254740992))(assert (= a (* 4 (div a 4))))",
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
  // Rows are defined by axioms over all array positions (definitions.ts).
  rows: [
    {
      answer: "sat",
      text: `${agree("j")}(assert (< 2 n))(assert (not (= (select a n) (select b n))))`,
    },
    {
      answer: "unsat",
      text: `${agree("(- n j)")}(declare-const i Int)(assert (<= 0 i))(assert (< i n))(assert (not (= (select a i) (select b (- n i)))))`,
    },
  ],
  floats: [
    // NaN is not equal to itself, and the two zeros are equal but not identical.
    { answer: "sat", text: "(declare-const x (_ FloatingPoint 11 53))(assert (not (fp.eq x x)))" },
    {
      answer: "sat",
      text: "(declare-const x (_ FloatingPoint 11 53))(declare-const y (_ FloatingPoint 11 53))(assert (fp.eq x y))(assert (not (= x y)))",
    },
    {
      answer: "unsat",
      text: "(declare-const x (_ FloatingPoint 11 53))(declare-const y (_ FloatingPoint 11 53))(assert (fp.lt x y))(assert (fp.leq y x))",
    },
    // 2 ** 53 + 1 is not representable as a float, so adding 1 to 2 ** 53 changes nothing.
    {
      answer: "unsat",
      text: "(assert (not (= (fp.add RNE (fp #b0 #b10000110100 #x0000000000000) (fp #b0 #b01111111111 #x0000000000000)) (fp #b0 #b10000110100 #x0000000000000))))",
    },
    // Converting an integer through a bit vector is correct.
    {
      answer: "sat",
      text: "(declare-const v (_ BitVec 64))(assert (bvsge v #x0020000000000000))(assert (bvsle v #x0020000000000003))(assert (not (= v #x0020000000000000)))(assert (= ((_ to_fp 11 53) RNE v) ((_ to_fp 11 53) RNE #x0020000000000000)))",
    },
  ],
};

/** States that two arrays agree on their first positions, with the second array read from an offset. */
function agree(place: string): string {
  const arrays = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const n Int)";
  const body = `(=> (and (<= 0 j) (< j n)) (= (select a j) (select b ${place})))`;
  return `${arrays}(assert (forall ((j Int)) (! ${body} :pattern ((select a j)))))`;
}

/** The canaries of one Z3 build. Each is asked at most once. */
export class Canaries {
  readonly #heard = new Map<Theory, boolean>();

  /**
   * Whether this Z3 answers all canaries of a theory correctly. They are asked in a session that was opened for a
   * proof. A canary that is not answered in time is asked again next time.
   */
  async trusts(theory: Theory, session: Pick<Session, "ask">, deadline: Deadline): Promise<boolean> {
    const known = this.#heard.get(theory);
    if (known !== undefined) return known;
    for (const { text, answer } of canaries[theory]) {
      const reply = await deadline.within(session.ask(`(reset)\n${text}\n(check-sat)`));
      if (reply === "expired" || reply.kind === "gone") return false;
      if (reply.text !== answer) {
        this.#heard.set(theory, false);
        return false;
      }
    }
    this.#heard.set(theory, true);
    return true;
  }
}
