import type { ItemLine, Why } from "../language.ts";
import { whyAnswer } from "../why/answer.ts";

/** The lines that forbid a plan, and sentences on how far this is proved. */
export interface Broken {
  readonly broken: readonly (ItemLine & { readonly by?: number | undefined })[];
  readonly proof: string;
}

/** Finds the smallest known set of lines whose removal makes the values possible. */
export function brokenLines(why: Why | undefined): Broken {
  if (!why) return { broken: [], proof: "" };
  const { core = [], drop, drop_complete, undecided } = whyAnswer(why);
  const [first] = drop;
  if (!first && core.length > 0)
    return { broken: core, proof: " Together, these lines exclude them; others may be violated, too." };
  if (!first)
    return {
      broken: [],
      proof: undecided.length > 0 ? ` ${undecided.join(" ")}` : " Declarations and bounds exclude them.",
    };
  const others = drop.length > 1 || !drop_complete ? " Other sets of lines are possible, too." : "";
  return {
    broken: first.relaxed ?? first.items,
    proof: first.proved === "smallest" ? others : ` Perhaps fewer are violated.${others}`,
  };
}
