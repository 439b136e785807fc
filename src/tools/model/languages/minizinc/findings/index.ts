import { cut } from "../../../../../kernel/text/cut.ts";
import { Lines } from "../../../../../kernel/text/lines.ts";
import { charsOf } from "../../../items/items.ts";
import type { Model } from "../model.ts";
import type { Data } from "../source/data.ts";
import type { Statement, Token } from "../source/source.ts";
import { placed } from "../source/source.ts";
import { twice } from "./duplicates.ts";
import { bare, type Declared, declaredIn, isBounded, wordsIn } from "./names.ts";

/** Longer models are not looked through: it would take as long as reading them. */
const chars_max = 200_000;

/** What looks wrong in a whole model, as sentences with their places. Nothing of it is solved. */
export function findingsOf(model: Pick<Model, "items" | "statements" | "goal">, data: Data = {}): string[] {
  const { items, statements } = model;
  if (charsOf(items) > chars_max) return [];
  const declared = declaredIn(statements);
  const names = new Set(declared.map(({ name }) => name));
  const all = [
    ...untouchedObjective(model, declared),
    ...unused(statements, declared, data),
    ...twice(statements, items, names),
  ];
  return all.map(({ statement: { item }, token, text }) => {
    const position = { item, ...new Lines(items[item] ?? "").at(token.start) };
    return `${placed(position)}${text}`;
  });
}

/** Something that was found, and where. */
export interface Found {
  readonly statement: Statement;
  readonly token: Token;
  readonly text: string;
}

/** Names that nothing uses, and variables that only the output uses. */
function unused(statements: readonly Statement[], declared: readonly Declared[], data: Data): Found[] {
  const users = usersIn(statements);
  const assigned = new Set(
    statements.flatMap(({ tokens: [first, sign] }) => (first && sign?.text === "=" ? [bare(first.text)] : [])),
  );
  return declared.flatMap((each): Found[] => {
    const { statement, name, token, is_variable, value } = each;
    const others = (users.get(name) ?? []).filter((user) => user !== statement);
    const is_stated = others.some(({ tokens: [first] }) => first?.text !== "output");
    if (is_variable)
      return value.length > 0 || assigned.has(name) || is_stated
        ? []
        : [
            {
              statement,
              token,
              text: `no constraint and no objective has ${name}: it can have any value of its domain.`,
            },
          ];
    const number = writtenOut(each, data, statements);
    if (others.length > 0 || (number === "" && !isData(each, data))) return [];
    return [{ statement, token, text: `nothing uses the parameter ${name}.${number}` }];
  });
}

/** Whether a parameter is data of the problem: constants, index sets, labels and annotations can be there for a reader. */
function isData({ name, type, value }: Declared, data: Data): boolean {
  if (Object.hasOwn(data, name)) return true;
  const words = type.map(({ text }) => text);
  return words[0] === "array" && !words.some((word) => /^(?:string|ann)$/.test(word)) && value.length > 1;
}

/** The statements that use each name. */
function usersIn(statements: readonly Statement[]): ReadonlyMap<string, readonly Statement[]> {
  const users = new Map<string, Statement[]>();
  for (const statement of statements)
    for (const name of new Set(usedIn(statement))) {
      const known = users.get(name);
      if (known) known.push(statement);
      else users.set(name, [statement]);
    }
  return users;
}

/** The names that a statement uses: an assignment does not use what it assigns, and a search annotation states nothing. */
function usedIn({ tokens }: Statement): string[] {
  const [first, second] = tokens;
  if (first?.kind === "word" && second?.text === "=") return wordsIn(tokens.slice(1));
  if (first?.text !== "solve") return wordsIn(tokens);
  const goal = tokens.findIndex(({ text }) => /^(?:satisfy|minimize|maximize)$/.test(text));
  return wordsIn(tokens.slice(Math.max(goal, 0)));
}

/** A number of at least two digits that stands in a constraint in place of an unused parameter with this value. */
function writtenOut({ name, value }: Declared, data: Data, statements: readonly Statement[]): string {
  const [first, ...others] = value;
  const number = others.length === 0 && first?.kind === "number" ? first.text : data[name];
  if (typeof number !== "number" && typeof number !== "string") return "";
  const written = String(number);
  if (!/^\d\d+$/.test(written)) return "";
  const is_written = statements.some(
    ({ tokens }) => /^(?:constraint|solve)$/.test(tokens[0]?.text ?? "") && tokens.some(({ text }) => text === written),
  );
  return is_written ? ` A constraint has its value ${written} as a number.` : "";
}

/**
 * An objective whose variables no constraint has: its best value follows from domains alone. Functions of the model can
 * state constraints of their own, so a model that has some is not judged.
 */
function untouchedObjective(
  { statements, goal, items }: Pick<Model, "statements" | "goal" | "items">,
  declared: readonly Declared[],
): Found[] {
  if (goal !== "minimize" && goal !== "maximize") return [];
  const solve = statements.find(({ tokens }) => tokens[0]?.text === "solve");
  const at = solve?.tokens.findIndex(({ text }) => text === goal) ?? -1;
  const word = solve?.tokens[at];
  if (!solve || !word || statements.some(({ tokens }) => /^(?:predicate|function|test)$/.test(tokens[0]?.text ?? "")))
    return [];
  const named = closure(wordsIn(solve.tokens.slice(at + 1)), declared, statements);
  if (named.size === 0) return [];
  const touches = statements.some(({ tokens }) => {
    const [first, second] = tokens;
    if (first?.text === "constraint") return wordsIn(tokens).some((each) => named.has(each));
    if (first?.kind === "word" && second?.text === "=") return wordsIn(tokens.slice(2)).some((each) => named.has(each));
    return false;
  });
  // A bounded variable with a value states that the value is within the bounds.
  const is_bounded = declared.some(
    ({ is_variable, type, value }) =>
      is_variable && value.length > 0 && isBounded(type) && wordsIn(value).some((each) => named.has(each)),
  );
  if (touches || is_bounded || /\blet\b/.test(items.join("\n"))) return [];
  const names = [...named].slice(0, 3).join(", ");
  const text = `no constraint has a variable of the objective (${cut(names, 60)}): its best value follows from the domains alone.`;
  return [{ statement: solve, token: word, text }];
}

/** The variables among some names, and those of which their values are made. */
function closure(
  names: readonly string[],
  declared: readonly Declared[],
  statements: readonly Statement[],
): ReadonlySet<string> {
  const variables = new Map(declared.filter(({ is_variable }) => is_variable).map((each) => [each.name, each]));
  const found = new Set<string>();
  const open = [...names];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const own = variables.get(next);
    if (!own || found.has(next)) continue;
    found.add(next);
    const assigned = statements.filter(
      ({ tokens: [first, sign] }) => bare(first?.text ?? "") === next && sign?.text === "=",
    );
    open.push(...wordsIn(own.value), ...assigned.flatMap(({ tokens }) => wordsIn(tokens.slice(2))));
  }
  return found;
}
