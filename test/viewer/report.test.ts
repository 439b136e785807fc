import { describe, expect, it } from "vitest";
import { html } from "../../src/viewer/html.ts";
import { viewer_limits } from "../../src/viewer/limits.ts";
import { literalsIn } from "../../src/viewer/literals.ts";
import { reportHtml } from "../../src/viewer/report.ts";

const hostile = [
  "</title><script>alert(1)</script>",
  "</style><img src=x onerror=alert(1)>",
  `"><svg onload='alert(1)'>`,
  "<!--",
  "</pre></details><script>alert(1)</script>",
  "\u202Eright to left",
  "\u0000\u001B[31m",
  "&lt;b&gt;",
];

function page(
  answer: Record<string, unknown>,
  more: { sources?: { name: string; text: string }[]; title?: string } = {},
) {
  return reportHtml({ title: "puzzle", sources: [], ...more, answer });
}

/** The tags of a page, without what is text. */
function tags(text: string): string[] {
  return [...text.matchAll(/<\/?([a-z!][\w-]*)/gi)].map(([, name = ""]) => name.toLowerCase());
}

describe("the report", () => {
  const plain = { status: "sat", message: "Satisfiable.", values: { x: 3 }, warnings: [], engine: "e" };

  it("shows the verdict, the values and the engine", () => {
    const text = page(plain);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).toContain('<p class="verdict sat">sat</p>');
    expect(text).toContain('<th scope="row"><bdi>x</bdi></th><td><bdi>3</bdi></td>');
    expect(text).toContain("Decided by e.");
  });

  it("has no script and loads nothing, by its own policy", () => {
    const text = page({ ...plain, values: { grid: [[1, 2]], start: [1, 2], duration: [3, 4] } });
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(tags(text)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(script|link|img|iframe|object)$/)]),
    );
    expect(text).not.toMatch(/\b(?:src|href|on\w+)=/);
  });

  it.each(hostile)("takes %j for text wherever it stands", (words) => {
    const report = (text: string) => {
      const mixed = { list: [text, text], grid: [[text], ["b"]], other: { [text]: text }, mixed: [[text], 3] };
      const values = { [`${text} name`]: text, ...mixed };
      const fields = { status: text, message: text, objective: text, values, warnings: [text], engine: text };
      const answer = { ...fields, unsat_items: [{ item: 0, line: 1, text }], solutions: [values, values] };
      return page(answer, { title: text, sources: [{ name: text, text }] });
    };
    expect(tags(report(words))).toEqual(tags(report("harmless")));
    expect(report(words)).not.toContain("<script>");
    expect(report(words)).not.toContain("\u0000");
  });

  it("draws a grid with a colour for each value, and rows with their places", () => {
    const text = page({
      ...plain,
      values: {
        board: [
          ["a", "b"],
          ["b", "a"],
        ],
        places: [2, 4, 1, 3],
      },
    });
    expect(text).toMatch(
      /<td class="c0"><bdi>a<\/bdi><\/td><td class="c1"><bdi>b<\/bdi><\/td><\/tr><tr><td class="c1">/,
    );
    expect(text).toContain('<th scope="col"><bdi>4</bdi></th>');
  });

  it("draws starts with durations or ends as a schedule, and says that this is a guess", () => {
    const text = page({ ...plain, values: { start: [0, 4, 6], duration: [4, 2, 4] } });
    expect(text).toContain("A schedule of start and duration: 3 tasks from 0 to 10");
    expect(text).toContain("a guess by the names of the values");
    expect(text).toContain('<svg x="40%" y="28" width="20%" height="22"><title>task 2: 4 to 6</title>');
    expect(page({ ...plain, values: { begin: [0, 4], end: [4, 6] } })).toContain("2 tasks from 0 to 6");
    const with_data = {
      title: "",
      answer: { ...plain, values: { s: [1, 2] } },
      sources: [],
      parameters: { d: [5, 5] },
    };
    expect(reportHtml(with_data)).toContain("A schedule of s and d: 2 tasks from 1 to 7");
  });

  it("knows the lists that a model holds itself", () => {
    const answer = { ...plain, values: { start: [0, 4, 0], oven: [1, 1, 2] } };
    const text = "int: n = 3;\narray[1..n] of int: duration = [4, 2, 4,]; % minutes\narray[1..n] of var 0..9: start;";
    const drawn = reportHtml({ title: "", answer, sources: [{ name: "a.mzn", text }] });
    expect(drawn).toContain("A schedule of start and duration: 3 tasks from 0 to 6");
    expect(drawn).toContain("a guess by the names of the values");
    // Data of the question comes first.
    const other = reportHtml({
      ...{ title: "", answer, sources: [{ name: "a.mzn", text }], parameters: { duration: [1, 1, 1] } },
    });
    expect(other).toContain("3 tasks from 0 to 5");
  });

  it.each([
    ["start = [0, 4, 6]\nd = [1.5, 2, -3]", { start: [0, 4, 6], d: [1.5, 2, -3] }],
    [
      "array[1..2,1..2] of int: cost = [|1, 2|3, 4|];",
      {
        cost: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      "edges = [[1, 2], [2, 3]]\nnames = ['a', \"b\"]",
      {
        edges: [
          [1, 2],
          [2, 3],
        ],
        names: ["a", "b"],
      },
    ],
    ["a = [i * 2 for i in range(3)]; b == [1]; c = [x, y]; d = [1, % one\n2];", {}],
    ["a=[".repeat(50_000), {}],
    [`a=[${"[1],".repeat(50_000)}`, {}],
  ] as const)("reads the lists of %.60j", (text, lists) => {
    expect(literalsIn([text])).toEqual(lists);
  });

  it.each([
    ["other lengths", { start: [1, 2], duration: [1, 2, 3] }],
    ["ends before starts", { start: [5, 6], end: [1, 2] }],
    ["texts", { start: ["a", "b"], duration: ["c", "d"] }],
  ])("draws no schedule of %s", (_, values) => {
    expect(page({ ...plain, values })).not.toContain("<svg");
  });

  it("shows a claim as no verdict", () => {
    const text = page({ status: "unknown", claimed: "unsat", message: "Undecided" });
    expect(text).toContain(
      '<p class="verdict open">unknown</p><p class="verdict open">claimed, not confirmed: unsat</p>',
    );
    expect(page({ status: "sat" })).not.toContain("claimed");
  });

  it("marks the lines that conflict in their own source", () => {
    const sources = [
      { name: "a.mzn", text: "var 1..3: x;\nconstraint x > 3;\nsolve satisfy;" },
      { name: "b.dzn", text: "one\ntwo" },
    ];
    const text = page({ status: "unsat", unsat_items: [{ item: 0, line: 2, text: "constraint x > 3;" }] }, { sources });
    expect(text).toContain("<mark>constraint x &gt; 3;</mark>");
    expect(text.match(/<mark>/g)).toHaveLength(1);
    expect(text).toContain("<li>a.mzn, line 2: <code>");
    const script = page(
      { status: "unsat", unsat_core: [{ name: "line_1", line: 1, text: "(assert false)" }] },
      { sources },
    );
    expect(script).toContain("<mark>var 1..3: x;</mark>");
    const place = { item: 0, line: 2, text: "constraint x > 3;" };
    const why = { about: "unsat", core: [place], drop: [{ items: [place], proved: "smallest" }] };
    const explained = page({ status: "unsat", unsat_items: [place], why }, { sources });
    expect(explained.match(/<mark>/g)).toHaveLength(1);
    expect(explained.match(/<li>a.mzn, line 2: <code>/g)).toHaveLength(2);
    expect(explained).toContain("<h2>Without one of these sets there is a solution</h2>");
    const best = page({ status: "sat", why: { about: "optimum", core: [place], drop: [] } }, { sources });
    expect(best).toContain("<h2>These exclude a better solution</h2>");
    expect(best).toContain("<mark>constraint x &gt; 3;</mark>");
  });

  it("says what it leaves out of what is too long", () => {
    const { cells_max, bars_max, source_lines_max } = viewer_limits;
    const many = Array.from({ length: 10_000 }, (_, i) => i);
    const values = {
      row: many,
      start: many,
      duration: many,
      grid: many.map((i) => [i]),
      mixed: many.map((i) => [i, [i]]),
    };
    const text = page({ ...plain, values }, { sources: [{ name: "long", text: "x\n".repeat(3_000) }] });
    expect(text).toContain(`The first ${cells_max} of 10000`);
    expect(text).toContain(`${10_000 - bars_max} more tasks are not drawn`);
    expect(text).toContain(`${3_000 - source_lines_max} more lines`);
    expect(text).toContain(`${10_000 - bars_max} more values are not drawn`);
    expect(text.match(/<rect/g)).toHaveLength(2 * bars_max);
  });

  it("draws the search, with the bound or the proof, where the objective became better", () => {
    const incumbents = [
      { objective: 9, seconds: 0.1 },
      { objective: 4, seconds: 0.5 },
    ];
    const answer = { ...plain, incumbents, objective: 4, solve_time: 2 };
    expect(page({ ...answer, optimal: true })).toContain("from 9 to 4 in 2 steps, proved best 4");
    expect(page({ ...answer, optimal: false, objective_bound: 3 })).toContain("in 2 steps, bound 3");
    const one_line = page({ ...answer, optimal: false, objective_bound: 3 });
    expect(one_line.match(/class="bound"/g)).toHaveLength(1);
    expect(one_line).not.toContain('<th scope="col"><bdi>bound</bdi></th>');
    expect(page({ ...answer, optimal: false })).not.toContain('class="bound"');
    expect(page({ ...answer, incumbents: incumbents.slice(1) })).not.toContain("The search");
    expect(page({ ...answer, incumbents: [{ objective: "9" }, null, 3] })).not.toContain("The search");
  });

  it("draws how the bound came nearer, if the solver reported it", () => {
    const incumbents = [
      { objective: 9, seconds: 0 },
      { objective: 6, seconds: 1, bound: 1 },
      // A second solver knew less: what was known stays true.
      { objective: 5, seconds: 2, bound: 0 },
    ];
    const text = page({ ...plain, incumbents, objective: 5, optimal: true, solve_time: 4 });
    const [, path = ""] = /<path d="([^"]*)" class="bound"/.exec(text) ?? [];
    const [from, ...steps] = path.match(/[MH][^MH]*/g) ?? [];
    expect(from).toMatch(/^M25,/);
    // It stays until the end, and is the optimum there.
    expect(steps).toHaveLength(3);
    expect(steps[0]).toMatch(new RegExp(`^H50V${from?.split(",")[1]}$`));
    expect(steps[1]).toMatch(/^H100V/);
    expect(text).toContain('<th scope="col"><bdi>bound</bdi></th>');
    expect(text).toContain("<td><bdi>not known</bdi></td>");
    const late = incumbents.map((each) => ({ ...each, seconds: each.seconds + 10 }));
    const cut = page({ ...plain, incumbents: late, objective: 5, optimal: true, solve_time: 14 });
    expect(cut).toMatch(/<path d="M9\.\d+,[^"]*" class="edge/);
    const far = page({
      ...plain,
      incumbents: [{ ...incumbents[0], bound: -1e9 }, incumbents[1]],
      objective: 6,
      optimal: true,
    });
    expect(far).not.toContain("NaN");
    expect(far).toContain("Earlier bounds are outside the picture");
    // Levels beside the picture are those of the solutions.
    expect(far).toMatch(/class="tick">8<\/text>/);
  });

  it("makes a page of an answer without anything known", () => {
    expect(page({ status: "undecided", counterexample: null })).toContain('<p class="verdict open">undecided</p>');
    expect(page({ status: "verified" })).toContain('<p class="verdict good">verified</p>');
  });

  it("shows the code with the path of an input, the line that raises, and what never runs", () => {
    const code =
      "def f(x):\n    if x > 3:\n        raise ValueError(x)\n    elif x > 5:\n        return 1\n    return 0";
    const sources = [{ name: "the code", text: code }];
    const raised = {
      call: "f(x=4)",
      path_condition: "x > 3",
      path_lines: [{ line: 2, taken: true }],
      stack_trace: "ValueError at line 3: 4",
      test: "assert <b>",
    };
    const shown = page({ status: "found", triggering_inputs: [raised] }, { sources });
    expect(shown).toContain(
      '<span class="path">    if x &gt; 3:</span> <span class="said path">◀ true on the path</span>',
    );
    expect(shown).toContain('<span class="raises">        raise ValueError(x)</span>');
    expect(shown).toContain("assert &lt;b&gt;");
    const looped = "def g(xs):\n    for x in xs:\n        if not xs[0] or x > 3:\n            return 1\n    return 0";
    const path_lines = [
      { line: 2, taken: true },
      { line: 3, taken: false },
      { line: 3, taken: true },
    ];
    const both = page(
      { status: "different", distinguishing_input: { call: "g([1, 4])", path_lines } },
      { sources: [{ name: "the code", text: looped }] },
    );
    expect(both).toContain("◀ entered on the path");
    expect(both).toContain('if not xs[0] or x &gt; 3:</span> <span class="said path">◀ false, then true on the path');
    const branch = {
      line: 4,
      condition: "x > 5",
      true_reachable: false,
      false_reachable: true,
      false_example: { x: 0 },
    };
    const dead = page({ status: "complete", branches: [branch], dead_code_lines: [5] }, { sources });
    expect(dead).toContain('<span class="dead">        return 1</span> <span class="said dead">◀ never runs</span>');
    expect(dead).toContain("◀ never true");
    expect(dead).toContain("unreachable (proven)");
    const different = { function_a_result: "A", function_b_result: "B", explanation: "f and g differ" };
    expect(page({ status: "different", distinguishing_input: different })).toContain("f and g differ");
  });
});

describe("a piece of HTML", () => {
  it("escapes text, and keeps HTML", () => {
    expect(html`<b title="${`"'&`}">${html`<i>${"<"}</i>`}${[html`<u>`, html`</u>`]}</b>`.text).toBe(
      '<b title="&quot;&#39;&amp;"><i>&lt;</i><u></u></b>',
    );
  });
});
