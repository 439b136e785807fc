/**
 * A step that a fault suggests. If a shell user works with files and commands where a client has items and calls, the
 * step has a wording for each.
 */
export type Step = string | { readonly call: string; readonly shell: string };

/** Makes a step that sends something again. In a shell, this means running the command again. */
export function again(call: string): Step {
  return { call, shell: "run the command again" };
}

/** The last step for an item with an error. */
export const correct_and_send: Step = {
  call: "correct the item and send it again",
  shell: "correct the file and run the command again",
};

/** The last step for an item whose error only solving reveals. */
export const correct_and_solve: Step = {
  call: "correct the item with replace_item, then solve again",
  shell: correct_and_send.shell,
};

/** Returns a step, worded for a client that calls tools. */
export function inCalls(step: Step): string {
  return typeof step === "string" ? step : step.call;
}

/** Returns a step, worded for a user who works with files in a shell. */
export function inShell(step: Step): string {
  return typeof step === "string" ? step : step.shell;
}
