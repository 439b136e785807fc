import * as z from "zod/v4";

/** The type of one parameter or variable, as MiniZinc reports it. */
const Type = z.object({
  type: z.string(),
  set: z.boolean().default(false),
  optional: z.boolean().default(false),
  dim: z.number().default(0),
  /** The index sets of an array: "int" or the name of an enum. */
  dims: z.array(z.string()).default([]),
  enum_type: z.string().optional(),
});

export type Type = z.output<typeof Type>;

const Interface = z.object({ type: z.literal("interface"), input: z.record(z.string(), Type) });
const Types = z.object({ var_types: z.object({ vars: z.record(z.string(), Type) }) });

/**
 * The parameters without a value, from the output of `--model-interface-only --model-types-only`; undefined if it has
 * none.
 */
export function readInterface(lines: readonly string[]): Readonly<Record<string, Type>> | undefined {
  const printed = lines.find((line) => line.startsWith('{"type": "interface"'));
  if (printed === undefined) return undefined;
  const { input } = Interface.parse(JSON.parse(printed));
  const vars = readTypes(lines);
  return Object.fromEntries(Object.entries(input).map(([name, type]) => [name, { ...type, ...vars[name] }]));
}

/** The types are printed over many lines, between others. */
export function readTypes(lines: readonly string[]): Readonly<Record<string, Type>> {
  const first = lines.findIndex((line) => line.startsWith('{"var_types"'));
  const last = lines.findIndex((line, i) => i > first && line.trim() === "}}");
  if (first < 0 || last < 0) return {};
  return Types.parse(JSON.parse(lines.slice(first, last + 1).join("\n"))).var_types.vars;
}
