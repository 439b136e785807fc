import { MockLanguageModelV4 } from "ai/test";
import { answerQuestion } from "../../src/agent/ask.ts";
import { agent_limits } from "../../src/agent/limits.ts";
import type { Event } from "../../src/agent/loop/events.ts";
import type { OpenTransport } from "../../src/agent/loop/session.ts";
import type { Task } from "../../src/agent/task.ts";
import { inProcessServer } from "../../src/commands/ask.ts";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";

/** A tool call of a scripted model. */
export type Call = readonly [tool: string, input: Record<string, unknown>];

/** What a scripted model does in one step: calls, words, an error of its provider, or a wait for ever. */
export type Turn = readonly Call[] | string | Error | "never";

const usage = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

/** A model of the AI SDK's test kit that plays these turns; after the last one it repeats the last one. */
export function scripted(turns: readonly Turn[]): MockLanguageModelV4 {
  let at = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ abortSignal }) => {
      const turn = turns[Math.min(at++, turns.length - 1)] ?? "";
      if (turn instanceof Error) throw turn;
      if (turn === "never")
        return new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)));
      const content =
        typeof turn === "string"
          ? [{ type: "text" as const, text: turn }]
          : turn.map(([toolName, input], i) => ({
              type: "tool-call" as const,
              toolCallId: `call-${at}-${i}`,
              toolName,
              input: JSON.stringify(input),
            }));
      const unified = typeof turn === "string" ? ("stop" as const) : ("tool-calls" as const);
      return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
  });
}

/** Engines and a server in this process, for scripted runs. Close it afterwards. */
export function agentBench(env: Readonly<Record<string, string>> = {}): {
  readonly open: OpenTransport;
  close(): void;
} {
  const config = readConfig({}, { ...process.env, ...env });
  const engines = new Engines(config);
  return { open: inProcessServer(config, engines), close: () => engines.close() };
}

type Models = {
  readonly router?: Turn[];
  readonly agent: Turn[];
  readonly checker?: Turn[];
  readonly reviewer?: Turn[];
};

/** Asks with scripted models. Without turns for a reviewer there is no review. */
export async function ask(text: string, models: Models, options: Partial<Task> & Pick<Task, "open">) {
  const events: Event[] = [];
  const mocks = {
    router: scripted(models.router ?? []),
    agent: scripted(models.agent),
    checker: scripted(models.checker ?? []),
    reviewer: scripted(models.reviewer ?? []),
  };
  const outcome = await answerQuestion({
    text,
    language: "z3",
    models: mocks,
    reviews: models.reviewer ? agent_limits.reviews_default : undefined,
    steps_max: agent_limits.steps_default,
    tokens_max: agent_limits.tokens_default,
    timeout_ms: 200_000,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    ...options,
  });
  return { outcome, events, mocks };
}
