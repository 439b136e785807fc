import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const prover = "src/prover";
mkdirSync(".cache", { recursive: true });
const copy = mkdtempSync(resolve(".cache/new_syntax_"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Syntax that there is not, and where the types of the tree would have it. */
const inventions: readonly (readonly [before: string, after: string])[] = [
  ["export type Statement =", 'export type Statement =\n  | (Place & { readonly is: "NewStatement" })'],
  ["export type Expression =", 'export type Expression =\n  | (Place & { readonly is: "NewExpression" })'],
  ['["Add",', '["NewOperator", "Add",'],
];

let errors: readonly string[] = [];
beforeAll(() => {
  for (const path of ["src", "package.json"]) cpSync(path, join(copy, path), { recursive: true });
  writeFileSync(
    join(copy, "tsconfig.json"),
    JSON.stringify({ extends: resolve("tsconfig.json"), include: ["src"], exclude: ["src/viewer/app"] }),
  );
  const file = join(copy, prover, "python/tree.ts");
  let tree = readFileSync(file, "utf8");
  for (const [before, after] of inventions) {
    expect(tree.split(before).length).toBe(2);
    tree = tree.replace(before, after);
  }
  writeFileSync(file, tree);
  const { stdout } = spawnSync(resolve("node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false", "-p", copy], {
    encoding: "utf8",
    timeout: 240_000,
  });
  errors = stdout.split("\n").filter((line) => line.includes("error TS"));
}, 300_000);

/** The files in which the compiler reports errors that contain these words. */
function filesWith(words: string): string[] {
  const files = errors.filter((line) => line.includes(words)).map((line) => line.split("(")[0] ?? "");
  return [...new Set(files.map((file) => file.slice(file.indexOf(prover) + prover.length + 1)))].toSorted();
}

const of_statements = [
  "python/children.ts",
  "python/construct_names.ts",
  "python/program.ts",
  "python/walk.ts",
  "run/statements.ts",
];
const of_expressions = ["python/children.ts", "python/construct_names.ts", "run/expressions.ts"];
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

  it("has no other places that must know it", () => {
    const known = new Set([...of_statements, ...of_expressions, ...of_operators]);
    expect(filesWith("").filter((file) => !known.has(file))).toEqual([]);
  });
});
