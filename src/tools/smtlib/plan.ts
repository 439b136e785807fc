import { type Node, oneLine } from "../../engines/smt/sexpr.ts";
import { doubtOn, type Match } from "../../evidence/smtlib/defects.ts";
import type { Formula } from "../../evidence/smtlib/evaluator.ts";
import type { Goal, Optimisation, Priority } from "../../evidence/smtlib/optimum.ts";
import { goalsInForce, isObjective, priorityOf } from "./goals.ts";
import { smtlib_limits } from "./limits.ts";
import { type OpenValue, openValues } from "./open_values.ts";
import { Piece } from "./piece.ts";
import { type Command, excerpt, type Script } from "./script/commands.ts";
import { optionName } from "./script/options.ts";
import { formulaOf, hasName, inForce, nameGiven, nameNodeOf, withoutAnnotations } from "./script/scope.ts";

/** The text to send to the solver at once, and the reply to expect. */
export interface Step {
  readonly kind: Command["kind"];
  readonly head: string;
  readonly piece: Piece;
  /** The command; undefined for a check that Verdict adds, and for a series of silent commands. */
  readonly command: Command | undefined;
  /** Whether this is the check whose answer is the verdict. */
  readonly last: boolean;
  /** The text that an echo will print, so that it is never mistaken for an error. */
  readonly echoes: string | undefined;
  /** The formulas that this check's model must satisfy; undefined if that can't be checked by evaluation. */
  readonly replay: readonly Formula[] | undefined;
}

/** An assertion that can be part of a core. */
export interface NamedAssertion {
  readonly name: string;
  readonly command: Command;
}

/** A script that is ready to run. */
export interface Plan {
  readonly script: Script;
  readonly prologue: string;
  readonly steps: readonly Step[];
  /** All silent commands before the last check, one by one; a minimisation runs them again. */
  readonly before: readonly { readonly command: Command; readonly piece: Piece }[];
  /** The named assertions that are in force at the last check. */
  readonly assertions: readonly NamedAssertion[];
  /** The names that Verdict added or that the script itself defines; no model shows them. */
  readonly hidden_names: ReadonlySet<string>;
  /** The positions at which an assertion may use a value that SMT-LIB leaves undefined. */
  readonly open_values: readonly OpenValue[];
  readonly wants_core: boolean;
  /** The last check's assumptions, each with its text on one line, as Z3 writes it in a core. */
  readonly assumptions: readonly { readonly text: string; readonly piece: Piece }[];
  readonly has_objectives: boolean;
  /** The goals to minimise or maximise at the last check; undefined if they can't be stated again. */
  readonly goals: readonly Goal[] | undefined;
  readonly priority: Priority;
  /** The known defects of the engine that runs the plan. */
  readonly defects: readonly Match[];
  readonly prints_objectives: boolean;
  /**
   * Whether the answer shows the whole model. It does not if the script wants no models, or asks for single values
   * instead.
   */
  readonly shows_model: boolean;
  readonly warnings: readonly string[];
}

/** Commands that may be answered with `unsupported`; each is sent alone, to find out which one was. */
const sent_alone = /^(set-|declare-(tactic|codatatypes|map|rel|var|type-var)$|rule$)/;

/** Plans a run. With `explain`, every assertion without a name is named after its line. */
export function planRun(script: Script, explain: boolean): Plan {
  const { commands, last_check } = plannedCommands(script);
  const names = explain ? nameAssertions(script, commands) : new Map<Command, string>();
  const pieces = commands.map((command) => ({ command, piece: pieceOf(script, command, names) }));
  const before_check = commands.slice(0, last_check).filter((command) => command !== undefined);
  const heads = new Set(script.commands.map(({ head }) => head));
  const check = commands[last_check];
  const wants_core =
    explain ||
    assumptionsOf(check).length > 0 ||
    heads.has("check-sat-assuming") ||
    script.commands.some((each) => nameGiven(formulaOf(each)));
  const in_force = inForce(before_check, isAssert);
  return {
    script,
    prologue: [
      ...(wants_core ? ["(set-option :produce-unsat-cores true)"] : []),
      ...(heads.has("get-unsat-assumptions") ? ["(set-option :produce-unsat-assumptions true)"] : []),
    ].join("\n"),
    steps: stepsOf(script, pieces, last_check),
    before: pieces
      .slice(0, last_check)
      .flatMap(({ command, piece }) => (command?.kind === "silent" ? [{ command, piece }] : [])),
    assertions: in_force.flatMap((command) => {
      const name = nameGiven(formulaOf(command)) ?? names.get(command);
      return name === undefined ? [] : [{ name, command }];
    }),
    hidden_names: new Set([...names.values(), ...definedNames(script)]),
    open_values: openValues(script, in_force),
    wants_core,
    assumptions: assumptionsOf(check).map((node) => ({
      text: oneLine(script.text, node),
      piece: Piece.formula(script.text, node),
    })),
    has_objectives: before_check.some(({ head }) => isObjective(head)),
    goals: goalsInForce(script, before_check),
    priority: priorityOf(before_check),
    defects: script.defects,
    prints_objectives: heads.has("get-objectives"),
    shows_model: showsModel(script),
    warnings: withoutEffect(commands.slice(last_check + 1)),
  };
}

/** Returns the commands of a script that are sent, and the position of the last check among them. */
function plannedCommands(script: Script): { readonly commands: readonly Planned[]; readonly last_check: number } {
  const commands = withCheck(withoutEmptyRequests(withoutIdleOptions(script.commands)));
  return { commands, last_check: commands.findLastIndex((command) => kindOf(command) === "check") };
}

/**
 * Whether to show the model. A `get-model` after the last check always shows it, since such a command is not a step of
 * the plan.
 */
function showsModel({ commands, wants_no_model }: Script): boolean {
  const last_check = commands.findLastIndex(({ kind }) => kind === "check");
  const asked = new Set(commands.slice(last_check + 1).map(({ head }) => head));
  return asked.has("get-model") || !(wants_no_model || asked.has("get-value"));
}

/**
 * Returns the same run without cores, which may decide more, since Z3 can then use all its methods. Assertions lose
 * their names, except for names that the script uses elsewhere, because a tactic treats a named formula as a different
 * one.
 */
export function withoutCores(plan: Plan): Plan {
  const about_cores = /^get-unsat-(core|assumptions)$/;
  const { script } = plan;
  const { commands, last_check } = plannedCommands(script);
  const uses = usesOf(script.text);
  const pieces = commands.map((command) => ({ command, piece: unnamedPiece(script, command, uses) }));
  return {
    ...plan,
    prologue: "",
    wants_core: false,
    steps: stepsOf(script, pieces, last_check).filter(({ head }) => !about_cores.test(head)),
  };
}

/** Removes the name of an assertion from a command, if nothing else in the script contains this name. */
function unnamedPiece(script: Script, command: Planned, uses: ReadonlyMap<string, number>): Piece {
  const formula = formulaOf(command);
  const name = nameNodeOf(formula);
  const nests = formula?.kind === "list" && formula.items[1] !== withoutAnnotations(formula);
  const stays = name === undefined || nests || uses.get(excerpt(script.text, name)) !== 1;
  return !command || !formula || stays
    ? pieceOf(script, command, new Map())
    : Piece.within(script.text, command, "(assert ", withoutAnnotations(formula), ")");
}

/** Counts how often each word occurs in a text. */
function usesOf(text: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const [word] of text.matchAll(/[^\s()]+/g)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return uses;
}

/** Returns the names that stand for a term in the script, and for nothing else. */
function definedNames({ declarations }: Script): string[] {
  const declared = new Set(declarations.flatMap(({ kind, name }) => (kind === "declared" ? [name] : [])));
  const stands_for_a_term = /^(?:defined|recursive|named)$/;
  return declarations.flatMap(({ kind, name }) => (stands_for_a_term.test(kind) && !declared.has(name) ? [name] : []));
}

function isAssert(head: string): boolean {
  return head === "assert";
}

function stepsOf(script: Script, pieces: readonly { command: Planned; piece: Piece }[], last_check: number): Step[] {
  const steps: Step[] = [];
  let quiet: Piece[] = [];
  const flush = () => {
    if (quiet.length > 0) steps.push(step("silent", "assert", Piece.join(quiet)));
    quiet = [];
  };
  const replays = replaysOf(script, pieces, last_check);
  for (const [i, { command, piece }] of pieces.entries()) {
    if (command?.kind === "silent" && !sent_alone.test(command.head)) quiet.push(piece);
    else {
      flush();
      const of_step = step(kindOf(command), command?.head ?? "check-sat", piece, command, i === last_check);
      steps.push({ ...of_step, replay: replays.get(i) });
    }
  }
  flush();
  return steps;
}

/** Returns, by check position, the formulas that the models of the first checks and of the last check must satisfy. */
function replaysOf(
  script: Script,
  pieces: readonly { command: Planned }[],
  last_check: number,
): Map<number, Formula[] | undefined> {
  const replays = new Map<number, Formula[] | undefined>();
  // Evaluating a recursive definition might never end.
  if (script.commands.some(({ head }) => /^define-funs?-rec$/.test(head))) return replays;
  const commands: Command[] = [];
  for (const [i, { command }] of pieces.entries()) {
    const is_check = kindOf(command) === "check";
    if (i === last_check || (is_check && i < last_check && replays.size < smtlib_limits.earlier_checks_max))
      replays.set(i, replayOf(script, inForce(commands, isAssert), command));
    if (command) commands.push(command);
  }
  return replays;
}

/** Warns that assertions and objectives after the last check have no effect. */
function withoutEffect(after: readonly Planned[]): string[] {
  const idle = after.flatMap((command) =>
    command && (command.head === "assert" || isObjective(command.head)) ? [command.line] : [],
  );
  const lines = [...new Set(idle)].slice(0, 10).join(", ");
  return idle.length > 0
    ? [`Assertions and objectives after the last check (line ${lines}) have no effect on the answer.`]
    : [];
}

function assumptionsOf(check: Planned): readonly Node[] {
  if (check?.head === "check-sat") return check.node.items.slice(1);
  const list = check?.head === "check-sat-assuming" ? check.node.items[1] : undefined;
  return list?.kind === "list" ? list.items : [];
}

/**
 * Returns the formulas that a check's model must satisfy; undefined if a formula contains a name, since it can't be
 * stated twice.
 */
function replayOf(script: Script, in_force: readonly Command[], check: Planned): Formula[] | undefined {
  const formulas = in_force.flatMap((command) => {
    const formula = formulaOf(command);
    return formula ? [{ line: command.line, node: withoutAnnotations(formula) }] : [];
  });
  const assumed = assumptionsOf(check).map((node) => ({ line: check?.line ?? 0, node }));
  const all = [...formulas, ...assumed];
  const names_inside = script.text.includes(":named") && all.some(({ node }) => hasName(node));
  return names_inside
    ? undefined
    : all.map(({ line, node }) => ({ line, text: Piece.formula(script.text, node).text }));
}

/** A planned command; undefined means the check that Verdict adds. */
type Planned = Command | undefined;

function kindOf(command: Planned): Command["kind"] {
  return command ? command.kind : "check";
}

/** Options that the embedded Z3 rejects, and the only commands for which they matter. */
const needed_by: Readonly<Record<string, readonly string[]>> = {
  global_declarations: ["push", "pop", "reset-assertions"],
  global_decls: ["push", "pop", "reset-assertions"],
  interactive_mode: ["get-assertions"],
  produce_assertions: ["get-assertions"],
};

/** Removes options that have no effect in this script. */
function withoutIdleOptions(commands: readonly Command[]): readonly Command[] {
  const heads = new Set(commands.map((command) => command.head));
  return commands.filter(({ head, node }) => {
    const key = node.items[1];
    if (head !== "set-option" || key?.kind !== "keyword") return true;
    const needs = needed_by[optionName(key.text)];
    return needs === undefined || needs.some((need) => heads.has(need));
  });
}

/**
 * Removes requests for the model and the core of the last check, since Verdict itself asks for these. Requests after
 * earlier checks are kept, but requests for a core only if some assertion has a name.
 */
function withoutEmptyRequests(commands: readonly Command[]): readonly Command[] {
  const first = commands.findIndex(({ kind }) => kind === "check");
  const last = commands.findLastIndex(({ kind }) => kind === "check");
  const named = commands.some((command) => nameGiven(formulaOf(command)) !== undefined);
  return commands.filter(({ head, node }, i) => {
    const ours = (head === "get-model" && node.items.length === 1) || head === "get-unsat-core";
    return !ours || (i > first && i < last && (head === "get-model" || named));
  });
}

/** Returns what the last check optimises. */
export function optimisationOf({ before, prologue, steps, goals, priority, defects, script }: Plan): Optimisation {
  const commands = before.filter(({ command }) => !isObjective(command.head)).map(({ piece }) => piece.text);
  return {
    before: [prologue, ...commands].join("\n"),
    check: steps.find(({ last }) => last)?.piece.text ?? "(check-sat)",
    goals,
    priority,
    doubt_on_unsat: doubtOn({ defects, lines: script.lines }, "unsat"),
    improvements_max: smtlib_limits.improvements_max,
  };
}

/** Adds a check to a script that has none, before any commands that ask for its result. */
function withCheck(commands: readonly Command[]): readonly Planned[] {
  if (commands.some((command) => command.kind === "check")) return commands;
  const end = commands.findLastIndex((command) => command.kind === "silent" || command.head === "echo") + 1;
  return [...commands.slice(0, end), undefined, ...commands.slice(end)];
}

function step(kind: Step["kind"], head: string, piece: Piece, command?: Command, last = false): Step {
  const text = command?.node.items[1];
  const echoes =
    head === "echo" && text?.kind === "string" ? text.text.slice(1, -1).replaceAll('""', '"').trim() : undefined;
  return { kind, head, piece, command, last, echoes, replay: undefined };
}

function pieceOf(script: Script, command: Planned, names: ReadonlyMap<Command, string>): Piece {
  if (!command) return Piece.added("(check-sat)", script.text.length);
  const name = names.get(command);
  const formula = formulaOf(command);
  return name !== undefined && formula
    ? Piece.within(script.text, command, "(assert (! ", formula, ` :named ${name}))`)
    : Piece.of(script.text, command);
}

/** Gives unnamed assertions names such as `line_12`, which occur nowhere else in the script. */
function nameAssertions(script: Script, commands: readonly Planned[]): Map<Command, string> {
  let prefix = "line_";
  while (script.text.includes(prefix)) prefix = `on_${prefix}`;
  const names = new Map<Command, string>();
  const on_line = new Map<number, number>();
  for (const command of commands) {
    const formula = formulaOf(command);
    if (!command || !formula || nameGiven(formula) !== undefined) continue;
    const count = (on_line.get(command.line) ?? 0) + 1;
    on_line.set(command.line, count);
    names.set(command, `${prefix}${command.line}${count > 1 ? `_${count}` : ""}`);
  }
  return names;
}

/** Returns a definition to replace a left-out assertion, since its name may be used elsewhere. */
export function definitionInstead(script: Script, { name, command }: NamedAssertion): string {
  const formula = formulaOf(command);
  const given_name = nameGiven(formula);
  if (!formula || given_name === undefined) return "";
  const shown = nameNodeOf(formula);
  const written = shown ? excerpt(script.text, shown) : name;
  return `(define-fun ${written} () Bool ${Piece.formula(script.text, withoutAnnotations(formula)).text})`;
}
