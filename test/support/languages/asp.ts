import { clingo_builds } from "../asp.ts";
import { type LanguageFixture, usual_fixture } from "../language_fixture.ts";

const pigeons_in_asp = ["{ at(P,H) : H = 1..13 } = 1 :- P = 1..14.", "shared(P,Q) :- at(P,H), at(Q,H), P < Q."];

function asp({ name, clingo }: (typeof clingo_builds)[number]): LanguageFixture {
  return {
    ...usual_fixture,
    name: `asp, ${name}`,
    language: "asp",
    env: { VERDICT_CLINGO: clingo ?? "" },
    here: clingo !== undefined,
    is_second: name === "wasm" && clingo_builds.some((other) => other.name === "native" && other.clingo !== undefined),
    sat: { items: ["n(1..9).", "{ x(N) : n(N) } = 1.", ":- x(N), N \\ 4 != 0.", ":- x(4)."], model: { x: [[8]] } },
    unsat: {
      items: ["{ x(1..9) } = 1. { y(1..9) } = 1.", ":- x(X), y(Y), X <= Y + 4.", ":- y(Y), Y > 8.", ":- x(X), X > 4."],
      conflict: [1, 3],
    },
    optimum: {
      items: ["{ x(1..9) } = 1.", ":- x(N), N \\ 4 != 0.", "#minimize { N : x(N) }."],
      model: { x: [[4]] },
      objective: 4,
    },
    hard: [...pigeons_in_asp, ":- shared(P,Q)."],
    hard_optimum: [...pigeons_in_asp, "#minimize { 1,P,Q : shared(P,Q) }."],
    gives_incumbent: true,
    bad: { item: "a(1).\nb(X) :- not a(X).", line: 2, column: 3 },
    broken_by: { index: 0, gives: "warning" },
    unicode: { items: ['town("Köln 😀"). % größer', "near(X) :- town(X)."], model: { near: [["Köln 😀"]] } },
    many: (count) => Array.from({ length: count }, (_, i) => `p(${i}) :- not q(${i}). #defined q/1.`),
  };
}

export const fixtures: readonly LanguageFixture[] = clingo_builds.map(asp);
