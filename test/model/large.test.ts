import { expect, it } from "vitest";
import { checkNumbers, overflowOfWritten } from "../../src/evidence/asp/overflow.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { fitValues } from "../../src/kernel/text/fit.ts";
import { readProgram } from "../../src/tools/model/languages/asp/program.ts";

it("a program may have more statements than a function takes arguments", () => {
  const program = readProgram(["a.".repeat(10)]);
  const [statement] = program.statements;
  if (!statement) throw new Error("a statement was written");
  expect(overflowOfWritten({ ...program, statements: new Array(300_000).fill(statement) })).toBeUndefined();
});

it("a grounding that timed out is the reason given, not the numbers written in the program", async () => {
  const program = readProgram(["d(2147483646). x(D*D) :- d(D), D < 9."]);
  expect(overflowOfWritten(program)).toContain("with numbers up to 2147483646");
  const { warning } = await checkNumbers({ ground: async () => false }, program, new Deadline(1000));
  expect(warning).toContain("timed out");
});

it("an answer is not made too long by the name of a value", () => {
  const long = "k".repeat(200_000);
  const { values, short } = fitValues({ a: 1, [long]: 2, b: 3 }, 15_000);
  expect(values).toEqual({ a: 1, b: 3 });
  expect(short).toEqual([`${"k".repeat(200)}…`]);
});
