import { afterAll, describe, expect, it } from "vitest";
import { type AspBench, openAsp, quickest_clingo, withoutDoubtAboutAge } from "../support/asp.ts";
import { Chance } from "../support/chance.ts";

/** What an answer says of an answer-set program beside its verdict: what the objective is made of, and what looks wrong. */
describe("an answer-set program", () => {
  const bench: AspBench = openAsp(quickest_clingo);
  afterAll(() => bench.close());

  const termsOf = async (program: string) => {
    const { objective, objective_terms: terms = [] } = await bench.solve([program], { timeout_ms: 120_000 });
    return { objective, terms };
  };

  it("has the cost of each weak constraint and element, at each level", async () => {
    const program = `task(1..4). room(1..3). { at(T,R) : room(R) } = 1 :- task(T). :- at(T,R), at(T+1,R).
      cost(1,5). cost(2,3). cost(3,9).
      :~ at(T,R), cost(R,C). [C@2,T]
      #minimize { 2@1,T : at(T,1) ; 7@1,"a:b" : at(4,2) }.`;
    expect(await termsOf(program)).toEqual({
      objective: [16, 4],
      terms: [
        { term: "at(T,R), cost(R,C) @2", cost: 16 },
        { term: "at(T,1) @1", cost: 4 },
      ],
    });
  });

  it("has values of what is maximised as it states them, and negative weights", async () => {
    const program = "{ pick(1..3) }. w(1,4;2,-5;3,9). :- pick(3). #maximize { W,I : pick(I), w(I,W); -1,all }. ";
    expect(await termsOf(program)).toEqual({
      objective: 3,
      terms: [
        { term: "pick(I), w(I,W)", cost: 4 },
        { term: "", cost: -1 },
      ],
    });
  });

  it("counts a tuple of two elements once", async () => {
    const program = "{ a; b }. :- not a. :- not b. :~ a. [3@1,x] :~ b. [3@1,x] #minimize { 2@1,y : b }.";
    expect(await termsOf(program)).toEqual({
      objective: 5,
      terms: [
        { term: "a", cost: 3 },
        { term: "b", cost: 2 },
      ],
    });
  });

  it("has terms that add up to the objective, whatever its levels and signs are", async () => {
    const chance = new Chance(20_341);
    const pick = <Each>(list: readonly Each[]): Each => chance.of(list);
    for (let round = 0; round < 12; round++) {
      // Levels with names are told apart only if each has a tuple.
      const levels = pick([["1", "2", "-1"], ["L"]]);
      const elements = Array.from({ length: 4 }, () => {
        const tuple = `${pick(["W", "-W", "2*W", "3"])}@${pick(levels)},${pick(["I", "x", "W"])}`;
        const body = `p(I), w(I,W), lev(L), ${pick(["I > 2", "not q", "W != 0"])}`;
        return pick([`:~ ${body}, #count { J : p(J), J < I } < 2. [${tuple}]`, `#minimize { ${tuple} : ${body} }.`]);
      });
      const program = `{ p(1..4) } = 3. { q }. w(1,2). w(2,0). w(3,-4). w(4,5). lev(${pick([1, 2, 3])}). ${elements.join("\n")}`;
      const { objective, terms } = await termsOf(program);
      const sum = (list: readonly unknown[]) => list.reduce<number>((all, each) => all + Number(each), 0);
      const total = sum((terms as { cost: number }[]).map(({ cost }) => cost));
      expect(total, program).toBe(sum([objective].flat()));
    }
  });

  const cases: readonly [what: string, program: string, found: readonly string[], data?: object][] = [
    ["a constant that nothing uses", "#const n = 5.\n{ a }.", ["Item 0, line 1: nothing uses the constant n."]],
    ["facts that no rule uses", "{ a(1..2) }.\nw(1,3). w(2,4).", ["Item 0, line 2: nothing uses w."]],
    [
      "data that nothing uses",
      "{ on(1..2) }. :- on(X), w(X,3).",
      ["Nothing in the program uses the data colour."],
      { w: [3, 4], colour: ["red", "blue"] },
    ],
    [
      "what is derived and neither shown nor used",
      "{ a(1..2) }.\nb(X) :- a(X).\n#show a/1.",
      ["Item 0, line 2: nothing uses b, and it is not shown."],
    ],
    ["nothing that is shown because no #show selects", "{ a(1..2) }. b(X) :- a(X).", []],
    [
      "nothing that conditions, aggregates, terms and costs use",
      "{ a(X) : d(X) }. d(1..2). e(1). f(g). :- #count { X : a(X), e(X) } > 0. :~ a(X), f(Y). [1,X,Y]",
      [],
    ],
    [
      "a constraint whose conditions never hold together",
      'skill(anna,icu). person(anna). { work(P) } :- person(P).\n:- work(P), skill(P,"icu").',
      ["Item 0, line 2: the conditions of this constraint never hold together, so it forbids nothing."],
    ],
    [
      "a rule and a weak constraint whose conditions never hold together",
      "{ at(1..3) }.\nlate :- at(T), T > 3.\n:~ at(T), T < 1. [1,T]\n:- late, at(1).",
      [
        "Item 0, line 2: the conditions of this rule never hold together, so it derives nothing.",
        "Item 0, line 3: the conditions of this weak constraint never hold together, so it costs nothing.",
      ],
    ],
    [
      "an objective that no choice touches",
      "{ pick(1..3) }. w(1,4). w(2,5). #maximize { W,I : w(I,W) }.",
      ["The objective has the same value in all answer sets: no choice affects it."],
    ],
    ["no objective of a program without a choice", "w(1,4). b(X) :- w(X,_). #minimize { W,I : w(I,W) }.", []],
    ["nothing in loops through negation", "a :- not b. b :- not a. :- a, not b, c. c :- a.", []],
  ];
  it.each(cases)("is told %s", async (_what: string, program: string, found: readonly string[], data: object = {}) => {
    const { warnings } = await bench.solve([program], { data, timeout_ms: 120_000 });
    const own = withoutDoubtAboutAge(warnings).filter((each) => !/conditions|nothing|Nothing|same value/.test(each));
    expect(withoutDoubtAboutAge(warnings).filter((each) => !own.includes(each))).toEqual(found);
  });

  it("is told them without a solve, too", async () => {
    await bench.call("clear_model", { language: "asp" });
    await bench.call("add_item", { item: "#const n = 5." });
    await bench.call("add_item", { item: "{ a }." });
    expect(await bench.call("get_model")).toMatchObject({ findings: ["Item 0, line 1: nothing uses the constant n."] });
  });
});
