import type { Python } from "../../engines/python/index.ts";
import type { AskOther } from "../../engines/smt/second.ts";
import type { SmtSolver } from "../../engines/smt/solver.ts";
import type { Toolset } from "../../kernel/tool.ts";
import { ProverThreads } from "../../prover/threads.ts";
import { analyzeBranches } from "./analyze_branches.ts";
import { compareFunctions } from "./compare_functions.ts";
import type { Services } from "./examine.ts";
import { findPathToException } from "./find_path_to_exception.ts";
import guide from "./guide.md";
import proving from "./prove/guide.md";
import { symbolicCheck } from "./symbolic_check.ts";

export type { Proof } from "./search.ts";

interface Proving {
  readonly prover_file: string;
  /** Is asked the questions of each proof again. */
  readonly other: AskOther | undefined;
  readonly onProof: Services["onProof"];
}

/** Questions about Python code, answered for all of its inputs. */
export function symbolic(
  { python, z3 }: { readonly python: Python; readonly z3: SmtSolver },
  { prover_file, other, onProof }: Proving,
): Toolset {
  // A call holds one slot, in which all its processes run in parallel.
  const services = { python, prover: new ProverThreads(prover_file, z3.unqueued, other), onProof };
  return {
    name: "symbolic",
    guides: [
      { name: "symbolic", title: "Asking about Python code", text: guide },
      { name: "prove", title: "Proving Python code with asserts", text: proving },
    ],
    session: () => [
      symbolicCheck(services),
      findPathToException(services),
      compareFunctions(services),
      analyzeBranches(services),
    ],
  };
}
