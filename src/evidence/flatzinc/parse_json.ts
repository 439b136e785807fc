import * as z from "zod/v4";
import { parseExactJson } from "../../engines/minizinc/read.ts";
import { unless } from "../../kernel/unless.ts";
import { type Domain, type Expression, type FlatZinc, FlatZincError } from "./parse.ts";
import { Rational } from "./rational.ts";

/** An integer; one that a JavaScript number can't represent is a text: see `parseExactJson`. */
const Integer = z.union([z.int(), z.string().regex(/^-?\d+$/)]);
const Ranges = z.array(z.tuple([Integer, Integer]));
const SetOfIntegers = z.object({ set: Ranges });

/** FlatZinc as JSON, as the embedded compiler writes it for models without reals and without set variables. */
const FlatZincJson = z.object({
  variables: z.record(
    z.string(),
    z.object({ type: z.enum(["bool", "int"]), domain: Ranges.optional(), rhs: z.unknown().optional() }),
  ),
  arrays: z.record(z.string(), z.object({ a: z.array(z.unknown()) })),
  constraints: z.array(z.object({ id: z.string(), args: z.array(z.unknown()) })),
  output: z.array(z.string()),
  solve: z.object({ method: z.enum(["satisfy", "minimize", "maximize"]), objective: z.unknown().optional() }),
});

/** Parses FlatZinc in JSON. Raises `FlatZincError` for other texts, and for models with reals or set variables. */
export function parseFlatZincJson(text: string): FlatZinc {
  const { data } = FlatZincJson.safeParse(unless(SyntaxError, () => parseExactJson(text)));
  if (!data) throw new FlatZincError("not FlatZinc as JSON");
  const { variables, arrays, constraints, output, solve } = data;
  const outputs = new Set(output);
  const declared = Object.entries(variables);
  const equal = declared
    .filter(([, { rhs }]) => rhs !== undefined)
    .map(([name, { type, rhs }]) => ({ name: `${type}_eq`, args: [{ kind: "name", name } as const, expression(rhs)] }));
  return {
    variables: new Map(
      declared.map(([name, { type, domain }]) => [
        name,
        { name, type, domain: domain && rangesOf(domain), output: outputs.has(name) },
      ]),
    ),
    arrays: new Map(
      Object.entries(arrays).map(([name, { a }]) => [
        name,
        { elements: a.map(expression), output: outputs.has(name), sizes: [a.length] },
      ]),
    ),
    constraints: [...equal, ...constraints.map(({ id, args }) => ({ name: id, args: args.map(expression) }))],
    goal: {
      kind: solve.method,
      objective: solve.objective === undefined ? undefined : expression(solve.objective),
    },
  };
}

function expression(json: unknown): Expression {
  if (typeof json === "boolean") return { kind: "bool", value: json };
  if (Array.isArray(json)) return { kind: "array", elements: json.map(expression) };
  const set = SetOfIntegers.safeParse(json).data?.set;
  if (set) return { kind: "set", ranges: rangesOf(set) };
  const integer = Integer.safeParse(json).data;
  if (integer !== undefined) return { kind: "number", value: rational(integer), text: String(integer) };
  if (typeof json === "string") return { kind: "name", name: json };
  throw new FlatZincError(JSON.stringify(json).slice(0, 100));
}

function rangesOf(ranges: z.output<typeof Ranges>): Domain {
  return ranges.map(([low, high]) => ({ low: rational(low), high: rational(high) }));
}

function rational(integer: z.output<typeof Integer>): Rational {
  return new Rational(BigInt(integer));
}
