import { headOf, type Node, nameOf } from "../../solvers/z3/sexpr.ts";
import { optionName } from "./commands.ts";
import { Piece } from "./piece.ts";
import type { Command, Script } from "./script.ts";

/** What is sent in one go, and what is expected back. */
export interface Step {
  readonly kind: Command["kind"];
  readonly head: string;
  readonly piece: Piece;
  /** Undefined for the check that we add, and for a run of silent commands. */
  readonly command: Command | undefined;
  /** True for the check whose answer is the verdict. */
  readonly last: boolean;
  /** What an echo will print, so that its text is never taken for an error. */
  readonly echoes: string | undefined;
}

/** An assertion that can stand in a core. */
export interface NamedAssertion {
  readonly name: string;
  readonly command: Command;
}

/** A script made ready to run. */
export interface Plan {
  readonly script: Script;
  readonly prologue: string;
  readonly steps: readonly Step[];
  /** Everything silent before the last check, one by one: what a minimisation runs again. */
  readonly before: readonly { readonly command: Command; readonly piece: Piece }[];
  readonly assertions: readonly NamedAssertion[];
  readonly wants_core: boolean;
  readonly has_objectives: boolean;
  readonly prints_objectives: boolean;
}

/** These may answer `unsupported`, so each is sent alone, to know which one did. */
const sent_alone = /^(set-|declare-(tactic|codatatypes|map|rel|var|type-var)$|rule$)/;

/** Plans a run; with `explain`, every assertion without a name gets one from its line. */
export function planRun(script: Script, explain: boolean): Plan {
  const commands = withCheck(withoutIdleOptions(script.commands));
  const last_check = commands.findLastIndex((command) => kindOf(command) === "check");
  const names = new Namer(script.text);
  const assertions: NamedAssertion[] = [];
  const steps: Step[] = [];
  const before: { command: Command; piece: Piece }[] = [];
  let quiet: Piece[] = [];
  const flush = () => {
    if (quiet.length > 0) steps.push(step("silent", "assert", Piece.join(quiet)));
    quiet = [];
  };
  for (const [i, command] of commands.entries()) {
    const piece = pieceOf(script, command, explain ? names : undefined, assertions);
    if (command?.kind === "silent" && i < last_check) before.push({ command, piece });
    if (command?.kind === "silent" && !sent_alone.test(command.head)) quiet.push(piece);
    else {
      flush();
      steps.push(step(kindOf(command), command?.head ?? "check-sat", piece, command, i === last_check));
    }
  }
  flush();
  const heads = new Set(script.commands.map((command) => command.head));
  const wants_core = assertions.length > 0 || heads.has("check-sat-assuming");
  return {
    script,
    prologue: wants_core ? "(set-option :produce-unsat-cores true)" : "",
    steps,
    before,
    assertions,
    wants_core,
    has_objectives: ["minimize", "maximize", "assert-soft"].some((head) => heads.has(head)),
    prints_objectives: heads.has("get-objectives"),
  };
}

/** Undefined stands for the check that we add. */
type Planned = Command | undefined;

function kindOf(command: Planned): Command["kind"] {
  return command ? command.kind : "check";
}

/** Options that the embedded Z3 refuses, and the commands that alone make them matter. */
const needed_by: Readonly<Record<string, readonly string[]>> = {
  global_declarations: ["push", "pop", "reset-assertions"],
  global_decls: ["push", "pop", "reset-assertions"],
  interactive_mode: ["get-assertions"],
  produce_assertions: ["get-assertions"],
};

/** Leaves out options that have no effect in this script. */
function withoutIdleOptions(commands: readonly Command[]): readonly Command[] {
  const heads = new Set(commands.map((command) => command.head));
  return commands.filter(({ head, node }) => {
    const key = node.items[1];
    if (head !== "set-option" || key?.kind !== "keyword") return true;
    const needs = needed_by[optionName(key.text)];
    return needs === undefined || needs.some((need) => heads.has(need));
  });
}

/** Adds a check to a script that has none, before commands that already ask for its result. */
function withCheck(commands: readonly Command[]): readonly Planned[] {
  if (commands.some((command) => command.kind === "check")) return commands;
  const end = commands.findLastIndex((command) => command.kind === "silent" || command.head === "echo") + 1;
  return [...commands.slice(0, end), undefined, ...commands.slice(end)];
}

function step(kind: Step["kind"], head: string, piece: Piece, command?: Command, last = false): Step {
  const text = command?.node.items[1];
  const echoes =
    head === "echo" && text?.kind === "string" ? text.text.slice(1, -1).replaceAll('""', '"').trim() : undefined;
  return { kind, head, piece, command, last, echoes };
}

function pieceOf(script: Script, command: Planned, names: Namer | undefined, assertions: NamedAssertion[]): Piece {
  if (!command) return Piece.added("(check-sat)", script.text.length);
  const formula = command.head === "assert" && command.node.items.length === 2 ? command.node.items[1] : undefined;
  const given = nameGiven(formula);
  if (given !== undefined) assertions.push({ name: given, command });
  if (!names || !formula || given !== undefined) return Piece.of(script.text, command);
  const name = names.of(command.line);
  assertions.push({ name, command });
  return Piece.named(script.text, command, formula, name);
}

/** The name in `(! F :named name)`. */
function nameGiven(formula: Node | undefined): string | undefined {
  if (formula?.kind !== "list" || headOf(formula) !== "!") return undefined;
  const at = formula.items.findIndex((item) => item.kind === "keyword" && item.text === ":named");
  return at < 0 ? undefined : nameOf(formula.items[at + 1]);
}

/** Names such as `line_12` that stand nowhere in the script. */
class Namer {
  readonly #text: string;
  readonly #used = new Set<string>();
  #prefix = "line_";

  constructor(text: string) {
    this.#text = text;
    while (this.#text.includes(this.#prefix)) this.#prefix = `on_${this.#prefix}`;
  }

  of(line: number): string {
    let name = `${this.#prefix}${line}`;
    for (let i = 2; this.#used.has(name); i++) name = `${this.#prefix}${line}_${i}`;
    this.#used.add(name);
    return name;
  }
}
