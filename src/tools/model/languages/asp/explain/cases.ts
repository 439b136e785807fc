import type { GroundShortly } from "../../../../../engines/clingo/index.ts";
import { type Literal, scopesOf } from "../../../../../evidence/asp/scopes.ts";
import type { Statement, Token } from "../../../../../evidence/asp/tokens.ts";
import { type Edit, edited } from "../../../../../kernel/text/edits.ts";
import { joined } from "../../../items/item_lines.ts";
import { model_limits } from "../../../limits.ts";
import { byStatement, type Part as PartOf } from "../../../why/parts.ts";
import { termsIn } from "../answer_sets.ts";
import { openPredicates, predicatesIn } from "../head_bounds.ts";
import type { AspProgram } from "../program.ts";

/** The values of a statement's variables in one of its ground instances. */
interface Case {
  readonly variables: readonly string[];
  /** The values, in clingo's syntax. */
  readonly terms: string;
  readonly name: string;
}

export type Part = PartOf<Statement, Case>;

/**
 * Splits statements into parts: one part per case if grounding lists any cases, and not too many; otherwise the whole
 * statement.
 */
export async function partsOf(
  statements: readonly Statement[],
  program: AspProgram,
  ground: GroundShortly,
): Promise<Part[]> {
  const open = openPredicates(program.statements);
  const all = statements.map((statement) => ({ statement, variables: variablesOf(statement, open) }));
  const cases = all.map(() => new Map<string, Case>());
  const rules = all.map(({ statement, variables }, i) => caseRule(statement, variables, i, program));
  const is_whole = await ground(joined([...program.bare_items, ...rules]), (line) => {
    if (!line.startsWith(head)) return;
    const [number, ...terms] = termsIn(line.slice(head.length));
    const variables = all[Number(number)]?.variables ?? [];
    const name = variables.map((variable, i) => `${variable} = ${terms[i]}`).join(", ");
    const own = cases[Number(number)];
    if (own && own.size <= model_limits.cases_max) own.set(name, { variables, terms: terms.join(), name });
  });
  return all.flatMap(({ statement }, i): Part[] => {
    const own = [...(cases[i]?.values() ?? [])];
    const has_cases = is_whole && own.length > 0 && own.length <= model_limits.cases_max;
    return has_cases ? own.map((each) => ({ statement, case: each })) : [{ statement }];
  });
}

const head = "case_of_verdict(";

/**
 * Builds a rule that derives an atom for each case; empty if the statement has no cases, or if its bounds are stated
 * separately.
 */
function caseRule(
  { item, tokens, bounds }: Statement,
  variables: readonly string[],
  number: number,
  { bare_items }: AspProgram,
): string {
  const sign = tokens.find(({ text }) => text === ":-");
  if (variables.length === 0 || bounds || !sign) return "";
  return `${head}${[number, ...variables].join()}) ${(bare_items[item] ?? "").slice(sign.at, (tokens.at(-1)?.at ?? 0) + 1)}`;
}

/**
 * The variables of a statement that get their values from body atoms or ranges. If some of them get the same values in
 * every answer set, only those are returned. Values from aggregates do not define cases.
 */
function variablesOf({ tokens }: Statement, open: ReadonlySet<string>): readonly string[] {
  const isAtom = ([first, second]: readonly Token[]) => (first?.text === "-" ? second : first)?.kind === "name";
  const variablesIn = (literals: readonly Literal[]) => {
    const all = literals.flatMap((literal) =>
      literal.tokens.filter(({ kind, text }) => kind === "variable" && text !== "_"),
    );
    return [...new Set(all.map(({ text }) => text))];
  };
  const giving = scopesOf(tokens).whole.literals.filter(
    (literal) =>
      literal.elements.length === 0 && (isAtom(literal.tokens) || literal.tokens.some(({ text }) => text === "..")),
  );
  const known = variablesIn(
    giving.filter((literal) => ![...predicatesIn(literal.tokens)].some((name) => open.has(name))),
  );
  return known.length > 0 ? known : variablesIn(giving);
}

/**
 * Builds the program with only some of its parts. A statement that keeps only some cases gets an extra atom that holds
 * for these.
 */
export function textWith({ bare_items }: AspProgram, all: readonly Part[], kept: readonly Part[]): string {
  const left = byStatement(kept);
  const facts: string[] = [];
  const edits = [...byStatement(all)].flatMap(([{ item, tokens, bounds }, parts], i): Edit[] => {
    const own = left.get(parts[0]?.statement ?? { item, tokens }) ?? [];
    if (own.length === parts.length) return [];
    const [start, end] = [tokens[0]?.at ?? 0, tokens.at(-1)?.at ?? 0];
    const variables = own[0]?.case?.variables;
    if (!variables)
      return [{ start, end: end + 1 }, ...(bounds ? [bounds] : [])].map((range) => ({ item, ...range, text: "" }));
    facts.push(...own.map((part) => `kept_by_verdict(${i},${part.case?.terms}).`));
    return [{ item, start: end, end, text: `; kept_by_verdict(${[i, ...variables].join()})` }];
  });
  return joined([...edited(bare_items, edits), ...facts]);
}
