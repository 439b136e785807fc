import type { Account } from "../../../../../evidence/minizinc/evaluation.ts";
import { fixedAt } from "../../../../../evidence/minizinc/fixed.ts";
import type { Accepted } from "../../../../../evidence/minizinc/judge.ts";
import { compile } from "../../../../../evidence/minizinc/question.ts";
import { solveItemOf } from "../../../../../evidence/minizinc/statements.ts";
import { isEnclosed, outside, type Tokens, written } from "../../../../../evidence/minizinc/tokens.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import type { Term } from "../../../../../kernel/evidence.ts";
import { undefinedOnFailure } from "../../../../../kernel/fault.ts";
import { largestTerms } from "../../../solution/account.ts";
import type { Call, Model } from "../model.ts";
import { loopIn, valuesOf, variablesOf } from "../source/loops.ts";

/**
 * The share of the remaining time that the terms get, up to the maximum below; usually they take as long as reading the
 * model.
 */
const time_share = 0.1;
const time_ms_max = 1_000;
const term_chars_max = 100;
const mark = "terms by verdict";

/** A summand of an objective, as a range in an item's text. */
interface Summand {
  readonly sign: "+" | "-";
  readonly tokens: Tokens;
}

/**
 * Computes what each summand contributes to the objective in a solution. MiniZinc evaluates the summands with the
 * values as data, and a `sum` case by case. Empty if the objective is not a sum, or if it can't be evaluated in time.
 * Raises `cancelled`.
 */
export async function termsOf(call: Call, { reply, decision, finding }: Accepted): Promise<readonly Term[]> {
  const { model, run, context } = call;
  if (finding.account) return finding.account.terms;
  if (decision.kind !== "sat" || context.deadline.is_over) return [];
  const account = accountOf(model);
  const fixed = account && fixedAt(reply.question, decision.witness);
  if (!fixed) return [];
  const source = `${fixed.source}\nconstraint assert(false, ${account.written});\n`;
  const compiled = await compile(run, { source, data: fixed.data }, shortOf(context.deadline)).catch(
    undefinedOnFailure,
  );
  return account.read(compiled?.answer.errors[0]?.message ?? "") ?? [];
}

/** Returns the account of a model's objective; undefined if the objective is not a sum. */
export function accountOf(model: Model): Account | undefined {
  const { item, summands } = objectiveOf(model);
  if (summands.length === 0) return undefined;
  const text = model.items[item] ?? "";
  const named = summands.map(({ sign, tokens }) => {
    const loop = loopIn(tokens, "sum");
    const generators = loop ? ` | ${written(loop.generators, text)}` : "";
    const values = loop ? valuesOf(variablesOf(loop.generators)) : '""';
    const inner = bare(loop?.body ?? tokens);
    const body = written(inner, text);
    const is_negated_sum = sign === "-" && summandsOf(inner)?.length !== 1;
    const term = `${sign === "-" ? "- " : ""}${is_negated_sum ? `(${body})` : body}`;
    return { sign, body, term, values, generators };
  });
  const lists = named.map(
    ({ sign, body, values, generators }, i) =>
      `["\\n${i}\\t" ++ ${values} ++ "\\t" ++ show(0 ${sign} (${body}\n))${generators}]`,
  );
  return {
    written: `"${mark}" ++ concat(${lists.join(" ++ ")})`,
    read: (message) => {
      const [first, ...lines] = message.split("\n");
      if (first !== mark) return undefined;
      const terms = lines.map((line): Term => {
        const [index, values = "", cost] = line.split("\t");
        const term = short(named[Number(index)]?.term ?? "");
        return { term: values === "" ? term : `${term} (${short(values)})`, cost: Number(cost) };
      });
      return largestTerms(terms);
    },
  };
}

/** The time for an addition to an answer. */
export function shortOf(deadline: Deadline): Deadline {
  return deadline.atMost(Math.min(deadline.left_ms * time_share, time_ms_max));
}

/** Puts a text on one line, and truncates it if it is long. */
function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > term_chars_max ? `${line.slice(0, term_chars_max)}…` : line;
}

/** Removes the brackets around an expression. */
function bare(tokens: Tokens): Tokens {
  return tokens[0]?.text === "(" && isEnclosed(tokens) ? tokens.slice(1, -1) : tokens;
}

/**
 * Returns the objective's summands; if the objective is a single variable, the summands in its definition. Empty if it
 * is not a sum.
 */
function objectiveOf({ statements }: Model): { readonly item: number; readonly summands: readonly Summand[] } {
  const { statement, objective = [] } = solveItemOf(statements) ?? {};
  const [name, more] = objective;
  const defining = more ? undefined : statements.find(({ tokens }) => definitionOf(name?.text, tokens) !== undefined);
  const tokens = defining ? (definitionOf(name?.text, defining.tokens) ?? []) : objective;
  const summands = summandsOf(tokens) ?? [];
  const is_sum = summands.length > 1 || summands.some((each) => loopIn(each.tokens, "sum"));
  return { item: (defining ?? statement)?.item ?? 0, summands: is_sum ? summands : [] };
}

/** Returns the definition E of a variable in `var int: x = E;`, `x = E;` or `constraint x = E;`. */
function definitionOf(name: string | undefined, tokens: Tokens): Tokens | undefined {
  const sign = tokens.findIndex(({ text }) => text === "=" || text === "==");
  const is_own = sign > 0 && tokens[sign - 1]?.text === name;
  const before = tokens[sign - 2]?.text;
  if (!is_own || !(before === undefined || before === ":" || before === "constraint")) return undefined;
  return tokens.slice(sign + 1, -1);
}

/** Operators that bind less tightly than a sum, and keywords that start an expression. */
const other =
  /^(?:\/\\|\\\/|->|<-|<->|[<>=!]=?|<>|==|not|xor|if|let|in|subset|superset|union|intersect|diff|symdiff|:|\||\+\+|\.\.)$/;

/** Splits an expression at plus and minus signs outside brackets; undefined if the expression is not a sum. */
function summandsOf(tokens: Tokens): Summand[] | undefined {
  if (outside(tokens, other).length > 0) return undefined;
  // After another operator, or at the start, a sign belongs to its operand.
  const signs = outside(tokens, /^[-+]$/).filter(
    (i) => i > 0 && !/^(?:[-+*/^]|div|mod)$/.test(tokens[i - 1]?.text ?? ""),
  );
  return [-1, ...signs].map((at, i) => ({
    sign: tokens[at]?.text === "-" ? "-" : "+",
    tokens: tokens.slice(at + 1, signs[i]),
  }));
}
