import type { Statement, Token } from "../../../../../evidence/asp/tokens.ts";
import type { Items } from "../../../items/items.ts";
import { derives, predicatesIn, sidesOf } from "../head_bounds.ts";
import type { AspProgram } from "../program.ts";
import { type Found, placed } from "./source.ts";

/**
 * Finds unused constants, and predicates that are defined only by facts and used by no rule. If `#show` restricts the
 * output, also finds derived predicates that are neither shown nor used. Items beyond the model's own items are its
 * data.
 */
export function unused({ statements }: Pick<AspProgram, "statements">, items: Items): string[] {
  const used = new Set(statements.flatMap(({ tokens }) => namesUsed(tokens)));
  const selects = statements.some(({ tokens }) => tokens[0]?.text === "#show");
  const has_rules = statements.some(({ tokens }) => derives(tokens) && !isFact(tokens));
  const ruled = new Set(statements.flatMap(({ tokens }) => (isFact(tokens) ? [] : derived(tokens))));
  const named = new Set<string>();
  const found = statements.flatMap((statement): Found[] => {
    const { tokens, item } = statement;
    const is_constant = tokens[0]?.text === "#const";
    const names = is_constant ? [tokens[1]?.text ?? ""] : derived(tokens);
    return names.flatMap((name): Found[] => {
      if (used.has(name) || named.has(name)) return [];
      const is_idle = is_constant || (ruled.has(name) ? selects : has_rules && takesTerms(statement));
      if (!is_idle) return [];
      named.add(name);
      if (item >= items.length) return [{ text: `Nothing in the program uses the data ${name}.` }];
      const what = is_constant ? "the constant " : "";
      const rest = ruled.has(name) ? ", and it is not shown" : "";
      return [{ statement, text: `nothing uses ${what}${name}${rest}.` }];
    });
  });
  return placed(found, items);
}

/**
 * The predicates that a rule or a fact derives, excluding predicates in choices and conditions, which count as used.
 */
function derived(tokens: readonly Token[]): string[] {
  const [head] = sidesOf(tokens);
  return derives(tokens) && !isOpen(head) ? [...predicatesIn(head)] : [];
}

/** All names in a statement, except the predicates derived by that statement. */
function namesUsed(tokens: readonly Token[]): string[] {
  const namesIn = (part: readonly Token[]) => part.flatMap(({ kind, text }) => (kind === "name" ? [text] : []));
  if (tokens[0]?.text === "#const") return namesIn(tokens.slice(2));
  const [head, body] = sidesOf(tokens);
  if (!derives(tokens) || isOpen(head)) return namesIn(tokens);
  let depth = 0;
  const inside = head.filter(({ text }) => {
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    return depth > 0;
  });
  return namesIn([...inside, ...body]);
}

function isOpen(head: readonly Token[]): boolean {
  return head.some(({ text }) => text === "{" || text === ":");
}

function isFact(tokens: readonly Token[]): boolean {
  return derives(tokens) && !isOpen(tokens) && !tokens.some(({ text }) => text === ":-");
}

function takesTerms({ tokens }: Statement): boolean {
  return tokens.some(({ text }) => text === "(");
}
