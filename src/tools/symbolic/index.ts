import type { Python } from "../../engines/python/index.ts";
import type { AskOther } from "../../engines/smt/second.ts";
import type { SmtSolver } from "../../engines/smt/solver.ts";
import type { Tool, Toolset } from "../../kernel/tool.ts";
import { ProverThreads } from "../../prover/threads.ts";
import { analyzeBranches } from "./analyze_branches.ts";
import { compareFunctions, compareVersions } from "./compare_functions.ts";
import type { Services } from "./examine.ts";
import { findPathToException } from "./find_path_to_exception.ts";
import guide from "./guide.md";
import proving from "./prove/guide.md";
import { symbolicCheck } from "./symbolic_check.ts";

export type { Proof } from "./search.ts";

interface Engines {
  readonly python: Python;
  readonly z3: SmtSolver;
}

interface Proving {
  readonly prover_file: string;
  /** Is asked the questions of each proof again. */
  readonly other: AskOther | undefined;
  readonly onProof?: Services["onProof"];
}

/** A call holds one slot, in which all its processes run in parallel. */
function servicesOf({ python, z3 }: Engines, { prover_file, other, onProof }: Proving): Services {
  return { python, prover: new ProverThreads(prover_file, z3.unqueued, other), onProof };
}

/** What `verdict gate` asks: a contract, and two versions of a function, each in its own module. */
export function gateTools(engines: Engines, prover: Proving): Tool[] {
  const services = servicesOf(engines, prover);
  return [symbolicCheck(services), compareVersions(services)];
}

/** Questions about Python code, answered for all of its inputs. */
export function symbolic(engines: Engines, prover: Proving): Toolset {
  const services = servicesOf(engines, prover);
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
