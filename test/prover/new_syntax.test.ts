import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeDirectory } from "../support/directories.ts";

const prover = "src/prover";
mkdirSync(".cache", { recursive: true });
const copy = mkdtempSync(resolve(".cache/new_syntax_"));
afterAll(() => removeDirectory(copy));

/** Syntax that does not exist: the file that would introduce it, and how. */
const inventions: readonly (readonly [file: string, before: string, after: string])[] = [
  ["tree", "const statement_forms = {", "const statement_forms = { NewStatement: {},"],
  ["tree", "const expression_forms = {", "const expression_forms = { NewExpression: {},"],
  ["tree", '["Add",', '["NewOperator", "Add",'],
  ["walk", '"append",\n', '"newMethod",\n  "append",\n'],
];

let errors: readonly string[] = [];
beforeAll(() => {
  for (const path of ["src", "package.json"]) cpSync(path, join(copy, path), { recursive: true });
  writeFileSync(
    join(copy, "tsconfig.json"),
    // The prover and what it imports: all of src takes five seconds of a processor.
    JSON.stringify({ extends: resolve("tsconfig.json"), include: [prover, "src/engines/wasm/webassembly.d.ts"] }),
  );
  for (const [name, before, after] of inventions) {
    const file = join(copy, prover, `python/${name}.ts`);
    const text = readFileSync(file, "utf8");
    expect(text.split(before).length).toBe(2);
    writeFileSync(file, text.replace(before, after));
  }
  const { stdout } = spawnSync(resolve("node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false", "-p", copy], {
    encoding: "utf8",
    timeout: 960_000,
  });
  errors = stdout.split("\n").filter((line) => line.includes("error TS"));
}, 1_000_000);

/** The files in which the compiler reports errors that contain these words. */
function filesWith(words: string): string[] {
  const files = errors.filter((line) => line.includes(words)).map((line) => line.split("(")[0] ?? "");
  return [...new Set(files.map((file) => file.slice(file.indexOf(prover) + prover.length + 1)))].toSorted();
}

const of_statements = [
  "python/checks.ts",
  "python/children.ts",
  "python/construct_names.ts",
  "python/program.ts",
  "run/statements.ts",
];
const of_expressions = ["python/children.ts", "python/construct_names.ts", "run/expressions.ts"];
const of_list_changes = ["run/list_changes.ts"];
const of_operators = ["python/construct_names.ts", "run/operators/arithmetic.ts"];

describe("what the prover reads of Python", () => {
  it("can't get a kind of statement that one of these places forgets", () => {
    expect(filesWith("NewStatement")).toEqual(of_statements);
  });

  it("can't get a kind of expression that one of these places forgets", () => {
    expect(filesWith("NewExpression")).toEqual(of_expressions);
  });

  it("can't get an operator that one of these places forgets", () => {
    expect(filesWith("NewOperator")).toEqual(of_operators);
  });

  it("can't get a method that changes a list without its meaning", () => {
    expect(filesWith("newMethod")).toEqual(of_list_changes);
  });

  it("has no other places that must know it", () => {
    const known = new Set([...of_statements, ...of_expressions, ...of_operators, ...of_list_changes]);
    expect(filesWith("").filter((file) => !known.has(file))).toEqual([]);
    // The compiler looked at the prover alone: nobody else reads the tree.
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const readers = sources.filter((file) => /from ".*prover\/python\//.test(readFileSync(join("src", file), "utf8")));
    expect(readers.length).toBe(0);
  });
});
