import { type List, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";

/** How an option is handled: it is sent, left out with or without a note, or rejected. */
export type OptionFate =
  | { readonly kind: "send" }
  | { readonly kind: "leave_out"; readonly remark: string | undefined }
  | { readonly kind: "refuse"; readonly why: string };

const send: OptionFate = { kind: "send" };
const leave_out: OptionFate = { kind: "leave_out", remark: undefined };

/** Returns Z3's name for an option: `:Smtlib2-Log` is `smtlib2_log`. */
export function optionName(keyword: string): string {
  return keyword.slice(1).toLowerCase().replaceAll("-", "_");
}

/** Options in Z3 5.1 to 5.4 that make it write or read files, or send its output elsewhere. */
const touches_files =
  /channel|file|(^|[._])log($|[._])|_log$|dump|trace|dimacs|drat|print_aig|solution_prefix|inprocess\.out|dot_|(^|[._])root$/;

/** Options that select a strategy by a word, with the words that are known to be harmless. */
const words: Readonly<Record<string, readonly string[]>> = {
  "smt.string_solver": ["seq", "auto"],
  "opt.priority": ["lex", "box", "pareto"],
  "opt.maxsat_engine": ["maxres", "pd-maxres", "wmax", "maxres-bin", "rc2"],
  "opt.optsmt_engine": ["basic", "symba"],
  "fp.engine": ["auto-config", "datalog", "spacer", "bmc"],
  "sat.phase": ["always_false", "always_true", "basic_caching", "caching", "random"],
  "sat.restart": ["ema", "luby", "geometric", "static"],
  "sat.gc": ["glue_psm", "psm", "glue", "dyn_psm", "psm_glue"],
  "sat.branching.heuristic": ["vsids", "chb"],
  "sat.cardinality.encoding": ["grouped", "bimander", "ordered", "unate", "circuit"],
  "sat.pb.solver": ["solver", "circuit", "sorting", "totalizer", "segmented", "binary_merge"],
  "nnf.mode": ["skolem", "full", "quantifiers"],
  encoding: ["unicode", "bmp", "ascii"],
};

/** Keywords that belong to terms and commands, and therefore set no option. */
const attributes = new Set(
  ":named :pattern :no-pattern :qid :skolemid :weight :id :lblpos :lblneg :completion :model-index".split(" "),
);

const plain_value = /^(true|false|\d+(\.\d+)?)$/;

/**
 * Options that are left out, because they would change the form of Z3's output, or because Verdict itself sets them.
 */
const changes_form = /^(smtlib2_compliant|verbosity|verbose|stats|error_behavior|model_evaluator\.completion)$/;

/** Whether an option turns models on or off. */
export function aboutModels(keyword: string): boolean {
  return /^(produce_models|model)$/.test(optionName(keyword));
}

/** Decides how to handle one option, given its value as written. */
export function fateOfOption(keyword: string, value: string | undefined): OptionFate {
  const name = optionName(keyword);
  if (name === "produce_unsat_cores" || name === "print_success") return leave_out;
  // Each sat is checked against its model, so the solver always has to produce one.
  if (aboutModels(keyword)) return leave_out;
  if (changes_form.test(name)) {
    return { kind: "leave_out", remark: `${keyword} was omitted: it would change the form of the answer.` };
  }
  // These are default values, so the option is left out.
  if (/^global_decl(aration)?s$/.test(name) && value === "false") return leave_out;
  if (name.includes("channel") && /^"std(out|err)"$/.test(value ?? "")) return leave_out;
  if (touches_files.test(name) && value === "false") return leave_out;
  const why = dangerOf(keyword, value);
  if (why !== undefined) return { kind: "refuse", why };
  const doubt = doubtAbout(keyword, value);
  return doubt === undefined ? send : { kind: "leave_out", remark: `${doubt}; it was left out.` };
}

/** Describes an option's forbidden effect, if it has one. */
function dangerOf(keyword: string, value: string | undefined): string | undefined {
  const name = optionName(keyword);
  if (name.includes("channel")) return `${keyword} sends the solver's output elsewhere`;
  if (touches_files.test(name)) return `${keyword} could make the solver read or write files on this machine`;
  if (weakens(name, value))
    return `${keyword} ${value ?? ""} makes Z3 ignore parts of a theory, so that its answers would be wrong`;
  if (value?.includes("(")) return `${keyword} with a tactic as text could set any option`;
  return undefined;
}

/** Explains why an option is not sent, if its value is not known to be harmless. */
function doubtAbout(keyword: string, value: string | undefined): string | undefined {
  if (value === undefined || plain_value.test(value)) return undefined;
  const known = words[optionName(keyword)];
  if (known?.includes(value)) return undefined;
  return known
    ? `${keyword} takes one of: ${known.join(", ")}`
    : `${keyword} with a word or string is not on the list of options known to be safe`;
}

/**
 * Whether an option makes Z3 drop a theory or part of one, such as the result of dividing a bit-vector by 0. These
 * options were found by trying every option on formulas with known answers.
 */
function weakens(name: string, value: string | undefined): boolean {
  const off = value === "false" || value === "0";
  if (/(^|\.)(array\.extensional|hi_div0)$/.test(name)) return off;
  if (/(^|\.)string_solver$/.test(name)) return value !== "seq" && value !== "auto";
  if (/(^|\.)arith\.solver$/.test(name)) return value !== "2" && value !== "5" && value !== "6";
  return (
    /(^|\.)(array\.weak|arith\.ignore_int|candidate_models|hi_fp_unspecified|logic|sat\.smt|solver\.slice|rewriter\.max_memory|rewriter\.max_steps)$/.test(
      name,
    ) && !off
  );
}

/** Returns the first reason to reject an option inside a command, such as a tactic's option. */
export function reasonAgainstOptionsIn(text: string, command: List): string | undefined {
  for (const node of walk(command)) {
    if (node.kind !== "list") continue;
    for (const [i, item] of node.items.entries()) {
      if (item.kind !== "keyword" || attributes.has(item.text)) continue;
      const value = wordOf(text, node.items[i + 1]);
      const why = dangerOf(item.text, value) ?? doubtAbout(item.text, value);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

/** Returns a value as written; undefined for a list or another keyword, which is not an option's value. */
export function wordOf(text: string, node: Node | undefined): string | undefined {
  if (!node || node.kind === "list" || node.kind === "keyword") return undefined;
  return nameOf(node) === undefined || node.kind === "quoted" ? text.slice(node.start, node.end) : nameOf(node);
}
