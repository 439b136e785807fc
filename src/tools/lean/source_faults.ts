import { Fault, type FaultCode } from "../../kernel/fault.ts";
import type { Tool } from "../../kernel/tool.ts";

/** The kinds of errors that the protocol of the original tactic server has; it reports them in `status`. */
const kinds: readonly FaultCode[] = ["daemon_down", "timeout", "invalid_input"];

/** The tool with its faults as clients of the source read them: the kind as `status`, the first step as `suggestion`. */
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
