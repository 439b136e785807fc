import { parseExactJson, writeExactJson } from "../../engines/minizinc/read.ts";
import { named_values } from "../../kernel/named.ts";
import { type Edit, edited } from "../../kernel/text/edits.ts";
import { type Declaration, declaredWith, variablesIn } from "./declarations.ts";
import { type SolveItem, type Statement, solveItemOf, statementsOf } from "./statements.ts";
import { closingOf, endOf, type Token, type Tokens } from "./tokens.ts";

/** The input for MiniZinc's compiler: a text and data files. */
export interface Text {
  readonly source: string;
  readonly data: readonly string[];
}

/** A solution's values, and its objective value. */
interface Point {
  readonly values: Readonly<Record<string, unknown>>;
  readonly objective: unknown;
}

/**
 * Rewrites a model's text so that it has only parameters. Each variable is replaced with its value in a solution; its
 * definition becomes a constraint, and so does the objective's value. MiniZinc then evaluates what it would otherwise
 * compile. Line numbers are preserved. Returns undefined if the text can have another meaning for parameters, as
 * `lb(x)` does.
 */
export function fixedAt({ source, data }: Text, { values, objective }: Point): Text | undefined {
  const statements = statementsOf([source]);
  if (dependsOnVariables(statements)) return undefined;
  const given = new Set(data.flatMap((text) => Object.keys(named_values.parse(parseExactJson(text)))));
  const declared = variablesIn(statements).filter(
    ({ name }) => given.has(name.text) || Object.hasOwn(values, name.text),
  );
  const open = declared.filter(isOpen);
  const fixed = declared.filter((each) => !isOpen(each));
  const own = fixed.map(({ name }) => name.text).filter((name) => !given.has(name));
  const lists = new Set(declared.flatMap(({ type: [first], name }) => (first?.text === "array" ? [name.text] : [])));
  const types = statements.filter(({ tokens: [first] }) => first?.text === "type").map(({ tokens }) => tokens);
  const edits = [
    ...[...types, ...fixed.map(({ type }) => type)].flatMap(withoutVar),
    ...fixed.flatMap(({ statement, name, sign }) => (sign ? asConstraint(statement, name.text, sign, lists) : [])),
    ...statements.flatMap((statement) => {
      const [name, sign] = statement.tokens;
      const is_own = name && sign?.text === "=" && own.includes(name.text);
      return is_own ? asConstraint(statement, name.text, sign, lists) : [];
    }),
    ...anySolutionOf(solveItemOf(statements), objective),
  ];
  const checks = open.map(({ name: { text }, type }) => {
    const plain = type.filter((token) => token.text !== "var").map((token) => token.text);
    return `${plain.join(" ")}: ${text}_of_verdict; constraint array1d(${text}) = array1d(${text}_of_verdict);\n`;
  });
  const chosen = [
    ...own.map((name) => [name, values[name]]),
    ...open.map(({ name: { text } }) => [`${text}_of_verdict`, values[text]]),
  ];
  return {
    source: `${edited([source], edits).join("")}\n${checks.join("")}`,
    data: [...data, writeExactJson(Object.fromEntries(chosen))],
  };
}

/** Whether a list gets its index sets from its value, as in `array[int] of var int: x = …`. */
function isOpen({ type, sign }: Declaration): boolean {
  const is_list = type[0]?.text === "array" && sign !== undefined;
  return is_list && type.slice(0, closingOf(type, 1)).some(({ text }) => /^(?:int|_)$/.test(text));
}

function withoutVar(tokens: Tokens): Edit[] {
  return tokens.filter(({ text }) => text === "var").map((token) => edit(token.start, endOf(token), ""));
}

/** Rewrites `x = E;` as a constraint; lists are equal if their elements are. */
function asConstraint({ tokens, end }: Statement, name: string, sign: Token, lists: ReadonlySet<string>): Edit[] {
  const elements = lists.has(name) ? "array1d" : "";
  const start = tokens[1] === sign ? (tokens[0]?.start ?? 0) : sign.start;
  const before = tokens[1] === sign ? "" : "; ";
  return [
    edit(start, endOf(sign), `${before}constraint ${elements}(${name}) = ${elements}(`),
    edit(end - 1, end - 1, ")"),
  ];
}

/** Replaces the solve item; values left open need not be optimised, since the objective's value is fixed. */
function anySolutionOf(solve: SolveItem | undefined, objective: unknown): Edit[] {
  if (!solve?.word || solve.goal === "satisfy") return [];
  const { start, end } = solve.statement;
  const is_number = /^-?\d+$/.test(String(objective));
  return [
    edit(start, endOf(solve.word), "solve satisfy; constraint let { any: best_of_verdict = ("),
    edit(end - 1, end - 1, `) } in ${is_number ? `best_of_verdict = ${objective}` : "true"}`),
  ];
}

function edit(start: number, end: number, text: string): Edit {
  return { item: 0, start, end, text };
}

/** Functions that query what is known about a variable before the search, or an earlier solution. */
const of_domains =
  /^(?:[lu]b|dom|dom_size|[lu]b_array|dom_array|dom_bounds_array|is_fixed|fix|has_(?:bounds|ub_set)|sol|last_val)$/;

/** Functions for which an omitted element means the same as an absent one. */
const of_elements = /^(?:forall|exists|sum|product|count|max|min|all_?different|array_(?:union|intersect)|xorall)$/;

/**
 * Whether a text has another meaning for parameters: because it queries domains, or because a variable decides whether
 * a list omits an element. In a list of variables, omitted elements are absent, and the other elements keep their
 * positions.
 */
function dependsOnVariables(statements: readonly Statement[]): boolean {
  const own = variablesIn(statements).map(({ name }) => name.text);
  const variables = new Set([...own, ...statements.flatMap(({ tokens }) => declaredWith(/^var$/, tokens))]);
  return statements.some(
    ({ tokens }) =>
      !/^(?:output|include)$/.test(tokens[0]?.text ?? "") &&
      tokens.some(
        ({ text }, i) =>
          (of_domains.test(text) && tokens[i + 1]?.text === "(") || (text === "[" && isFiltered(tokens, i, variables)),
      ),
  );
}

/** Whether this token begins a list in which variables decide which elements exist and element positions can matter. */
function isFiltered(tokens: Tokens, open: number, variables: ReadonlySet<string>): boolean {
  const close = closingOf(tokens, open);
  const is_argument = tokens[open - 1]?.text === "(" && tokens[close + 1]?.text === ")";
  if (is_argument && of_elements.test(tokens[open - 2]?.text ?? "")) return false;
  const inner = tokens.slice(open + 2, close);
  const bar = inner.findIndex(({ text }) => text === "|");
  return tokens[open + 1]?.text !== "|" && bar >= 0 && inner.slice(bar).some(({ text }) => variables.has(text));
}

/**
 * The constructs and calls that are known to be compiled correctly, from comparing random models with brute force
 * (test/long/minizinc_random.test.ts).
 */
const plain_calls =
  /^(?:forall|exists|sum|product|abs|min|max|bool2int|show|index_set|in|not|xor|if|then|else|elseif|where|constraint|solve)$/;

const special =
  /^(?:opt|tuple|record|type|any|let|function|predicate|test|default|enum|ann|include|diff|symdiff|union|intersect|subset|superset)$/;

/**
 * Whether a model contains only numbers, truth values and lists of them, with arithmetic, logic and loops. For such a
 * model, a solution of the compiled model is also a solution of the text, and evaluating the text would take as long as
 * solving a small model.
 */
export function isPlain(source: string): boolean {
  return statementsOf([source]).every(
    ({ tokens: [first, ...tokens] }) =>
      first?.text === "output" ||
      [first, ...tokens].every((token, i, all) => {
        if (token?.kind !== "word") return true;
        const is_set = token.text === "set" && all[i - 1]?.text === "var";
        return !is_set && !special.test(token.text) && (all[i + 1]?.text !== "(" || plain_calls.test(token.text));
      }),
  );
}
