import type { Statement } from "../../../../evidence/asp/tokens.ts";
import { partsOf, type Token } from "../../../../evidence/asp/tokens.ts";

/**
 * Converts clingo's costs, which are always minimised, to the objective as the program states it, and back. At a level
 * with only `#maximize`, clingo's cost is negated.
 */
export type Turn = (costs: readonly number[]) => readonly number[];

interface Goals {
  /** Whether all goals are `#maximize`, or none is. */
  readonly is_one_way: boolean;
  /**
   * The levels, highest first, and for each whether it has only `#maximize` goals; undefined if a level is not written
   * as a number.
   */
  readonly levels: readonly { readonly level: number; readonly is_largest: boolean }[] | undefined;
}

/** Returns the conversion between clingo's costs and the objective shown to the client. */
export function turnOf(statements: readonly Statement[]): Turn {
  const { is_one_way, levels } = goalsOf(statements);
  const [first] = levels ?? [];
  if (is_one_way) return first?.is_largest ? (costs) => costs.map(negate) : (costs) => costs;
  return (costs) => costs.map((cost, i) => (levels?.[i]?.is_largest ? negate(cost) : cost));
}

/**
 * Builds rules that make clingo report a cost at each level; otherwise it omits levels at which nothing can have a
 * cost.
 */
export function rulesOfLevels(statements: readonly Statement[]): string[] {
  const { is_one_way, levels } = goalsOf(statements);
  if (is_one_way || !levels) return [];
  return [`#minimize { ${levels.map(({ level }) => `0@${level}`).join("; ")} }.`];
}

/** Returns a note if the signs of the objective's values are unknown. */
export function objectiveNote(statements: readonly Statement[]): string[] {
  const { is_one_way, levels } = goalsOf(statements);
  if (is_one_way || levels) return [];
  return [
    "The objective has #maximize and #minimize at levels that are not written as numbers, so its values are clingo's costs: all are minimised, and #maximize counts negatively. Write each level as a number (weight@2) to see the values themselves.",
  ];
}

/** A level above all the objective's levels; undefined if one of these is not written as a number. */
export function levelAbove(statements: readonly Statement[]): number | undefined {
  const levels = goalElements(statements).map(levelOf);
  return levels.some(Number.isNaN) ? undefined : Math.max(0, ...levels) + 1;
}

/** The levels at which clingo reports costs; undefined if a level is not written as a number. */
export function levelsOf(statements: readonly Statement[]): readonly number[] | undefined {
  const levels = [...new Set(goalElements(statements).map(levelOf))];
  return levels.some(Number.isNaN) ? undefined : levels;
}

/** An element of an objective: `weight@level, key : condition`. */
export interface Goal {
  readonly statement: Statement;
  readonly is_largest: boolean;
  readonly tuple: readonly Token[];
  readonly weight: readonly Token[];
  readonly level: readonly Token[] | undefined;
  readonly key: readonly (readonly Token[])[];
  readonly condition: readonly Token[];
}

/** The weak constraints of a program, and the elements of its `#minimize` and `#maximize` statements. */
export function goalElements(statements: readonly Statement[]): Goal[] {
  return statements.flatMap((statement) => {
    const { tokens } = statement;
    const directive = tokens[0]?.text ?? "";
    if (!/^(:~|#minimi[sz]e|#maximi[sz]e)$/.test(directive)) return [];
    return elementsOf(tokens).map(([tuple, condition]) => {
      const [first = [], ...key] = partsOf(tuple, ",");
      const [weight = [], level] = partsOf(first, "@");
      return { statement, is_largest: directive.startsWith("#max"), tuple, weight, level, key, condition };
    });
  });
}

function goalsOf(statements: readonly Statement[]): Goals {
  const goals = goalElements(statements).map((goal) => ({ level: levelOf(goal), is_largest: goal.is_largest }));
  const is_one_way = goals.every(({ is_largest }) => is_largest === goals[0]?.is_largest);
  const numbers = [...new Set(goals.map(({ level }) => (is_one_way ? 0 : level)))].toSorted((a, b) => b - a);
  const at = (level: number) => goals.filter((goal) => is_one_way || goal.level === level);
  const levels = numbers.map((level) => ({ level, is_largest: at(level).every(({ is_largest }) => is_largest) }));
  return { is_one_way, levels: numbers.some(Number.isNaN) ? undefined : levels };
}

/**
 * An objective's tuples with their conditions; they are written between braces, or in brackets after a weak
 * constraint's body.
 */
function elementsOf(tokens: readonly Token[]): [tuple: readonly Token[], condition: readonly Token[]][] {
  if (tokens[0]?.text === ":~") {
    const open = tokens.findLastIndex(({ text }) => text === "[");
    return [[tokens.slice(open + 1, -1), tokens.slice(1, open - 1)]];
  }
  const elements = partsOf(tokens.slice(2, -2), ";").filter((element) => element.length > 0);
  return elements.map((element) => {
    const [tuple = [], condition = []] = partsOf(element, ":");
    return [tuple, condition];
  });
}

/** The level of an element: 0 if it has none, and NaN if it is not written as a number. */
function levelOf({ level }: Goal): number {
  if (!level) return 0;
  const text = level.map((token) => token.text).join("");
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function negate(cost: number): number {
  return cost === 0 ? 0 : -cost;
}
