import * as z from "zod/v4";
import type { RunProgram } from "../../../../../engines/python/index.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { ItemLine, type Outcome, type SolveContext, type Values } from "../../../language.ts";
import { explained, knownAmong } from "../../../why/outcome.ts";
import type { Probed } from "../../../why/probe.ts";

/** The removable parts of a model, as the program's process hands them over: `why_question` in `languages/why.py`. */
const HandedOver = z.object({
  problem: z.looseObject({
    /** The reason why the problem can't be handed over; undefined if it can. */
    open: z.string().optional(),
  }),
  parts: z.array(ItemLine),
});

/** Whether part of the problem has a solution: `Probed` in `languages/why.py`. */
const Reply = z.object({
  verdict: z.enum(["sat", "unsat", "open"]),
  core: z.array(z.int()).optional(),
});

/** By how much each part in a set must be relaxed: `Relaxed` in `evidence/relax.py`. */
const Amounts = z.object({ least: z.array(z.int()), proved: z.boolean() });

/**
 * Adds an explanation to the outcome, if the call asks for one. A process that never ran the program answers each
 * question. Raises `cancelled`.
 */
export async function explainedBy(
  run: RunProgram,
  language: string,
  {
    outcome,
    why_question,
    context,
    planned,
  }: {
    readonly outcome: Outcome;
    readonly why_question: unknown;
    readonly context: SolveContext;
    /** A plan that the problem does not allow, together with the problem and the positions of the plan's values. */
    readonly planned?: { readonly plan: Values; readonly space: unknown };
  },
): Promise<Outcome> {
  const asked = async (request: Record<string, unknown>, deadline: Deadline): Promise<unknown> => {
    const reply = await run(language, { items: [], request }, deadline);
    if (reply === "expired") return undefined;
    if (reply.end.kind === "error" && reply.end.error.log) console.error(reply.end.error.log);
    return reply.end.kind === "result" ? reply.end.result : undefined;
  };
  return explained(outcome, context, () => {
    const read = HandedOver.safeParse(why_question);
    if (!read.success) return "why: the program's process did not return its constraints by line.";
    const { problem, parts: places } = read.data;
    if (problem.open !== undefined) return `why: nothing is explained: ${problem.open}.`;
    const parts = places.map((place) => ({ place }));
    return {
      parts,
      monotone: true,
      known: knownAmong(parts, outcome.verdict),
      async ask(subset, deadline): Promise<Probed> {
        const answer = Reply.safeParse(await asked({ probe: { problem, kept: subset, ...planned } }, deadline));
        if (!answer.success) return { verdict: "open" };
        const { verdict, core } = answer.data;
        return { verdict, ...(core && { core: subset.filter((part) => core.includes(part)) }) };
      },
      async relax(set, deadline) {
        const relaxed = Amounts.safeParse(await asked({ relax: { problem, kept: set, ...planned } }, deadline));
        if (!relaxed.success || relaxed.data.least.length !== set.length) return undefined;
        const { least, proved } = relaxed.data;
        return { least: least.map((by, i) => ({ parts: [i], by })), proved };
      },
    };
  });
}
