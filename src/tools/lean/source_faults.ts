import { Fault, type FaultCode } from "../../kernel/fault.ts";
import type { Tool } from "../../kernel/tool.ts";

/** The kinds of errors in the original tactic server's protocol, which reports them in `status`. */
const kinds: readonly FaultCode[] = ["daemon_down", "timeout", "invalid_input"];

/**
 * Wraps a tool so that clients of the original server can read its faults: the kind is in `status`, the first step in
 * `suggestion`.
 */
export function withSourceFaults(tool: Tool): Tool {
  return {
    ...tool,
    fault_statuses: [...tool.fault_statuses, ...kinds],
    call: (args, context) =>
      tool.call(args, context).catch((thrown: unknown) => {
        throw thrown instanceof Fault ? inSourceWords(thrown) : thrown;
      }),
  };
}

function inSourceWords({ code, message, steps, position, details }: Fault): Fault {
  const [suggestion] = steps;
  const status = kinds.includes(code) ? { status: code } : {};
  return new Fault(code, message, steps, position, { ...status, suggestion, ...details });
}
