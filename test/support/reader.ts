import { spawn } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { expect } from "vitest";
import { type Node, ReadError, readAll } from "../../src/engines/smt/sexpr.ts";
import { unless } from "../../src/kernel/unless.ts";
import { mutatedScripts } from "./texts.ts";

/** What a text reads as, or undefined when it is refused. */
export function readOrRefuse(text: string): Node[] | undefined {
  return unless(ReadError, () => readAll(text));
}

/**
 * Text that our reader takes is cut by Z3 at the same places: a word that we let it print after
 * each command comes out, each time.
 */
export function endsAgree(z3: string): fc.IAsyncProperty<[string]> {
  return fc.asyncProperty(mutatedScripts, async (text) => {
    const nodes = readOrRefuse(text);
    fc.pre(nodes !== undefined);
    const ends = nodes.map((node) => node.end);
    const marks = [...ends, text.length].map((_, i) => `MARK ${i} END`);
    const { output, ended } = await run(z3, withMarks(text, ends, marks));
    // A mutated recursion may never end: what Z3 did not come to, it did not cut.
    fc.pre(ended);
    expect(output.match(/MARK \d+ END/g)).toEqual(marks);
  });
}

function withMarks(text: string, ends: readonly number[], marks: readonly string[]): string {
  const cuts = [0, ...ends, text.length];
  return marks.map((mark, i) => `${text.slice(cuts[i], cuts[i + 1])}\n(echo "${mark}")\n`).join("");
}

async function run(z3: string, input: string): Promise<{ output: string; ended: boolean }> {
  const child = spawn(z3, ["-in", "-T:10"], { stdio: ["pipe", "pipe", "ignore"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [, signal] = await once(child, "close");
  return { output, ended: signal === null && !/^timeout$/m.test(output) };
}
