import { standard_commands } from "../../../engines/smt/dialect.ts";
import { type Node, nameOf } from "../../../engines/smt/sexpr.ts";
import type { SmtSolver } from "../../../engines/smt/solver.ts";
import { hasGlobalDeclarations, itemsOf } from "../../../evidence/smtlib/declarations.ts";
import { defectsOf } from "../../../evidence/smtlib/defects.ts";
import type { Fault } from "../../../kernel/fault.ts";
import type { Plan } from "../plan.ts";
import { type Command, excerpt, refusal, type Script } from "../script/commands.ts";
import { optionName } from "../script/options.ts";
import { logicOf } from "./theories.ts";

/** The reason why a solver can't handle a script. */
export interface Obstacle {
  /** What the solver lacks, such as "integers". */
  readonly what: string;
  readonly node: Node | undefined;
}

type Reader = Pick<SmtSolver, "name" | "title" | "dialect">;

/** Returns what a solver whose dialect differs from Z3's can't do in this script; undefined if it can do everything. */
export function obstacleFor({ dialect }: Reader, script: Script): Obstacle | undefined {
  if (!dialect) return undefined;
  const { commands } = script;
  const beyond = commands.find(
    (command) => !isSetting(command) && (!isStandard(command, dialect.commands) || isOfZ3(command)),
  );
  if (beyond) return { what: `\`${excerpt(script.text, beyond.node)}\``, node: beyond.node };
  if (hasGlobalDeclarations(commands)) return { what: "declarations that outlive a (pop)", node: undefined };
  const missing = [...script.contents.theories].filter((theory) => !dialect.theories.has(theory));
  return missing.length > 0 ? { what: missing.join(", "), node: undefined } : undefined;
}

/**
 * Whether a solver may answer a script although the call did not name it. It may if it can do everything in the script,
 * each symbol has the same meaning for it, and no option is meant for Z3.
 */
export function isAtHome(solver: Reader, script: Script): boolean {
  const speaks_to_z3 = script.commands.some(({ head, node }) => head === "set-option" && !isHarmless(node.items[1]));
  return !speaks_to_z3 && script.contents.foreign === undefined && obstacleFor(solver, script) === undefined;
}

/** Adapts the plan to a solver with another dialect; Z3's own plan stays unchanged. */
export function planFor({ name, title, dialect }: Reader, plan: Plan): Plan {
  if (!dialect) return plan;
  const { commands } = plan.script;
  const checks = plan.steps.filter(({ kind }) => kind === "check").length;
  const incremental =
    checks > 1 || commands.some(({ head }) => /^(push|pop|reset-assertions|check-sat-a.*)$/.test(head));
  const dropped = commands.filter(({ head, node }) => head === "set-option" && !isHarmless(node.items[1]));
  return {
    ...plan,
    defects: defectsOf(plan.defects, name),
    prologue: dialect.prologue({ logic: logicOf(plan.script.contents), cores: plan.wants_core, incremental }),
    steps: plan.steps.filter(({ command }) => !command || !isSetting(command)),
    warnings: [
      ...plan.warnings,
      ...dropped.map(
        ({ line, node }) => `Line ${line}: ${excerpt(plan.script.text, node)} was omitted: ${title} gets no options.`,
      ),
    ],
  };
}

/** Creates the fault for a script that the named engine can't handle. */
export function cannotTake(
  { title }: Reader,
  { what, node }: Obstacle,
  script: Script,
  able: readonly string[],
): Fault {
  const others = able.map((name) => `engine: "${name}"`).join(" or ");
  return refusal(script.lines, node, `${title} does not have ${what}`, [
    `use ${others}`,
    'or leave engine out: "auto" begins with Z3',
  ]);
}

function isStandard({ head }: Command, more: ReadonlySet<string>): boolean {
  return standard_commands.has(head) || more.has(head);
}

/** Whether a standard command has a form that only Z3 accepts. */
function isOfZ3({ head, node }: Command): boolean {
  const [, first, second] = node.items;
  if (head === "check-sat" || head === "get-model") return first !== undefined;
  if (head === "declare-datatypes")
    return itemsOf(first).length === 0 || first?.kind !== "list" || !isNewForm(first.items);
  return (head === "push" || head === "pop") && second !== undefined;
}

function isNewForm(heads: readonly Node[]): boolean {
  return heads.every((head) => head.kind === "list");
}

/**
 * Whether a command sets an info or an option. A logic that is still in the script (HORN) does not count, since it
 * selects another Z3 engine.
 */
export function isSetting({ head }: Command): boolean {
  return head === "set-option" || head === "set-info";
}

/** Whether an option only asks for something that is provided anyway. */
function isHarmless(key: Node | undefined): boolean {
  const name = key?.kind === "keyword" ? optionName(key.text) : nameOf(key);
  return /^(produce_(models|unsat_cores|unsat_assumptions|assertions|assignments)|print_success|interactive_mode)$/.test(
    name ?? "",
  );
}
