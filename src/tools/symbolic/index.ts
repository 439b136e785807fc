import type { Toolset } from "../../kernel/tool.ts";
import type { Python } from "../../solvers/python/index.ts";
import { analyzeBranches } from "./analyze_branches.ts";
import { compareFunctions } from "./compare_functions.ts";
import { findPathToException } from "./find_path_to_exception.ts";
import guide from "./guide.md";
import { symbolicCheck } from "./symbolic_check.ts";

/** Questions about Python code, answered for all of its inputs. */
export function symbolic(python: Python): Toolset {
  return {
    name: "symbolic",
    tools: [symbolicCheck(python), findPathToException(python), compareFunctions(python), analyzeBranches(python)],
    guides: [{ name: "symbolic", title: "Asking about Python code", text: guide }],
  };
}
