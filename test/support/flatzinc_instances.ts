import { evaluate } from "../../src/evidence/flatzinc/evaluate.ts";
import type { Value } from "../../src/evidence/flatzinc/meaning.ts";
import { parseFlatZinc } from "../../src/evidence/flatzinc/parse.ts";
import { Rational } from "../../src/evidence/flatzinc/rational.ts";
import { Chance } from "./chance.ts";
import type { Plain, Signature } from "./flatzinc_signatures.ts";

/** A variable of an instance with all its values; truth values are 0 and 1, sets are lists. */
interface Variable {
  readonly name: string;
  readonly type: "int" | "bool" | "set";
  readonly values: readonly Plain[];
}

type Argument = Variable | { readonly plain: Plain; readonly text: string } | readonly Argument[];

/** One constraint on a few variables, with all its solutions. */
export interface Instance {
  readonly variables: readonly Variable[];
  readonly constraint: string;
  readonly solutions: readonly (readonly Plain[])[];
}

type Random = (least: number, most: number) => number;

/** A random instance of a constraint, with all its solutions by the evaluator or by the meaning given here. */
export function instanceOf(signature: Signature, seed: number): Instance {
  const chance = new Chance(seed);
  const maker = new Maker(signature, (least, most) => chance.between(least, most));
  const args = [...signature.kinds].map((kind) => maker.argument(kind));
  const constraint = `${signature.name}(${args.map(textOf).join(", ")})`;
  const { variables } = maker;
  const holds = signature.holds ? meant(signature.holds, variables, args) : evaluated(variables, constraint);
  return { variables, constraint, solutions: assignments(variables).filter(holds) };
}

class Maker {
  readonly variables: Variable[] = [];
  readonly #signature: Signature;
  readonly #random: Random;
  readonly #constants: (number | readonly number[])[];
  readonly #length: number;

  constructor(signature: Signature, random: Random) {
    this.#signature = signature;
    this.#random = random;
    this.#constants = [...(signature.constants ?? [])];
    this.#length = signature.length ?? random(1, 3);
  }

  argument(kind: string): Argument {
    const list = (make: () => Argument, length = this.#length) => Array.from({ length }, make);
    switch (kind) {
      case "i":
        return this.#int();
      case "b":
        return this.#bool();
      case "S":
        return this.#set();
      case "j":
        return this.#constant();
      case "s":
        return setConstant(this.#elements());
      case "I":
        return this.#constants.length > 0 ? this.#constant() : list(() => int(this.#random(-3, 3)));
      case "L":
        return this.#constants.length > 0 ? this.#constant(bool) : list(() => bool(this.#random(0, 1)));
      case "T":
        return list(() => setConstant(this.#elements()));
      case "X":
        return list(() => this.#int());
      case "B":
        return list(() => this.#bool());
      default:
        return list(() => this.#set(), Math.min(2, this.#length));
    }
  }

  #constant(make = int): Argument {
    const value = this.#constants.shift() ?? this.#random(-4, 4);
    return typeof value === "number" ? make(value) : value.map((each) => make(each));
  }

  #int(): Argument {
    const [least, most] = this.#signature.domain ?? [-4, 4];
    if (this.#random(0, 4) === 0) return int(this.#random(least, most));
    return (
      this.#again("int") ??
      this.#add("int", () => {
        if (this.#signature.domain) return range(least, most);
        const low = this.#random(-3, 2);
        const all = range(low, low + this.#random(1, this.variables.length < 2 ? 4 : 2));
        // Now and then a domain with a hole.
        return all.length > 3 && this.#random(0, 3) === 0 ? all.toSpliced(1, 1) : all;
      })
    );
  }

  #bool(): Argument {
    if (this.#random(0, 4) === 0) return bool(this.#random(0, 1));
    return this.#again("bool") ?? this.#add("bool", () => [0, 1]);
  }

  #set(): Argument {
    if (this.#random(0, 4) === 0) return setConstant(this.#elements());
    return (
      this.#again("set") ??
      this.#add("set", () => {
        const low = this.#random(-1, 1);
        return subsets(range(low, low + 2));
      })
    );
  }

  #elements(): number[] {
    return range(-2, 3).filter(() => this.#random(0, 2) > 0);
  }

  /** A variable that the constraint already has: often where it has enough. */
  #again(type: Variable["type"]): Variable | undefined {
    const same = this.variables.filter((each) => each.type === type);
    const often = this.variables.length >= 4 || (type === "set" && same.length >= 2);
    if (same.length === 0 || this.#random(0, 9) >= (often ? 10 : 1)) return undefined;
    return same[this.#random(0, same.length - 1)];
  }

  #add(type: Variable["type"], values: () => readonly Plain[]): Variable {
    const variable = { name: `v${this.variables.length}`, type, values: values() };
    this.variables.push(variable);
    return variable;
  }
}

const range = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, i) => low + i);
const int = (value: number): Argument => ({ plain: value, text: String(value) });
const bool = (value: number): Argument => ({ plain: value, text: String(value === 1) });
const setConstant = (elements: readonly number[]): Argument => ({ plain: elements, text: `{${elements.join(", ")}}` });

function subsets(elements: readonly number[]): number[][] {
  return range(0, 2 ** elements.length - 1).map((bits) => elements.filter((_, i) => (bits >> i) % 2 === 1));
}

const isList = (given: Argument): given is readonly Argument[] => Array.isArray(given);

function textOf(given: Argument): string {
  if (isList(given)) return `[${given.map(textOf).join(", ")}]`;
  return "name" in given ? given.name : given.text;
}

/** The declaration of a variable. */
export function declared({ name, type, values }: Variable): string {
  if (type === "bool") return `var bool: ${name}:: output_var;`;
  const elements = [...new Set(values.flat(2))].sort((a, b) => a - b);
  const [low = 0, high = 0] = [elements[0], elements.at(-1)];
  if (type === "set") return `var set of ${low}..${high}: ${name}:: output_var;`;
  const domain = elements.length === high - low + 1 ? `${low}..${high}` : `{${elements.join(", ")}}`;
  return `var ${domain}: ${name}:: output_var;`;
}

function assignments(variables: readonly Variable[]): Plain[][] {
  return variables.reduce<Plain[][]>(
    (all, { values }) => all.flatMap((some) => values.map((each) => [...some, each])),
    [[]],
  );
}

type Test = (values: readonly Plain[]) => boolean;

function meant(
  holds: (args: readonly Plain[]) => boolean,
  variables: readonly Variable[],
  args: readonly Argument[],
): Test {
  return (values) => {
    const plainOf = (given: Argument): Plain => {
      if (!isList(given)) return "plain" in given ? given.plain : (values[variables.indexOf(given)] ?? 0);
      const all = given.map(plainOf);
      const numbers = all.filter((each) => typeof each === "number");
      return numbers.length === all.length ? numbers : all.filter((each) => isNumbers(each));
    };
    return holds(args.map(plainOf));
  };
}

const isNumbers = (given: Plain): given is readonly number[] =>
  Array.isArray(given) && given.every((each) => typeof each === "number");

/** What cannot be evaluated, a division by 0 say, does not hold. */
function evaluated(variables: readonly Variable[], constraint: string): Test {
  const model = parseFlatZinc([...variables.map(declared), `constraint ${constraint};`, "solve satisfy;"].join("\n"));
  return (values) => {
    const assignment = new Map(
      variables.map(({ name, type }, i): [string, Value] => [name, evaluableOf(type, values[i] ?? 0)]),
    );
    const { broken, unchecked } = evaluate(model, assignment);
    return broken === undefined && unchecked.length === 0;
  };
}

function evaluableOf(type: Variable["type"], plain: Plain): Value {
  if (type === "bool") return plain === 1;
  if (typeof plain === "number") return new Rational(BigInt(plain));
  return plain.flat().map((each) => new Rational(BigInt(each)));
}

/** The type of a predicate's argument, by its letter. */
const types: Readonly<Record<string, string>> = {
  i: "var int",
  j: "int",
  b: "var bool",
  S: "var set of int",
  s: "set of int",
  I: "array [int] of int",
  L: "array [int] of bool",
  T: "array [int] of set of int",
  X: "array [int] of var int",
  B: "array [int] of var bool",
  U: "array [int] of var set of int",
};

export function predicateOf({ name, kinds }: Signature): string {
  return `predicate ${name}(${[...kinds].map((kind, i) => `${types[kind]}: a${i}`).join(", ")});`;
}
