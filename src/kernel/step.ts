/**
 * A step of a fault. Where calls and items are files and commands to a person in a shell, it has words for both.
 */
export type Step = string | { readonly call: string; readonly shell: string };

/** A step that sends something again. In a shell, that is to run the command again. */
export function again(call: string): Step {
  return { call, shell: "run the command again" };
}

/** The last step for an item with an error. */
export const correct_and_send: Step = {
  call: "correct the item and send it again",
  shell: "correct the file and run the command again",
};

/** The last step for an item with an error that only solving shows. */
export const correct_and_solve: Step = {
  call: "correct the item with replace_item, then solve again",
  shell: correct_and_send.shell,
};

/** A step in the words for who calls tools. */
export function inCalls(step: Step): string {
  return typeof step === "string" ? step : step.call;
}

/** A step in the words for who works with files in a shell. */
export function inShell(step: Step): string {
  return typeof step === "string" ? step : step.shell;
}
