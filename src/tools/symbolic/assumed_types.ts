/** The types that a proof assumes for parameters whose types the code leaves open. */
import type { Question } from "./arguments.ts";
import { symbolic_limits } from "./limits.ts";
import type { Inspected } from "./replies.ts";
import type { Proof } from "./search.ts";

/** A type for each parameter whose types the code leaves open; its name in each function. */
export type AssumedTypes = readonly { readonly names: readonly string[]; readonly type: string }[];

/** Returns the types by the parameters' names in one of the functions. */
export function typesOf(assumed: AssumedTypes, place = 0): Readonly<Record<string, string>> {
  return Object.fromEntries(assumed.map(({ names, type }) => [names[place] ?? "", type]));
}

/** Returns the types that proofs can assume: first all that are tried, then the likeliest ones alone. */
export function assumptionsOf({ task }: Question, { assumed }: Inspected): AssumedTypes[] {
  let alone: AssumedTypes[] = [[]];
  for (const { names, choices } of assumed) {
    const own = choices.length > 1 ? choices.slice(1) : choices;
    alone = own
      .flatMap((type) => alone.map((before) => [...before, { names, type }]))
      .slice(0, symbolic_limits.types_max);
  }
  const whole = assumed.map(({ names, choices: [type = ""] }) => ({ names, type }));
  const is_one = assumed.every(({ choices }) => choices.length === 1);
  return is_one || task === "branches" ? [whole] : [whole, ...alone];
}

/** Limits a proof to these types. */
export function forTypes(proof: Proof, types: Readonly<Record<string, string>>): Proof {
  if (Object.keys(types).length === 0) return proof;
  const assumption = `these types, of those that the code allows: ${typesText(types)}`;
  return { ...proof, assumptions: [...proof.assumptions, assumption], assumed_types: types };
}

/** Writes the types of parameters. */
export function typesText(types: Readonly<Record<string, string>>): string {
  return Object.entries(types)
    .map(([name, type]) => `${name}: ${type}`)
    .join(", ");
}
