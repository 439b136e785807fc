import { assignedIn, type Declaration, declarationsIn } from "../../../../evidence/minizinc/declarations.ts";
import { type Statement, solveItemOf } from "../../../../evidence/minizinc/statements.ts";
import { bare, isEnclosed, outside, placed, type Token, type Tokens } from "../../../../evidence/minizinc/tokens.ts";
import { cut } from "../../../../kernel/text/cut.ts";
import { Lines } from "../../../../kernel/text/lines.ts";
import { charsOf } from "../../items/items.ts";
import type { Model } from "./model.ts";
import type { Data } from "./source/data.ts";

/** Longer models are not examined, since it would take as long as reading them. */
const chars_max = 200_000;
/** Nobody reads more findings. */
const found_max = 50;

/** Suspicious parts of a whole model, as sentences with their positions. Nothing is solved. */
export function findingsOf(model: Pick<Model, "items" | "statements">, data: Data = {}): string[] {
  const { items, statements } = model;
  if (charsOf(items) > chars_max) return [];
  const declared = declarationsIn(statements)
    .filter(({ type: [first] }) => !/^(?:any|tuple|record)$/.test(first?.text ?? ""))
    .map((each): Declared => ({ ...each, token: each.name, name: bare(each.name.text) }));
  const names = new Set(declared.map(({ name }) => name));
  const all = [
    ...untouchedObjective(model, declared),
    ...unused(statements, declared, data),
    ...twice(statements, names),
  ];
  const lines = new Map<number, Lines>();
  return all.slice(0, found_max).map(({ statement: { item }, token, text }) => {
    const own = lines.get(item) ?? new Lines(items[item] ?? "");
    lines.set(item, own);
    return `${placed({ item, ...own.at(token.start) })}${text}`;
  });
}

/** A declaration with a plain type, and its name without quotes. */
interface Declared extends Omit<Declaration, "name"> {
  readonly name: string;
  readonly token: Token;
}

/** A finding and its position. */
interface Found {
  readonly statement: Statement;
  readonly token: Token;
  readonly text: string;
}

/** Unused names, and variables used only by the output. */
function unused(statements: readonly Statement[], declared: readonly Declared[], data: Data): Found[] {
  const users = usersIn(statements);
  const assigned = new Set([...assignedIn(statements)].map(bare));
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
              text: `no constraint or objective contains ${name}: it can have any value in its domain.`,
            },
          ];
    const number = writtenOut(each, data, statements);
    if (others.length > 0 || (number === "" && !isData(each, data))) return [];
    return [{ statement, token, text: `nothing uses the parameter ${name}.${number}` }];
  });
}

/**
 * Whether a parameter is data of the problem; constants, index sets, labels and annotations may be there only for
 * readers.
 */
function isData({ name, type, value }: Declared, data: Data): boolean {
  if (Object.hasOwn(data, name)) return true;
  const words = type.map(({ text }) => text);
  return words[0] === "array" && !words.some((word) => /^(?:string|ann)$/.test(word)) && value.length > 1;
}

/** The statements that use each name. */
function usersIn(statements: readonly Statement[]): ReadonlyMap<string, readonly Statement[]> {
  const users = new Map<string, Statement[]>();
  for (const statement of statements) for (const name of new Set(usedIn(statement))) append(users, name, statement);
  return users;
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/**
 * The names used by a statement: an assignment does not use its target, and a search annotation does not constrain
 * anything.
 */
function usedIn(statement: Statement): string[] {
  const { tokens } = statement;
  const [first, second] = tokens;
  if (first?.kind === "word" && second?.text === "=") return wordsIn(tokens.slice(1));
  return wordsIn(solveItemOf([statement])?.objective ?? tokens);
}

/**
 * A number of at least two digits in a constraint that may have been written instead of an unused parameter with this
 * value.
 */
function writtenOut({ name, value }: Declared, data: Data, statements: readonly Statement[]): string {
  const [first, ...others] = value;
  const number = others.length === 0 && first?.kind === "number" ? first.text : data[name];
  if (typeof number !== "number" && typeof number !== "string") return "";
  const written = String(number);
  if (!/^\d\d+$/.test(written)) return "";
  const is_written = statements.some(
    ({ tokens }) => /^(?:constraint|solve)$/.test(tokens[0]?.text ?? "") && tokens.some(({ text }) => text === written),
  );
  return is_written ? ` A constraint contains its value ${written} as a literal.` : "";
}

/**
 * An objective whose variables occur in no constraint, so that its optimum follows from the domains alone. Functions
 * defined in the model can add constraints, so a model with any is not examined.
 */
function untouchedObjective(
  { statements, items }: Pick<Model, "statements" | "items">,
  declared: readonly Declared[],
): Found[] {
  const { statement: solve, word, objective = [] } = solveItemOf(statements) ?? {};
  const has_functions = statements.some(({ tokens }) => /^(?:predicate|function|test)$/.test(tokens[0]?.text ?? ""));
  if (!solve || !word || word.text === "satisfy" || has_functions) return [];
  const values = valuesOf(declared, statements);
  const named = madeOf(wordsIn(objective), values);
  if (named.size === 0) return [];
  const reached = withUsers(named, values);
  const touches = statements.some(({ tokens }) => {
    const [first, second] = tokens;
    if (first?.text === "constraint") return wordsIn(tokens).some((each) => reached.has(each));
    if (first?.kind === "word" && second?.text === "=")
      return wordsIn(tokens.slice(2)).some((each) => reached.has(each));
    return false;
  });
  // Giving a bounded variable a value implies that the value is within its bounds.
  const is_bounded = declared.some(
    ({ is_variable, type, value }) =>
      is_variable && value.length > 0 && isBounded(type) && wordsIn(value).some((each) => reached.has(each)),
  );
  if (touches || is_bounded || /\blet\b/.test(items.join("\n"))) return [];
  const names = [...named].slice(0, 3).join(", ");
  const text = `no constraint contains a variable of the objective (${cut(names, 60)}): its best value follows from the domains alone.`;
  return [{ statement: solve, token: word, text }];
}

/** The variables of a model, each with the names in its definition. */
type ValueWords = ReadonlyMap<string, readonly string[]>;

function valuesOf(declared: readonly Declared[], statements: readonly Statement[]): ValueWords {
  const variables = declared.filter(({ is_variable }) => is_variable);
  const words = new Map(variables.map(({ name, value }) => [name, wordsIn(value)]));
  for (const { tokens } of statements) {
    const [first, sign] = tokens;
    if (sign?.text === "=") words.get(bare(first?.text ?? ""))?.push(...wordsIn(tokens.slice(2)));
  }
  return words;
}

/** The variables among some names, and those used in their definitions. */
function madeOf(names: readonly string[], values: ValueWords): ReadonlySet<string> {
  return reachedFrom(
    names.filter((name) => values.has(name)),
    (name) => (values.get(name) ?? []).filter((word) => values.has(word)),
  );
}

/** These variables, and all variables whose definitions use them. */
function withUsers(names: ReadonlySet<string>, values: ValueWords): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [name, words] of values) for (const word of words) append(users, word, name);
  return reachedFrom([...names], (name) => users.get(name) ?? []);
}

function reachedFrom(names: readonly string[], next: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  // Members added to a set during iteration are visited, too.
  for (const name of found) for (const each of next(name)) found.add(each);
  return found;
}

/** The names among some tokens, without quotes; including those in strings, which can contain expressions. */
function wordsIn(tokens: Tokens): string[] {
  return tokens.flatMap(({ kind, text }) => {
    if (kind === "word") return [bare(text)];
    return kind === "string" && text.includes("\\(") ? (text.match(/[A-Za-z_]\w*/g) ?? []) : [];
  });
}

/** Whether a type bounds its values, as `0..9` does but `int` doesn't. */
function isBounded(type: Tokens): boolean {
  const elements = type.slice(type.findIndex(({ text }) => text === "var") + 1);
  return !elements.every(({ text }) => /^(?:int|float|bool)$/.test(text));
}

/**
 * Longer constraints are not compared: nobody writes them twice by mistake, and deeply nested brackets take long to
 * read.
 */
const tokens_max = 400;

/** Constraints that are stated twice. */
function twice(statements: readonly Statement[], names: ReadonlySet<string>): Found[] {
  const first = new Map<string, Statement>();
  return statements.flatMap((statement): Found[] => {
    const [word] = statement.tokens;
    if (word?.text !== "constraint" || statement.tokens.length > tokens_max) return [];
    const form = formOf(statement.tokens.slice(1, -1), names);
    const before = first.get(form);
    if (!before) {
      first.set(form, statement);
      return [];
    }
    const place = `item ${before.item}, line ${before.line}`;
    return [{ statement, token: word, text: `this constraint is the same as that of ${place}.` }];
  });
}

/** A constraint in normal form: without spaces, with numbered loop variables, and with comparisons in one direction. */
function formOf(tokens: Tokens, names: ReadonlySet<string>): string {
  const plain = unwrapped(tokens);
  const numbers = new Map<string, string>();
  plain.forEach(({ text }, i) => {
    const is_bound = plain[i + 1]?.text === "in" && !names.has(text);
    if (is_bound && !numbers.has(text)) numbers.set(text, `$${numbers.size}`);
  });
  return turned(plain.map((each) => ({ ...each, text: numbers.get(each.text) ?? each.text })));
}

/** Further enclosing brackets are kept, since removing each level requires a pass over the whole constraint. */
const wrapped_max = 8;

function unwrapped(tokens: Tokens): Tokens {
  let inside = tokens;
  for (let level = 0; level < wrapped_max; level++) {
    if (inside[0]?.text !== "(" || !isEnclosed(inside)) break;
    inside = inside.slice(1, -1);
  }
  return inside;
}

const turns: Readonly<Record<string, string>> = { ">": "<", ">=": "<=", "=": "=", "==": "=", "!=": "!=" };

/** The normal form of an expression that is a single comparison: one of its two orders. */
function turned(tokens: Tokens): string {
  const texts = tokens.map(({ text }) => text);
  const [at, more] = outside(tokens, /^(?:<|<=|>|>=|=|==|!=)$/);
  const is_whole = outside(tokens, /^(?:\/\\|\\\/|->|<-|<->|xor|not|::?|in)$/).length === 0;
  if (at === undefined || more !== undefined || !is_whole) return texts.join(" ");
  const [left, right] = [texts.slice(0, at).join(" "), texts.slice(at + 1).join(" ")];
  const sign = texts[at] ?? "";
  const turn = turns[sign];
  if (turn === undefined) return `${left} ${sign} ${right}`;
  if (turn === "=" || turn === "!=") return [left, right].toSorted().join(` ${turn} `);
  return `${right} ${turn} ${left}`;
}
