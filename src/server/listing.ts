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

/**
 * A schema without what its readers need not be told: the dialect that MCP implies, and that an object
 * has no other fields. What a tool takes and answers is checked by the tool in any case.
 */
export function wholeSchema(schema: z.ZodObject, io: "input" | "output"): Record<string, unknown> {
  return tidySchema(schema, io, () => {});
}

/** A schema as it is listed: all of what a tool takes; of what it answers the fields and their kinds. */
export function listedSchema(schema: z.ZodObject, io: "input" | "output"): Record<string, unknown> {
  return tidySchema(schema, io, io === "output" ? outline : () => {});
}

type Path = readonly (string | number)[];
type JsonSchema = z.core.JSONSchema.BaseSchema;

function tidySchema(
  schema: z.ZodObject,
  io: "input" | "output",
  shorten: (jsonSchema: JsonSchema, path: Path) => void,
): Record<string, unknown> {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema, path }) => {
      const { additionalProperties: others } = jsonSchema;
      delete jsonSchema.propertyNames;
      if (!others || Object.keys(others).length === 0) delete jsonSchema.additionalProperties;
      if (jsonSchema.const !== undefined || jsonSchema.enum !== undefined) delete jsonSchema.type;
      shorten(jsonSchema, path);
    },
  });
  return listed;
}

/** Whoever reads an answer sees what is in its lists and objects; each listing would cost its reader tokens. */
function outline(jsonSchema: JsonSchema, path: Path): void {
  delete jsonSchema.required;
  if (path.length === 0) return;
  delete jsonSchema.properties;
  delete jsonSchema.items;
}
