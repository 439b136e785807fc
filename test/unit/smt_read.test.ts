import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  isUnsupported,
  readCheck,
  readCore,
  readErrors,
  readModel,
  readObjectives,
  readReason,
} from "../../src/engines/smt/read.ts";

const directory = fileURLToPath(new URL("../fixtures/z3/", import.meta.url));

/** Everything that scripts/record_z3.mjs records. */
const recordings = [
  ...["check_sat", "check_unsat", "check_unknown", "silent", "unsupported_logic", "unsupported_info"],
  ...["model_empty", "model_simple_values", "model_functions", "model_odd_names", "model_free_sort"],
  ...["model_long_value", "model_error", "core_two", "core_empty", "core_odd_names", "core_assumptions", "core_error"],
  ...["objectives_in_order", "objectives_without_end", "objectives_never_reached", "objectives_interval"],
  ...["objectives_wishes", "objectives_none", "reason_timeout", "reason_incomplete", "reason_none"],
  ...["errors_one", "errors_several", "errors_over_lines", "errors_among_answers"],
] as const;

type Recording = (typeof recordings)[number];

/** What Z3 printed, as a session hands it over. A recording that is missing fails. */
function recorded(name: Recording): string {
  const text = readFileSync(`${directory}${name}.txt`, "utf8");
  const end = text.indexOf("\n");
  if (!text.startsWith("Z3 version ")) throw new Error(`${name} does not say which Z3 it was recorded from`);
  return text.slice(end + 1).trim();
}

describe("the recordings", () => {
  it("are all there, and no other", () => {
    expect(readdirSync(directory).sort()).toEqual(recordings.map((name) => `${name}.txt`).sort());
  });

  it.each(recordings)("%s says which Z3 it is from", (name) => {
    expect(recorded(name)).toBeTypeOf("string");
  });
});

describe("the answer to a check", () => {
  it.each(["sat", "unsat", "unknown"] as const)("is %s when Z3 says so", (word) => {
    expect(readCheck(recorded(`check_${word}`))).toBe(word);
  });

  it.each(["errors_one", "silent", "core_two", "unsupported_logic", "model_empty"] as const)("is not %s", (name) => {
    expect(readCheck(recorded(name))).toBeUndefined();
  });
});

describe("a model", () => {
  it("may be empty", () => {
    expect(readModel(recorded("model_empty"))).toEqual({ definitions: [], values: {} });
  });

  it("has the value of each constant, as it would be written in a script", () => {
    expect(readModel(recorded("model_simple_values"))?.values).toEqual({
      truth: "true",
      whole: "(- 12)",
      part: "(- (/ 2.0 3.0))",
      bits: "#b010110",
      byte: "#xa7",
      text: '"say ""\\u{c3}\\u{a9}\\u{a}"""',
      both: "(pair (- 1) false)",
    });
  });

  it("has functions with their parameters, on one line", () => {
    expect(readModel(recorded("model_functions"))?.values).toEqual({
      a: "(store ((as const (Array Int Bool)) false) 3 true)",
      f: "((x!0 Int) (x!1 Bool)) (ite (and (= x!0 2) (= x!1 false)) (- 6) 5)",
    });
  });

  it("has names without their bars", () => {
    expect(readModel(recorded("model_odd_names"))?.values).toMatchObject({
      "two words": "1",
      'a\nline; and (more "': "2",
      größer: "4",
    });
  });

  it("has values of free sorts, and no names but those of the script", () => {
    expect(readModel(recorded("model_free_sort"))?.values).toEqual({
      home: "Town!val!0",
      road: "((x!0 Town)) Town!val!1",
    });
  });

  it("prints a definition on one line where it fits, and as Z3 broke it where not", () => {
    expect(readModel(recorded("model_functions"))?.definitions).toEqual([
      "  (define-fun a () (Array Int Bool) (store ((as const (Array Int Bool)) false) 3 true))",
      "  (define-fun f ((x!0 Int) (x!1 Bool)) Int (ite (and (= x!0 2) (= x!1 false)) (- 6) 5))",
    ]);
    const long = readModel(recorded("model_long_value"));
    expect(long?.definitions[0]?.split("\n").length).toBeGreaterThan(30);
    expect(long?.values["s"]).toMatch(/^\(seq\.\+\+ (\(seq\.unit 1000\d\d\) ?){30}\)$/);
  });

  it.each(["model_error", "check_sat", "silent", "errors_several"] as const)("is not %s", (name) => {
    expect(readModel(recorded(name))).toBeUndefined();
  });
});

describe("objectives", () => {
  it("come in the order of the script", () => {
    expect(readObjectives(recorded("objectives_in_order"))).toEqual([
      { term: "x", value: "4" },
      { term: "(- x y)", value: "0" },
    ]);
  });

  it("may be without end, or within an interval", () => {
    expect(readObjectives(recorded("objectives_without_end"))).toEqual([
      { term: "n", value: "oo" },
      { term: "(* 2 m)", value: "(interval (* (- 1) oo) oo)" },
    ]);
    expect(readObjectives(recorded("objectives_interval"))).toEqual([
      { term: "x", value: "(interval 2 (+ 3.0 (* (- 1.0) epsilon)))" },
      { term: "n", value: "oo" },
    ]);
  });

  it("may be approached and never reached", () => {
    expect(readObjectives(recorded("objectives_never_reached"))).toEqual([
      { term: "x", value: "(+ 3.0 (* (- 1.0) epsilon))" },
    ]);
  });

  it("have the cost of wishes too, also of those without an :id", () => {
    expect(readObjectives(recorded("objectives_wishes"))?.map(({ value }) => value)).toEqual(["0", "(/ 5.0 2.0)", "2"]);
  });

  it("may be none", () => {
    expect(readObjectives(recorded("objectives_none"))).toEqual([]);
  });

  it.each(["model_error", "core_two", "check_sat", "silent"] as const)("are not %s", (name) => {
    expect(readObjectives(recorded(name))).toBeUndefined();
  });
});

describe("a core", () => {
  it("has its members as Z3 wrote them", () => {
    expect(readCore(recorded("core_two"))).toEqual(["high", "low"]);
    expect(readCore(recorded("core_odd_names"))).toEqual(["|rule (1)|", '|größer; "|']);
    expect(readCore(recorded("core_assumptions"))).toEqual(["a", "(not b)"]);
    expect(readCore(recorded("core_empty"))).toEqual([]);
  });

  it.each(["core_error", "check_unsat", "silent", "errors_several"] as const)("is not %s", (name) => {
    expect(readCore(recorded(name))).toBeUndefined();
  });
});

describe("the reason of unknown", () => {
  it("is what Z3 says", () => {
    expect(readReason(recorded("reason_timeout"))).toBe("timeout");
    expect(readReason(recorded("reason_incomplete"))).toMatch(/incomplete/);
  });

  it("is none where Z3 has none", () => {
    expect(readReason(recorded("reason_none"))).toBeUndefined();
    expect(readReason(recorded("errors_one"))).toBeUndefined();
  });
});

describe("errors", () => {
  it("have the place that Z3 names", () => {
    expect(readErrors(recorded("errors_one"))).toEqual([{ message: "unknown constant g", line: 2, column: 11 }]);
  });

  it("are all read, in order", () => {
    expect(readErrors(recorded("errors_several")).map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it("may have several lines each", () => {
    expect(readErrors(recorded("errors_over_lines")).map(({ message }) => message.split("\n").length)).toEqual([2, 2]);
  });

  it("are found among answers", () => {
    expect(readErrors(recorded("errors_among_answers"))).toHaveLength(1);
    expect(readErrors(recorded("model_error"))).toHaveLength(1);
    expect(readErrors(recorded("core_error"))).toHaveLength(1);
  });

  it.each(["check_unsat", "model_odd_names", "core_odd_names", "unsupported_info", "silent"] as const)(
    "are not in %s",
    (name) => {
      expect(readErrors(recorded(name))).toEqual([]);
    },
  );
});

describe("unsupported", () => {
  it("is what Z3 does not know, with or without remarks", () => {
    expect(isUnsupported(recorded("unsupported_logic"))).toBe(true);
    expect(isUnsupported(recorded("unsupported_info"))).toBe(true);
  });

  it.each(["errors_one", "check_unknown", "silent", "model_empty"] as const)("is not %s", (name) => {
    expect(isUnsupported(recorded(name))).toBe(false);
  });
});
