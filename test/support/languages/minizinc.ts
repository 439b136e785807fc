import type { LanguageFixture } from "../language_fixture.ts";
import { minizinc_builds, quickest_minizinc } from "../minizinc.ts";

const minizinc = ({ name, minizinc }: (typeof minizinc_builds)[number]): LanguageFixture => ({
  name: `minizinc, ${name}`,
  language: "minizinc",
  env: { VERDICT_MINIZINC: minizinc },
  here: minizinc !== undefined,
  is_second: minizinc !== quickest_minizinc,
  incumbent_ms: name === "wasm" ? 1_500 : 600,
  sat: {
    items: ["var 1..9: x;", "constraint x > 6 /\\ x mod 4 = 0;", "solve satisfy;"],
    model: { x: 8 },
  },
  unsat: {
    items: ["var 1..9: x; var 1..9: y;", "constraint x > y + 4;", "constraint y > 2;", "constraint x < 6;"],
    conflict: [1, 3],
  },
  optimum: {
    items: ["var 1..9: x;", "constraint x mod 4 = 0;", "solve maximize x;"],
    model: { x: 8 },
    objective: 8,
  },
  hard: [
    "array[1..14] of var 1..13: hole;",
    "constraint forall(p, q in 1..14 where p < q)(hole[p] != hole[q]);",
    "solve satisfy;",
  ],
  hard_optimum: [
    "array[1..14] of var 1..13: hole;",
    "var int: shared = sum(p, q in 1..14 where p < q)(hole[p] = hole[q]);",
    "solve minimize shared;",
  ],
  gives_incumbent: true,
  bad: { item: "constraint x >;", line: 1, column: 15 },
  broken_by: { index: 0, gives: "refusal" },
  unicode: { items: ["var 1..3: x; % größer als 😀", "constraint x > 2;"], model: { x: 3 } },
  many: (count) => ["var 0..100000: x;", ...Array.from({ length: count - 1 }, (_, i) => `constraint x > ${i};`)],
});

export const fixtures: readonly LanguageFixture[] = minizinc_builds.map(minizinc);
