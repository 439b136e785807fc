import { headOf, type List, type Node, nameOf, walk } from "../../../engines/smt/sexpr.ts";
import type { Command } from "./commands.ts";

/** The assertions that are in force after these commands. */
export function assertionsInForce(commands: readonly Command[]): Command[] {
  return inForce(commands, (head) => head === "assert");
}

/** Those commands of one kind that are in force after all of these, as push and pop leave them. */
export function inForce(commands: readonly Command[], isOfKind: (head: string) => boolean): Command[] {
  let levels: Command[][] = [[]];
  for (const command of commands) {
    const { head, node } = command;
    if (isOfKind(head)) levels.at(-1)?.push(command);
    else if (head === "reset") levels = [[]];
    else levels = levelsOf(levels, head, node, () => []);
  }
  return levels.flat();
}

const levels_max = 10_000;

/** The levels of a stack after a push, a pop or a reset of the assertions; other commands do not change it. */
export function levelsOf<Level>(levels: Level[], head: string, node: List, empty: () => Level): Level[] {
  if (head === "push") return [...levels, ...Array.from({ length: Math.min(count(node), levels_max) }, empty)];
  if (head === "pop") return levels.slice(0, Math.max(1, levels.length - count(node)));
  return head === "reset-assertions" ? [empty()] : levels;
}

function count(node: List): number {
  const number = node.items[1];
  return number?.kind === "literal" ? Number(number.text) : 1;
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
