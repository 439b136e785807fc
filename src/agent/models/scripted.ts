import { readFile } from "node:fs/promises";
import type { LanguageModel } from "ai";
import * as z from "zod/v4";
import { Fault } from "../../kernel/fault.ts";
import { asRecord } from "../evidence/json.ts";
import type { Role } from "../loop/budget.ts";

/** A model's answer: its text, and the tools that it calls. */
export const turn = z.strictObject({
  text: z.string().optional(),
  calls: z.array(z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()) })).default([]),
});

/** A scripted conversation, by role. A model that has no turns left says so. */
export const conversation = z.strictObject({
  router: z.array(turn).default([]),
  agent: z.array(turn).default([]),
  checker: z.array(turn).default([]),
  reviewer: z.array(turn).default([]),
});

export type Conversation = z.output<typeof conversation>;

type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: "v4" };

/** A model that replays the turns of a script in order: for demonstrations and tests without a provider. */
export function scriptedModel(turns: readonly z.output<typeof turn>[], name: string): Model {
  let next = 0;
  const usage = (text: string) => ({
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: Math.ceil(text.length / 4), text: undefined, reasoning: undefined },
  });
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: name,
    supportedUrls: {},
    async doGenerate() {
      const { text, calls } = turns[next++] ?? { text: "The script has no further turn.", calls: [] };
      const content = [
        ...(text === undefined ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ tool, input }, at) => ({
          type: "tool-call" as const,
          toolCallId: `${name}-${next}-${at}`,
          toolName: tool,
          input: JSON.stringify(withLines(input)),
        })),
      ];
      const unified = calls.length > 0 ? ("tool-calls" as const) : ("stop" as const);
      return { content, finishReason: { unified, raw: unified }, usage: usage(JSON.stringify(content)), warnings: [] };
    },
    async doStream() {
      throw new Error("a scripted model does not stream");
    },
  };
}

const Lines = z.strictObject({ lines: z.array(z.string()) });

/** In a script, a long text can be written as `{"lines": [...]}`. */
function withLines(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLines);
  if (typeof value !== "object" || value === null) return value;
  const text = Lines.safeParse(value).data;
  if (text) return text.lines.join("\n");
  return Object.fromEntries(Object.entries(asRecord(value)).map(([name, part]) => [name, withLines(part)]));
}

/** Reads a conversation. Raises `invalid_argument`. */
export async function readConversation(file: string): Promise<Conversation> {
  const refuse = (why: string) =>
    new Fault("invalid_argument", `The script ${file} can't be used: ${why}.`, [
      "name a JSON file with the turns of the roles router, agent, checker and reviewer: docs/agent.md shows one",
    ]);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : String(error));
  });
  const read = conversation.safeParse(parse(text, refuse));
  if (!read.success) throw refuse(z.prettifyError(read.error));
  return read.data;
}

function parse(text: string, refuse: (why: string) => Fault): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/** The model of a role in a conversation. */
export function scriptedRole(script: Conversation, role: Role): Model {
  return scriptedModel(script[role], role);
}
