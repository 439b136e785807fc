import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import type { Engines } from "../../engines/index.ts";
import { job_limits } from "../../jobs/limits.ts";
import type { Answer, Question, Tool } from "../../kernel/tool.ts";
import { openToolsets } from "../../tools/index.ts";
import { withEngines } from "../engines.ts";
import { withIncumbents } from "./incumbents.ts";

/** The tools of one session, as seen by a client, and their engines. */
export interface Session {
  readonly engines: Engines;
  readonly signal: AbortSignal;
  tool(name: string): Tool;
  /** Calls a tool as a client does; the answer is not shortened and has no model id. */
  ask(question: Question): Promise<Answer>;
}

/**
 * Opens a session for one command. The session can also read the directories of these files, in addition to the
 * configured ones.
 */
export function withSession<Result>(
  config: Config,
  { tables = [], quiet = false }: { readonly tables?: readonly string[]; readonly quiet?: boolean | undefined },
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withEngines(config, (engines, signal) => {
    const settings = {
      ...config,
      tools: ["smtlib", "model"],
      language: undefined,
      data_roots: [...config.data_roots, ...tables.map((path) => dirname(path))],
    };
    const tools = openToolsets(engines, settings).flatMap((set) => set.session());
    const tool = (name: string) => {
      const named = tools.find((each) => each.name === name);
      if (!named) throw new Error(`no tool ${name}`);
      return named;
    };
    const own = { timeout_ms_max: job_limits.timeout_ms_max, whole: true, onSessionUpdate: () => {} };
    const ask = async (question: Question) => {
      const answer = await withIncumbents(signal, quiet, (context) =>
        tool(question.tool).call(question.arguments, { ...context, ...own }),
      );
      const { model_id: _, ...structured } = answer.structured;
      return { ...answer, structured };
    };
    return work({ engines, signal, tool, ask });
  });
}
