import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import type { Deadline } from "../../kernel/deadline.ts";
import { cut } from "../../kernel/text/cut.ts";
import type { CallLog, CallRecord } from "../evidence/calls.ts";
import { asRecord, type JsonRecord } from "../evidence/json.ts";
import { no_answer_code } from "../evidence/verdict.ts";
import { agent_limits } from "../limits.ts";
import { inLanguage, type ListedTool, type Session } from "./session.ts";

/** The tools of a session as tools of the SDK. Every call is logged when it ends; verdicts are based on this log. */
export function sessionTools(
  session: Session,
  listed: readonly ListedTool[],
  {
    log,
    deadline,
    onCall,
  }: { readonly log: CallLog; readonly deadline: Deadline; readonly onCall: (record: CallRecord) => void },
): ToolSet {
  const call = async (tool: ListedTool, args: JsonRecord, signal: AbortSignal): Promise<CallRecord> => {
    const start = performance.now();
    const observed = await observe(session, tool, args, deadline.withSignal(signal));
    const ms = Math.round(performance.now() - start);
    const record = log.add({
      tool: tool.name,
      args,
      ms,
      ...observed,
      text: cut(observed.text, agent_limits.observation_chars_max),
    });
    onCall(record);
    return record;
  };
  return Object.fromEntries(
    listed.map((tool) => [
      tool.name,
      dynamicTool({
        description: tool.description,
        inputSchema: jsonSchema(tool.input),
        execute: async (args, { abortSignal = deadline.signal }) => {
          const { text, is_fault } = await call(tool, asRecord(args), abortSignal);
          return { text, is_fault };
        },
        toModelOutput: ({ output }) => {
          const { text, is_fault } = asRecord(output);
          return { type: is_fault === true ? "error-text" : "text", value: String(text) };
        },
      }),
    ]),
  );
}

async function observe(session: Session, tool: ListedTool, args: JsonRecord, deadline: Deadline) {
  const sent = inLanguage(tool, args, session.language);
  if (typeof sent === "string") return { text: sent, structured: {}, is_fault: true };
  try {
    return await session.call(tool.name, sent, deadline);
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    // If the server is gone, the model can't repair that; the repeated faults end the attempt.
    const why = error instanceof Error ? error.message : String(error);
    const structured = { code: no_answer_code };
    return { text: `The server did not answer this call (${why}).`, structured, is_fault: true };
  }
}
