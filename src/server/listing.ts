import * as z from "zod/v4";
import type { Tool, ToolAnnotations } from "../kernel/tool.ts";

/** MCP's defaults for annotations. */
const implied = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;

/**
 * Returns the annotations without redundant ones, since a listing costs tokens in each conversation. The title is
 * listed separately. A read-only tool is never destructive and always idempotent.
 */
export function listedAnnotations(annotations: ToolAnnotations): Partial<ToolAnnotations> {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(readOnlyHint !== implied.readOnlyHint && { readOnlyHint }),
    ...(!readOnlyHint && destructiveHint !== implied.destructiveHint && { destructiveHint }),
    ...(!readOnlyHint && idempotentHint !== implied.idempotentHint && { idempotentHint }),
    ...(openWorldHint !== implied.openWorldHint && { openWorldHint }),
  };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Returns a schema without redundant parts: the dialect, which MCP implies, the statement that an object has no other
 * fields, and the range of integers in JSON. Tools check their arguments and answers in any case.
 */
export function wholeSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io });
  tidy(whole);
  return whole;
}

/**
 * Returns the schema of a tool's arguments as it is listed, without some bounds. Nobody sends an empty name or a
 * negative time, and hardly anybody asks for thousands of solutions. If somebody does, the tool reports it.
 */
export function listedInput({ input }: Pick<Tool, "input">): JsonSchema {
  return remember(input, "input", () => makeListedInput(input));
}

/**
 * The cache of listed schemas. Over HTTP, each request of a client without a session has its own server. The tools of
 * all these servers share their schemas.
 */
const known = new WeakMap<z.ZodObject, Map<string, JsonSchema>>();

function remember(schema: z.ZodObject, key: string, make: () => JsonSchema): JsonSchema {
  const listings = known.get(schema) ?? new Map<string, JsonSchema>();
  known.set(schema, listings);
  const listing = listings.get(key) ?? make();
  listings.set(key, listing);
  return listing;
}

function makeListedInput(input: z.ZodObject): JsonSchema {
  const whole = wholeSchema(input, "input");
  withoutPlainBounds(whole);
  return whole;
}

/** Upper bounds of integers up to this are not listed. Larger ones, such as those on times, are. */
const plain_count = 1000;

function withoutPlainBounds(schema: JsonSchema): void {
  for (const part of partsOf(schema)) withoutPlainBounds(part);
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.minimum !== undefined && schema.minimum <= 1) delete schema.minimum;
  if (schema.type === "integer" && schema.maximum !== undefined && schema.maximum <= plain_count) delete schema.maximum;
}

function tidy(schema: JsonSchema): void {
  for (const part of partsOf(schema)) tidy(part);
  delete schema.propertyNames;
  const { additionalProperties: others } = schema;
  if (!isSchema(others) || Object.keys(others).length === 0) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Some clients can't handle lists of types, so each type is a separate branch.
  if (!Array.isArray(schema.type)) return;
  schema.anyOf = schema.type.map((type) => ({ type }));
  delete schema.type;
}

function partsOf({ properties = {}, items, anyOf = [], additionalProperties }: JsonSchema): JsonSchema[] {
  return [...Object.values(properties), items, ...anyOf, additionalProperties].filter(isSchema);
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

type ListedTool = Pick<Tool, "output" | "listed_output" | "fault_statuses">;

/**
 * Returns the listed schema of a tool's answer: its fields and their types. The contents of lists and objects are
 * visible in an answer, and listing them would cost tokens each time. Some clients also validate faults with this
 * schema, so it admits faults. No field is required, `status` can be a fault's status, and a field that faults also
 * have is listed only if its type is the same. A status that can be any string is not worth listing.
 */
export function listedOutput(tool: ListedTool): JsonSchema {
  const key = JSON.stringify([tool.listed_output, tool.fault_statuses]);
  return remember(tool.output, key, () => makeListedOutput(tool));
}

function makeListedOutput({ output, listed_output, fault_statuses }: ListedTool): JsonSchema {
  const fields = Object.entries(wholeSchema(output, "output").properties ?? {});
  const listed = fields.flatMap(([name, field]) => {
    if (listed_output && !listed_output.includes(name)) return [];
    const shown = isSchema(field) ? outline(field) : undefined;
    if (!shown || clashes(name, shown)) return [];
    if (name === "status") {
      if (!shown.enum) return [];
      shown.enum = [...shown.enum, ...fault_statuses];
    }
    return [[name, shown] as const];
  });
  return { type: "object", ...(listed.length > 0 && { properties: Object.fromEntries(listed) }) };
}

/**
 * Returns the schema of a field's type, possibly with null; undefined if the field has several types. A constant is
 * listed as its type.
 */
function outline({ type, enum: values, anyOf }: JsonSchema): JsonSchema | undefined {
  if (type !== undefined) return { type, ...(values && { enum: values }) };
  const [first, second, ...more] = (anyOf ?? []).filter(isSchema);
  if (first?.type === undefined || second?.type !== "null" || more.length > 0) return undefined;
  return { anyOf: [{ type: first.type }, { type: "null" }] };
}

/** The fields of every fault, each with its type. */
const of_faults = new Map(
  Object.entries({ status: "string", error: "string", code: "string", remedy: "string", position: "object" }),
);

function clashes(name: string, { type }: JsonSchema): boolean {
  const kind = of_faults.get(name);
  return kind !== undefined && kind !== type;
}
