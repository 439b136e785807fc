import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { readArguments } from "../../src/kernel/arguments.ts";
import { Fault } from "../../src/kernel/fault.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { Store } from "../../src/tools/model/items/store.ts";
import { openLanguages } from "../../src/tools/model/languages/index.ts";
import { all_toolsets, samples } from "../support/every_tool.ts";

const config = readConfig({ tools: all_toolsets[1] });
const engines = new Engines(config);
afterAll(() => engines.close());
const tools = openToolsets(engines, config).flatMap((set) => set.session());

function toolNamed(name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

function wordsOn(name: string, args: unknown): string {
  try {
    return `taken: ${JSON.stringify(readArguments(toolNamed(name), args))}`;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.message;
    throw thrown;
  }
}

describe("an argument as language models send it", () => {
  const smtlib = "(check-sat)";
  const standard = { smtlib, timeout_ms: 30_000, explain_unsat: false, engine: "auto" };
  const data = { n: 4 };
  it.each([
    ["null for what is optional", "solve_smtlib", { smtlib, timeout_ms: null, explain_unsat: null }, standard],
    ["an empty text for what is optional", "solve_model", { model_id: "", solver: "" }, { timeout_ms: 30_000 }],
    ["an empty text that is needed", "edit_memo", { start_line: 1, content: "" }, { start_line: 1, content: "" }],
    ["no arguments at all", "get_model", null, {}],
    ["null for all of them", "get_model", { from_index: null, model_id: null }, {}],
    ["a number as text", "solve_smtlib", { smtlib, timeout_ms: "5000" }, { ...standard, timeout_ms: 5_000 }],
    ["an index as text", "delete_item", { index: "2" }, { index: 2 }],
    ["a truth as text", "solve_smtlib", { smtlib, explain_unsat: "True" }, { ...standard, explain_unsat: true }],
    ["an object as text", "solve_model", { data: '{"n": 4}' }, { timeout_ms: 30_000, data }],
    ["a list as text", "get_solution", { name: "x", indices: '[0, "a"]' }, { name: "x", indices: [0, "a"] }],
    ["a word in capitals", "solve_model", { reasoning: "Brave" }, { timeout_ms: 30_000, reasoning: "brave" }],
    ["a text that looks like a number", "add_item", { item: "5" }, { item: "5" }],
    ["null within an object", "solve_model", { data: { n: null } }, { timeout_ms: 30_000, data: { n: null } }],
  ])("is taken: %s", (_, name, args, expected) => {
    expect(readArguments(toolNamed(name), args)).toEqual(expected);
  });

  it.each([
    ["null for what is needed", "solve_smtlib", { smtlib: null }, 'Parameter "smtlib"'],
    ["a number with its unit", "solve_smtlib", { smtlib, timeout_ms: "30s" }, 'Given: "30s".'],
    ["an object for a number", "solve_smtlib", { smtlib, timeout_ms: { toString: 1 } }, 'Given: {"toString":1}.'],
    ["an object for an index", "delete_item", { index: { valueOf: 1, toJSON: 1 } }, 'Given: {"valueOf":1,"toJSON":1}.'],
    ["spaces past the bound", "symbolic_check", { code: " ".repeat(65_537), function_name: "f" }, "longer than 64 KiB"],
    ["a text with many names", "solve_model", { data: `{${'"a":1,'.repeat(20_001)}"b":1}` }, "more than 20000"],
    ["a text with many items", "solve", { items: `["",${'"a",'.repeat(2_000)}"b"]` }, "more than 2000 elements"],
    ["a list of arguments", "get_model", [1], "The arguments must be an object"],
    ["a text for arguments", "get_model", "x", "The arguments must be an object"],
    [
      "no index",
      "delete_item",
      {},
      "index must be a whole number, counted from 0; get_model shows which ones are valid. It is missing.",
    ],
  ])("is refused in plain words: %s", (_, name, args, words) => {
    expect(wordsOn(name, args)).toContain(words);
  });

  it.each([
    ["solve_smtlib", { smtlib, timeout: 5 }, '"timeout": did you mean "timeout_ms"?'],
    ["solve_smtlib", { smtlib, timeoutMs: 5 }, '"timeoutMs": did you mean "timeout_ms"?'],
    ["solve_smtlib", { script: smtlib }, '"script": did you mean "smtlib"?'],
    ["symbolic_check", { code: "", function: "f" }, '"function": did you mean "function_name"?'],
    ["symbolic_check", { python: "", function_name: "f" }, '"python": did you mean "code"?'],
    ["compare_functions", { code: "", function: "f" }, '"function": did you mean "function_a" or "function_b"?'],
    ["replace_item", { index: 0, item: "x" }, '"item": did you mean "new_item"?'],
    ["get_model", { constructor: 1, __proto__: 1 }, 'Unknown argument "constructor".'],
    ["get_memo", { page: 1 }, 'Unknown argument "page".'],
    ["compare_functions", { function_name_a: "f" }, '"function_name_a": did you mean "function_a"?'],
    ["compare_functions", { code: "", code_c: "", function_a: "f", function_b: "g" }, 'Unknown argument "code_c".'],
  ])("has the name that was meant: %s %j", (name, args, words) => {
    expect(wordsOn(name, args)).toContain(words);
  });

  const again = "then send the call again";
  const of_solver = "solve_smtlib takes: smtlib, timeout_ms, explain_unsat, engine";
  it.each([
    ["a misspelt name", "solve_smtlib", { script: smtlib }, ['write "smtlib" instead of "script"', of_solver]],
    ["an unknown name", "solve_smtlib", { smtlib, colour: 1 }, ['omit "colour"', of_solver]],
    ["an argument that is missing", "solve_smtlib", {}, ["add smtlib", of_solver]],
    ["a wrong value", "solve_smtlib", { smtlib, engine: "mathsat" }, ["correct engine, or omit it", again]],
    ["a wrong value that can't be omitted", "delete_item", { index: "x" }, ["correct index", again]],
    ["any argument", "get_memo", { page: 1 }, ['omit "page"', "get_memo takes no arguments"]],
    ["a list of arguments", "get_model", [1], ["send the arguments as an object", again]],
  ])("is corrected by steps for %s only", (_, name, args, steps) => {
    expect(() => readArguments(toolNamed(name), args)).toThrow(expect.objectContaining({ steps }));
  });
});

describe("a value that no tool takes is refused in words for a reader, by", () => {
  const weird = [
    ...[null, true, "", " ", "x", "1e400", "nan", "NaN", "[]", "{}", "\u0000", "\ud800", "__proto__", "9".repeat(400)],
    ...[-1, 0.5, 1e300, Number.POSITIVE_INFINITY, [], [[]], [null], {}, { toString: 1 }, { toJSON: 1, length: -1 }],
    JSON.parse('{"__proto__": {"a": 1}, "constructor": null}'),
    JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  ];
  it.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
    for (const argument of Object.keys(tool.input.shape)) {
      for (const value of weird) {
        const message = wordsOn(name, { ...samples[name]?.answer, [argument]: value });
        if (message.startsWith("taken: ")) continue;
        expect(message).not.toMatch(/\[object|Invalid input|expected |received |undefined|Error:|must be of type/);
        expect(message).toContain(argument);
        expect(message.length).toBeLessThan(600);
      }
    }
  });
});

describe("a language", () => {
  const store = new Store(openLanguages(engines));
  it.each([
    ["Z3", "z3"],
    [" MiniZinc ", "minizinc"],
    ["mzn", "minizinc"],
    ["ASP", "asp"],
    ["clingo", "asp"],
    ["MaxSAT", "pysat"],
    ["sat", "pysat"],
  ])("named %j is %s", (language, id) => {
    expect(store.clear({ language }).language.id).toBe(id);
  });

  it("of scripts is another tool's", () => {
    expect(() => store.clear({ language: "smt-lib" })).toThrow('There is no language "smt-lib".');
  });
});
