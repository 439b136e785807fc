/** The languages in which a question can be modelled, and the tools used with each of them. */

const item_tools = [
  "solve",
  "clear_model",
  "add_item",
  "replace_item",
  "delete_item",
  "get_model",
  "solve_model",
  "get_solution",
  "check_plan",
] as const;

/** A server may turn a long call into a job. */
const job_tools = ["get_job", "cancel_job"] as const;

export const languages = ["z3", "pysat", "minizinc", "asp", "cpmpy", "ortools", "smtlib", "symbolic"] as const;

export type Language = (typeof languages)[number];

/** Whether models in this language are built by the item tools. */
export function isItemLanguage(language: Language): boolean {
  return language !== "smtlib" && language !== "symbolic";
}

/** The names of the tools offered to a conversation in this language. */
export function toolsFor(language: Language): readonly string[] {
  if (language === "smtlib") return ["solve_smtlib", ...job_tools];
  if (language === "symbolic")
    return ["symbolic_check", "find_path_to_exception", "compare_functions", "analyze_branches", ...job_tools];
  return [...item_tools, ...job_tools];
}

/** The file extension of models in this language. */
export function fileEnding(language: Language): string {
  const endings: Partial<Record<Language, string>> = { minizinc: "mzn", asp: "lp", smtlib: "smt2" };
  return endings[language] ?? "py";
}
