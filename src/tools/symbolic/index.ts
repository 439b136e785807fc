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
  /** The other engine that is asked the questions in each proof again. */
  readonly other: AskOther | undefined;
  readonly onProof?: Services["onProof"];
}

/** Creates the processes for questions. A call holds one slot, in which all its processes run in parallel. */
function servicesOf({ python, z3 }: Engines, { prover_file, other, onProof }: Proving): Services {
  return { python, prover: new ProverThreads(prover_file, z3.unqueued, other), onProof };
}

/**
 * The tools for `verdict gate`, which checks a contract, and compares two versions of a function, each in a separate
 * module.
 */
export function gateTools(engines: Engines, prover: Proving): Tool[] {
  const services = servicesOf(engines, prover);
  return [symbolicCheck(services), compareVersions(services)];
}

/** The tools that answer questions about Python code for all inputs. */
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
