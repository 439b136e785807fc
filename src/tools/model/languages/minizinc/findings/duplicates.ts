import type { Items } from "../../../items/items.ts";
import { bodyOf, loopsOf } from "../source/loops.ts";
import type { Statement } from "../source/source.ts";
import { isEnclosed, outside, parted, type Token, type Tokens } from "../source/tokens.ts";
import type { Found } from "./index.ts";

/**
 * Longer constraints are not compared: nobody writes them twice by mistake, and deeply nested brackets take long to
 * read.
 */
const tokens_max = 400;

/** Constraints that are stated twice, and loops that state each pair in both orders. */
export function twice(statements: readonly Statement[], items: Items, names: ReadonlySet<string>): Found[] {
  const first = new Map<string, Statement>();
  return statements.flatMap((statement): Found[] => {
    const [word] = statement.tokens;
    if (word?.text !== "constraint" || statement.tokens.length > tokens_max) return [];
    const found = (text: string) => [{ statement, token: word, text }];
    const form = formOf(statement.tokens.slice(1, -1), names);
    const before = first.get(form);
    if (before) return found(`this constraint is the same as that of ${place(before)}.`);
    first.set(form, statement);
    const pair = pairIn(statement, items[statement.item] ?? "");
    if (!pair) return [];
    const [one, other] = pair;
    return found(`each pair is stated twice, as (${one}, ${other}) and (${other}, ${one}): write ${one} < ${other}.`);
  });
}

function place({ item, line }: Statement): string {
  return `item ${item}, line ${line}`;
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

/** The two variables of a loop `i, j in S where i != j` whose body states the same for (i, j) and for (j, i). */
function pairIn(statement: Statement, item: string): readonly [string, string] | undefined {
  const loops = loopsOf(statement, item);
  const [generator = "", more] = loops?.generators ?? [];
  const [, one, other, domain, left, right] =
    /^\s*(\w+)\s*,\s*(\w+)\s+in\s+(.+?)\s+where\s+(\w+)\s*!=\s*(\w+)\s*$/s.exec(generator) ?? [];
  if (one === undefined || other === undefined || more !== undefined || domain === undefined) return undefined;
  const is_other = [left, right].toSorted().join() === [one, other].toSorted().join();
  if (!is_other || parted(bodyTokens(domain)).length > 1) return undefined;
  const body = bodyOf(statement, item);
  const swapped = body.map((each) => ({
    ...each,
    text: each.text === one ? other : each.text === other ? one : each.text,
  }));
  return turned(unwrapped(body)) === turned(unwrapped(swapped)) ? [one, other] : undefined;
}

function bodyTokens(text: string): Token[] {
  return text.split(/\s*(,)\s*/).map((each) => ({ kind: each === "," ? "sign" : "word", text: each, start: 0 }));
}
