import type { Deadline } from "../../../kernel/deadline.ts";
import { limitReached, type Proven } from "../../../kernel/verdict.ts";
import { judge } from "../outcome.ts";
import type { Checker } from "./checker.ts";
import { nextNode, type Offer, offer, reject, report, type Search, type Spent, scriptOf } from "./search.ts";

export interface Drive {
  readonly checker: Checker;
  /** Returns tactics for a state, the best first. */
  readonly draw: (state: string, deadline: Deadline) => Promise<readonly Offer[]>;
  /** Called after each step, with the state to store. */
  readonly onStep: (search: Search) => Promise<void>;
}

/** The result of a search. A script is a proof only after it was checked from scratch. */
export type SearchVerdict = Proven<{ readonly script: readonly string[] }> | Spent | typeof expired;

export interface Driven {
  readonly search: Search;
  readonly verdict: SearchVerdict;
}

const expired = limitReached("time");

/** Searches with a checker until a proof is found, nothing is left to try, or the budget or the time is spent. */
export async function drive(begun: Search, { checker, draw, onStep }: Drive, deadline: Deadline): Promise<Driven> {
  for (let search = begun; ; await onStep(search)) {
    if (deadline.is_over) return { search, verdict: expired };
    const [end] = search.ends;
    if (end) {
      const holds = await checker.confirm(end.script, deadline);
      if (holds === "expired") return { search, verdict: expired };
      if (holds) {
        const { script } = end;
        return {
          search: { ...search, ends: [{ script, confirmed: true }] },
          verdict: { kind: "proven", proof: { script } },
        };
      }
      search = reject(search);
      continue;
    }
    const node = search.current?.node ?? nextNode(search);
    if (typeof node !== "number") return { search, verdict: node };
    const { state } = search.nodes[node] ?? { state: "" };
    if (!search.current) search = offer(search, node, await draw(state, deadline));
    if (!search.current) continue;
    const tactics = search.current.offers.map(({ tactic }) => tactic);
    const items = await checker.attempt(scriptOf(search, node), tactics, deadline);
    if (items === "expired") return { search, verdict: expired };
    // A tactic without an outcome did not work. Outcomes are matched by position.
    const outcomes = tactics.map((tactic, i) => {
      return { ...judge(items[i] ?? { snippet: tactic, timed_out: true }, state), tactic };
    });
    search = report(search, outcomes);
  }
}
