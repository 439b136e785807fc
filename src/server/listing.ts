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
 * A schema as clients see it, without what they need not read: the dialect that MCP implies, and that
 * an object has no other fields. What a tool takes and answers is checked by the tool in any case.
 */
export function listedSchema(schema: z.ZodObject, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      const { additionalProperties: others } = jsonSchema;
      delete jsonSchema.propertyNames;
      if (!others || Object.keys(others).length === 0) delete jsonSchema.additionalProperties;
      if (jsonSchema.const !== undefined || jsonSchema.enum !== undefined) delete jsonSchema.type;
    },
  });
  return listed;
}
