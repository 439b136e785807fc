import * as z from "zod/v4";
import type { ToolAnnotations } from "../kernel/tool.ts";

/** What MCP takes for granted when an annotation does not say it. */
const implied = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;

/**
 * The annotations without what goes without saying: a listing costs its reader tokens, in each
 * conversation. The title stands beside them, and what only reads neither destroys nor repeats.
 */
export function listedAnnotations(given: ToolAnnotations): Partial<ToolAnnotations> {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = given;
  return {
    ...(readOnlyHint !== implied.readOnlyHint && { readOnlyHint }),
    ...(!readOnlyHint && destructiveHint !== implied.destructiveHint && { destructiveHint }),
    ...(!readOnlyHint && idempotentHint !== implied.idempotentHint && { idempotentHint }),
    ...(openWorldHint !== implied.openWorldHint && { openWorldHint }),
  };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * A schema without what its readers need not be told: the dialect that MCP implies, that an object
 * has no other fields, and that a whole number is one that JSON can carry. What a tool takes and
 * answers is checked by the tool in any case.
 */
export function wholeSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { io });
  tidy(whole);
  return whole;
}

function tidy(schema: JsonSchema): void {
  for (const part of partsOf(schema)) tidy(part);
  delete schema.propertyNames;
  const { additionalProperties: others } = schema;
  if (!isSchema(others) || Object.keys(others).length === 0) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Some clients read no lists of types: each kind is a branch of its own.
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

/**
 * What a tool answers, as it is listed: the fields and their kinds. Whoever reads an answer sees what is
 * in its lists and objects; each listing would cost its reader tokens. Some clients hold faults against
 * this schema too, so it admits them: no field is required, `status` may be that of a fault, and a field
 * that every fault has is listed only where its kind is the same.
 */
export function listedOutput(schema: z.ZodObject, fault_statuses: readonly string[]): JsonSchema {
  const fields = Object.entries(wholeSchema(schema, "output").properties ?? {});
  const listed = fields.flatMap(([name, field]) => {
    const shown = isSchema(field) ? outline(field) : undefined;
    if (!shown || clashes(name, shown)) return [];
    if (name === "status" && shown.enum) shown.enum = [...shown.enum, ...fault_statuses];
    return [[name, shown] as const];
  });
  return { type: "object", properties: Object.fromEntries(listed) };
}

/** The kind of a field, or null; nothing where it may be of several kinds. A constant says less than its kind. */
function outline({
  const: _,
  properties: __,
  required: ___,
  items: ____,
  ...shown
}: JsonSchema): JsonSchema | undefined {
  if (!shown.anyOf) return shown.type === undefined ? undefined : shown;
  const [some, none, ...more] = shown.anyOf.map((branch) => (isSchema(branch) ? branch.type : undefined));
  if (some === undefined || none !== "null" || more.length > 0) return undefined;
  return { ...shown, anyOf: [{ type: some }, { type: none }] };
}

/** The fields of every fault, each with its kind. */
const of_faults = new Map(
  Object.entries({ status: "string", error: "string", code: "string", remedy: "string", position: "object" }),
);

function clashes(name: string, { type }: JsonSchema): boolean {
  const kind = of_faults.get(name);
  return kind !== undefined && kind !== type;
}
