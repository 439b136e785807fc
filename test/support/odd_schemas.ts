import * as z from "zod/v4";

const Schema = z.looseObject({
  type: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
});

/** The places of schemas that some readers refuse: any value, several types in one place, words without a type. */
export function oddPlaces(schemas: Readonly<Record<string, unknown>>, place: string): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => oddIn(schema, `${place}.${name}`));
}

function oddIn(schema: unknown, here: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const read = Schema.safeParse(schema);
  if (!read.success) return [here];
  const { type, anyOf, properties, items, additionalProperties, enum: words, const: word } = read.data;
  const plain = (type === undefined) !== (anyOf === undefined) && word === undefined && !(words && !type);
  return [
    ...(plain ? [] : [here]),
    // A property may be called "items": each kind of part has its own place.
    ...oddPlaces(properties, here),
    ...oddPlaces({ ...anyOf }, `${here}|`),
    ...oddIn(items, `${here}[]`),
    ...oddIn(additionalProperties, `${here}{}`),
  ];
}
