import { expect, test } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { squeezed } from "../../src/kernel/text/squeezed.ts";
import { unfence } from "../../src/kernel/text/unfence.ts";
import { otherLanguageOf } from "../../src/tools/smtlib/script/syntax_fault.ts";
import { functionName } from "../../src/tools/symbolic/arguments.ts";
import { writtenIn } from "../../src/tools/written_in.ts";

test("a run of spaces or line ends becomes one, and a line stays a line", () => {
  expect(squeezed("a  \t b \n\n  c\r\u2028d")).toBe("a b\nc\nd");
});

// A pattern that runs over the same spaces from each of them would need minutes to hours for one of these.
test.each(["\n", " ", "\t", "\r", "\u2028", " \n", "a ", ":- ", "def a("])(
  "a long text of %j is looked through for signs of a notation once",
  (part) => {
    const text = `x${part.repeat(90_000)}`;
    expect(writtenIn(text)?.what).not.toBe("SMT-LIB");
    expect(otherLanguageOf(text)?.what).not.toBe("SMT-LIB");
    functionName("function_name").safeParse(text);
    expect(unfence(`\`\`\`\n${text}`, "item").text).toMatch(/^x/);
  },
);

test("a sign is found behind many empty lines", () => {
  expect(writtenIn(`${"\n".repeat(5_000)}  var 1..3: x;`)?.what).toBe("MiniZinc");
});

test("a fault that quotes a long text of a client is short", () => {
  const text = "x".repeat(3_000_000);
  const fault = new Fault("invalid_argument", `There is no solver "${text}".`, [`write constraint ${text};`, "or not"]);
  expect(JSON.stringify(fault.report()).length).toBeLessThan(25_000);
  expect(fault.report().error).toContain("of 3000022 characters are shown");
  expect(fault.with({ steps: [{ call: text, shell: "" }] }).remedy.length).toBeLessThan(2_100);
});

test("a name of a function has a bound", () => {
  expect(functionName("function_name").safeParse("f".repeat(2_000)).success).toBe(false);
});
