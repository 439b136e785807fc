import { headOf, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import { Levels } from "../../../evidence/smtlib/declarations.ts";
import type { Command } from "./commands.ts";

/** Those commands of one kind that are in force after all of these, as push and pop leave them. */
export function inForce(commands: readonly Command[], isOfKind: (head: string) => boolean): Command[] {
  const levels = new Levels<Command>();
  for (const command of commands) {
    if (isOfKind(command.head)) levels.add(command);
    else levels.follow(command);
  }
  return levels.items;
}

/** The formula of `(assert F)`, with or without a name; undefined for another form. */
export function formulaOf(command: Command | undefined): Node | undefined {
  return command?.head === "assert" && command.node.items.length === 2 ? command.node.items[1] : undefined;
}

/** The symbol in `(! F :named symbol)`: the last one, as Z3 has it in cores. */
export function nameNodeOf(formula: Node | undefined): Node | undefined {
  if (formula?.kind !== "list" || headOf(formula) !== "!") return undefined;
  const at = formula.items.findLastIndex((item) => item.kind === "keyword" && item.text === ":named");
  return at < 0 ? undefined : formula.items[at + 1];
}

/** The name in `(! F :named name)`. */
export function nameGiven(formula: Node | undefined): string | undefined {
  return nameOf(nameNodeOf(formula));
}

/** The formula without the annotations around it: F of `(! F …)`. */
export function withoutAnnotations(formula: Node): Node {
  let bare = formula;
  while (bare.kind === "list" && headOf(bare) === "!" && bare.items[1]) bare = bare.items[1];
  return bare;
}

/** Whether a name is given somewhere in this formula: then it can't be written twice. */
export function hasName(node: Node): boolean {
  for (const each of walk(node)) if (each.kind === "keyword" && each.text === ":named") return true;
  return false;
}
