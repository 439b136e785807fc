import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import type { Node } from "../../src/engines/smt/sexpr.ts";

/** Random texts for the reader of S-expressions. */

/** An S-expression without positions: an atom as it is written, or a list. */
export type Shape = string | readonly Shape[];

export function shapeOf(node: Node): Shape {
  return node.kind === "list" ? node.items.map(shapeOf) : node.text;
}

const letters = "abcxyzABCXYZ~!@$%^&*_-+=<>.?/";
const words = fc.string({ unit: fc.constantFrom(...letters, ..."0123456789"), maxLength: 6 });

/** A minus before a digit begins a numeral, which Z3 ends at the first letter: such words are refused. */
const symbols = fc
  .tuple(fc.constantFrom(...letters), words)
  .map(([first, others]) => `${first}${others}`)
  .filter((word) => !/^-\d/.test(word));
const keywords = symbols.map((symbol) => `:${symbol}`);
const literals = fc.constantFrom("0", "17", "3.25", "#b0101", "#xaF09", "123456789012345678901234567890");

/** Signs that mean something outside of strings and bars, and letters that need more than a byte. */
const signs = fc.constantFrom(...'();:#"|\\ \n\t', "\r\n", ..."aé≤🍮0", "(check-sat)", "; no comment");
const written = fc.string({ unit: signs, maxLength: 8 });

const strings = written.map((text) => `"${text.replaceAll('"', '""')}"`);
const quoted = written.map((text) => `|${text.replaceAll(/[|\\]/g, "")}|`);
const atoms: fc.Arbitrary<Shape> = fc.oneof(symbols, keywords, literals, strings, quoted);

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof({ maxDepth: 4, withCrossShrink: true }, atoms, fc.array(tie("shape"), { maxLength: 5 })),
}));

const comments = fc.string({ unit: signs, maxLength: 6 }).map((text) => `;${text.replaceAll("\n", "")}\n`);
const space = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(" ", "\n", "\t", "\r\n") }, comments);
const spaces = fc.array(space, { minLength: 1, maxLength: 3 }).map((all) => all.join(""));

/** S-expressions, and a text that has them with all kinds of space and comments between. */
export const shapesInText: fc.Arbitrary<{ readonly shapes: readonly Shape[]; readonly text: string }> = fc
  .tuple(fc.array(shape, { maxLength: 4 }), fc.array(spaces, { minLength: 1, maxLength: 7 }))
  .map(([shapes, between]) => ({ shapes, text: new Printer(between).print(shapes) }));

class Printer {
  readonly #between: readonly string[];
  #at = 0;

  constructor(between: readonly string[]) {
    this.#between = between;
  }

  print(shapes: readonly Shape[]): string {
    return `${this.#space()}${shapes.map((shape) => this.#one(shape) + this.#space()).join("")}`;
  }

  #one(shape: Shape): string {
    return typeof shape === "string" ? shape : `(${this.print(shape)})`;
  }

  #space(): string {
    return this.#between[this.#at++ % this.#between.length] ?? " ";
  }
}

const directory = fileURLToPath(new URL("../held_out/", import.meta.url));

/** Real scripts that solve nothing: their checks ask for a name instead, and none ends early. */
const quiet_scripts = readdirSync(directory)
  .map((file) => readFileSync(`${directory}${file}`, "utf8"))
  .filter((text) => text.length < 1_500 && !text.includes("(exit)"))
  .map((text) => text.replaceAll(/check-sat(-\w+)*/g, "get-info"));

interface Mutation {
  readonly at: number;
  readonly drop: number;
  readonly put: string;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(10_000),
  drop: fc.nat(2),
  put: fc.oneof(fc.constantFrom(..."()\"|;\\#\n\r\t :{}'`,[]", "", '""', "||", "#|", "|#", "#b", "#x"), signs),
});

/** A real script with a few letters changed. */
export const mutatedScripts: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...quiet_scripts), fc.array(mutations, { minLength: 1, maxLength: 5 }))
  .map(([script, changes]) => changes.reduce(mutate, script));

function mutate(text: string, { at, drop, put }: Mutation): string {
  const from = at % (text.length + 1);
  return `${text.slice(0, from)}${put}${text.slice(from + drop)}`;
}
