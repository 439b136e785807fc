import type { LeanRepl } from "../../engines/lean_repl/index.ts";
import type { Tactics } from "../../engines/tactic/index.ts";
import type { Toolset } from "../../kernel/tool.ts";
import { daemonStatus } from "./daemon_status.ts";
import { evaluateTactic } from "./evaluate_tactic.ts";
import guide from "./guide.md";
import { Ledger } from "./ledger.ts";
import { recordOutcome } from "./record_outcome.ts";
import { SearchStore } from "./search/search_store.ts";
import { searchStep } from "./search_step.ts";
import { withSourceFaults } from "./source_faults.ts";
import { suggestTactics } from "./suggest_tactics.ts";

export interface LeanEngines {
  readonly tactics: Tactics;
  readonly repl: LeanRepl;
}

/** Suggests tactics for Lean 4 from a model that the user runs. It is used together with a server that runs Lean. */
export function lean({ tactics, repl }: LeanEngines, data_directory: string): Toolset {
  return {
    name: "lean",
    guides: [{ name: "lean", title: "Proving in Lean with suggested tactics", text: guide }],
    session: () => {
      const ledger = new Ledger(data_directory);
      const store = new SearchStore(data_directory);
      return [
        suggestTactics(tactics, ledger),
        evaluateTactic(tactics),
        daemonStatus(tactics),
        recordOutcome(tactics, ledger),
        searchStep({ tactics, repl, ledger, store }),
      ].map(withSourceFaults);
    },
  };
}
