import { headOf, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import { Levels } from "../../../evidence/smtlib/declarations.ts";
import type { Command } from "./commands.ts";

/** Returns the commands of one kind that are in force after all of these commands, considering push and pop. */
export function inForce(commands: readonly Command[], isOfKind: (head: string) => boolean): Command[] {
  const levels = new Levels<Command>();
  for (const command of commands) {
    if (isOfKind(command.head)) levels.add(command);
    else levels.follow(command);
  }
  return levels.items;
}

/** Returns the formula in `(assert F)`, with or without a name; undefined for any other form. */
export function formulaOf(command: Command | undefined): Node | undefined {
  return command?.head === "assert" && command.node.items.length === 2 ? command.node.items[1] : undefined;
}

/** Returns the symbol in `(! F :named symbol)`; of several, the last one, as Z3 uses it in cores. */
export function nameNodeOf(formula: Node | undefined): Node | undefined {
  if (formula?.kind !== "list" || headOf(formula) !== "!") return undefined;
  const at = formula.items.findLastIndex((item) => item.kind === "keyword" && item.text === ":named");
  return at < 0 ? undefined : formula.items[at + 1];
}

/** Returns the name in `(! F :named name)`. */
export function nameGiven(formula: Node | undefined): string | undefined {
  return nameOf(nameNodeOf(formula));
}

/** Removes the annotations around a formula: `(! F …)` becomes F. */
export function withoutAnnotations(formula: Node): Node {
  let bare = formula;
  while (bare.kind === "list" && headOf(bare) === "!" && bare.items[1]) bare = bare.items[1];
  return bare;
}

/** Whether any part of this formula has a name, in which case the formula can't be written twice. */
export function hasName(node: Node): boolean {
  for (const each of walk(node)) if (each.kind === "keyword" && each.text === ":named") return true;
  return false;
}
