import type { Config } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { type Answer, type CallContext, quietContext, type Tool } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";

export type Structured = Record<string, unknown>;

/** Calls tools by their names. */
export function callsOf(tools: readonly Tool[]) {
  const by_name = new Map(tools.map((tool) => [tool.name, tool]));
  return (name: string, args: object = {}, context: Partial<CallContext> = {}): Promise<Answer> => {
    const tool = by_name.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.call(args, { ...quietContext(), ...context });
  };
}

/** Tools on real engines, in this process. */
export interface Tools {
  readonly engines: Engines;
  /** Calls a tool as the server does; gives the structured answer, raises faults. */
  call(name: string, args?: object, context?: Partial<CallContext>): Promise<Structured>;
  close(): void;
}

export function openTools(
  config: Config,
  more: (engines: Engines) => readonly Tool[] = () => [],
  engines = new Engines(config),
): Tools {
  const call = callsOf([...more(engines), ...openToolsets(engines, config).flatMap((set) => set.session())]);
  return { engines, call: async (...args) => (await call(...args)).structured, close: () => engines.close() };
}

let models = 0;

/** Builds a model of its own out of the items and solves it. */
export async function solveItems(
  { call }: Tools,
  language: string,
  items: readonly string[],
  options: object = {},
  context: Partial<CallContext> = {},
): Promise<Structured> {
  const model_id = `test${models++}`;
  await call("clear_model", { language, model_id });
  for (const item of items) await call("add_item", { item, model_id });
  return call("solve_model", { timeout_ms: 150_000, model_id, ...options }, context);
}
