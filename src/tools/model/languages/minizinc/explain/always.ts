import { namesFloats } from "../../../../../evidence/flatzinc/trust.ts";
import { variablesIn } from "../../../../../evidence/minizinc/declarations.ts";
import { compile, type Question } from "../../../../../evidence/minizinc/question.ts";
import { type Statement, statementsOf } from "../../../../../evidence/minizinc/statements.ts";
import { bare, closingOf, outside, placed, type Tokens, written } from "../../../../../evidence/minizinc/tokens.ts";
import type { Deadline } from "../../../../../kernel/deadline.ts";
import { undefinedOnFailure } from "../../../../../kernel/fault.ts";
import { type Edit, edited } from "../../../../../kernel/text/edits.ts";
import { Lines } from "../../../../../kernel/text/lines.ts";
import type { Call } from "../model.ts";
import { bodyOf, loopsOf } from "../source/loops.ts";

/** Longer models, and models with more constraints, are not examined. */
const chars_max = 100_000;
const constraints_max = 200;
const mark = "truths by verdict";
const finding = "the domains of the variables alone make sure that this constraint is true: it excludes nothing.";

/**
 * Finds constraints that the domains and definitions of the variables alone make true, as sentences with their
 * positions. MiniZinc's compiler computes the bounds, in a model without any constraint. Empty if that model can't be
 * compiled in time. Raises `cancelled`.
 */
export async function alwaysTrue(
  { run, model }: Pick<Call, "run" | "model">,
  { source, data }: Pick<Question, "source" | "data">,
  deadline: Deadline,
): Promise<string[]> {
  if (source.length > chars_max || [source, ...data].some(namesFloats)) return [];
  const statements = statementsOf([source]);
  const variables = new Set(variablesIn(statements).map(({ name }) => bare(name.text)));
  const is_optional = statements.some(({ tokens }) => tokens.some(({ text }) => text === "opt"));
  const lines_of_source = new Lines(source);
  const asked = statements.flatMap(conjuncts).flatMap((statement) => {
    const test = is_optional ? undefined : testOf(statement, source, variables);
    return test === undefined ? [] : [{ line: lines_of_source.at(statement.tokens[1]?.start ?? 0).line, test }];
  });
  if (asked.length === 0 || asked.length > constraints_max) return [];
  const edits = statements
    .filter(({ tokens: [first] }) => /^(?:constraint|output|solve)$/.test(first?.text ?? ""))
    .map(({ start, end, tokens: [first] }): Edit => {
      return { item: 0, start, end, text: first?.text === "solve" ? "solve satisfy;" : "" };
    });
  // Within `if`, MiniZinc computes looser bounds.
  const lines = asked.map(({ test }) => `"\\n" ++ show(${test})`);
  const question = {
    source: `${edited([source], edits).join("")}\nconstraint assert(false, "${mark}" ++ concat([${lines.join(", ")}]));\n`,
    data,
  };
  const compiled = await compile(run, question, deadline).catch(undefinedOnFailure);
  const [first, ...found] = compiled?.answer.errors[0]?.message.split("\n") ?? [];
  if (first !== mark) return [];
  return asked.flatMap(({ line }, i) => {
    const position = model.lines.positionOf(line, 1);
    return found[i] === "true" && position ? [`${placed(position)}${finding}`] : [];
  });
}

/** Splits a constraint `A /\\ B` into its parts, as if each were a separate constraint. */
function conjuncts(statement: Statement): Statement[] {
  const [word, ...rest] = statement.tokens;
  const end = rest.pop();
  const parts = word?.text === "constraint" && end && outside(rest, weaker).length === 0 ? outside(rest, /^\/\\$/) : [];
  if (!word || !end || parts.length === 0) return [statement];
  return [...parts, rest.length].map((to, i) => ({
    ...statement,
    tokens: [word, ...rest.slice(i === 0 ? 0 : (parts[i - 1] ?? 0) + 1, to), end],
  }));
}

/** Operators that bind less tightly than a conjunction, and annotations, which apply to the whole constraint. */
const weaker = /^(?:\\\/|xor|->|<-|<->|::|let|in|if|then|else)$/;

/**
 * Writes a MiniZinc expression without variables that is true only if a constraint has a case, and each case is a
 * comparison of sums that the bounds of the variables make true. Undefined for other constraints, and for bounds of one
 * variable, which are common and harmless.
 */
function testOf(statement: Statement, source: string, variables: ReadonlySet<string>): string | undefined {
  const { tokens } = statement;
  if (tokens[0]?.text !== "constraint" || tokens[1]?.text === "::") return undefined;
  const generators = loopsOf(statement, source)?.generators ?? [];
  const body = bodyOf(statement, source);
  const [at, more] = outside(body, comparison);
  const [left, right] = [body.slice(0, at), body.slice((at ?? 0) + 1)];
  if (at === undefined || more !== undefined || ![left, right].every((each) => isSum(each, variables)))
    return undefined;
  const sign = body[at]?.text ?? "";
  const count = body.filter(({ text }) => variables.has(bare(text))).length;
  if (count === 0 || (count === 1 && sign !== "!=")) return undefined;
  const difference = `(${written(left, source)}\n) - (${written(right, source)}\n)`;
  const test = (tests[sign] ?? "").replaceAll("$", () => difference);
  const looped = (name: string, inner: string) =>
    generators.reduceRight((rest, each) => `${name}(${each}\n)(${rest})`, inner);
  return `${looped("exists", "true")} /\\ ${looped("forall", test)}`;
}

const comparison = /^(?:<|<=|>|>=|!=)$/;
const tests: Readonly<Record<string, string>> = {
  "<": "ub($) < 0",
  "<=": "ub($) <= 0",
  ">": "lb($) > 0",
  ">=": "lb($) >= 0",
  "!=": "(ub($) < 0 \\/ lb($) > 0)",
};

/** Whether an expression is defined for all values of its variables: sums, products, and lists with known indices. */
function isSum(tokens: Tokens, variables: ReadonlySet<string>): boolean {
  const is_plain = tokens.every(
    ({ kind, text }, i) =>
      (kind === "word" && (!other_words.test(text) || (text === "sum" && tokens[i + 1]?.text === "("))) ||
      (kind === "word" && text === "in") ||
      kind === "number" ||
      /^(?:[-+*()[\],|{}]|\.\.)$/.test(text),
  );
  const calls = tokens.some(({ kind, text }, i) => kind === "word" && text !== "sum" && tokens[i + 1]?.text === "(");
  const chooses = tokens.some(
    ({ text }, i) =>
      text === "[" && tokens.slice(i, closingOf(tokens, i)).some((each) => variables.has(bare(each.text))),
  );
  return tokens.length > 0 && is_plain && !calls && !chooses;
}

const other_words =
  /^(?:sum|div|mod|if|then|else|endif|let|where|not|xor|default|diff|union|intersect|subset|symdiff)$/;
