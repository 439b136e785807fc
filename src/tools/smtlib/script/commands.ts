import type { Node } from "../../../engines/smt/sexpr.ts";
import type { Declaration, Stated } from "../../../evidence/smtlib/declarations.ts";
import type { Match } from "../../../evidence/smtlib/defects.ts";
import { Fault } from "../../../kernel/fault.ts";
import type { Lines } from "../../../kernel/text/lines.ts";
import type { Contents } from "../engines/theories.ts";

/**
 * The kinds of commands. `silent` commands print nothing if they succeed, `print` commands print text, and `check`
 * commands print a verdict. `ours` commands are removed from a script, since Verdict sends them where they belong; the
 * answer contains their results.
 */
export type CommandKind = "silent" | "print" | "check" | "ours" | "forbidden";

const by_kind: Readonly<Record<CommandKind, readonly string[]>> = {
  silent: [
    ..."assert assert-soft declare-const declare-fun declare-sort declare-datatype declare-datatypes".split(" "),
    ..."declare-codatatypes declare-rel declare-var declare-map declare-tactic declare-type-var".split(" "),
    ..."define-const define-fun define-fun-rec define-funs-rec define-sort".split(" "),
    ..."push pop reset reset-assertions set-logic set-info set-option set-initial-value set-simplifier".split(" "),
    ..."minimize maximize rule".split(" "),
  ],
  print: [
    ..."echo eval simplify display apply labels help help-tactic get-user-tactics".split(" "),
    ..."get-value get-assertions get-assignment get-info get-option get-objectives get-consequences".split(" "),
    ..."get-proof get-unsat-assumptions get-interpolant".split(" "),
  ],
  check: ["check-sat", "check-sat-assuming", "check-sat-using", "query"],
  ours: ["get-model", "get-unsat-core", "exit"],
  forbidden: ["include", "get-proof-graph"],
};

const kinds = new Map<string, CommandKind>();
for (const kind of ["silent", "print", "check", "ours", "forbidden"] as const) {
  for (const name of by_kind[kind]) kinds.set(name, kind);
}

export const command_names: readonly string[] = [...kinds.keys()];

/** Returns the kind of a command; undefined for an unknown command. */
export function commandKind(name: string): CommandKind | undefined {
  return kinds.get(name);
}

const excerpt_chars_max = 80;

/** Returns a node's text, truncated for use in a message. */
export function excerpt(text: string, node: Node): string {
  const whole = text.slice(node.start, Math.min(node.end, node.start + 4 * excerpt_chars_max)).replaceAll(/\s+/g, " ");
  return whole.length > excerpt_chars_max ? `${whole.slice(0, excerpt_chars_max)}…` : whole;
}

/** Creates a fault about a script, at the position of a node. */
export function refusal(lines: Lines, node: Node | undefined, why: string, steps: readonly string[]): Fault {
  const position = node && lines.at(node.start);
  const where = position ? `Line ${position.line}, column ${position.column}: ` : "";
  return new Fault("input_rejected", { where, what: `${why}. Nothing was decided.` }, steps, position);
}

/** A command that is sent to the solver. */
export interface Command extends Stated {
  readonly kind: "silent" | "print" | "check";
}

/** A script as the solver runs it, after Verdict's changes. */
export interface Script {
  /** The user's text, to which the offsets of nodes refer. */
  readonly text: string;
  readonly lines: Lines;
  readonly commands: readonly Command[];
  /** All names that the script declares, in order, including the names of formulas. */
  readonly declarations: readonly Declaration[];
  readonly contents: Contents;
  /** The known engine defects that affect the script's terms. */
  readonly defects: readonly Match[];
  readonly warnings: readonly string[];
  /** The status that the script declares for its last check (`:status`). */
  readonly expected: string | undefined;
  /** Whether the script states that it wants no models. */
  readonly wants_no_model: boolean;
}
