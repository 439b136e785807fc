import { Fault } from "../kernel/fault.ts";

/** One engine's answer. */
export interface EngineAnswer {
  readonly engine: string;
  readonly answer: string;
}

/** The fault for engines that contradict each other; no answer is accepted. */
export function enginesDisagree(
  answers: readonly EngineAnswer[],
  steps: readonly string[] = of_models,
  question = "",
): Fault {
  const each = answers.map(({ engine, answer }) => `${engine} says ${answer}`).join(", ");
  const message = `The engines contradict each other${question}: ${each}. One of them is wrong; nothing was decided.`;
  return new Fault("engines_disagree", message, steps, undefined, { answers });
}

const of_models = [
  "prefer a solution whose values you can check by hand",
  "make the model smaller until you can see the contradiction, or state the constraints differently",
  "omit check to get only the first engine's answer",
];
