import type { Edit } from "../../kernel/text/edits.ts";
import { declaredWith } from "./declarations.ts";
import type { Statement } from "./statements.ts";
import { closingOf, enclosures, endOf, endOfLevel, type Token, type Tokens } from "./tokens.ts";

/**
 * Functions that wrap constructs which MiniZinc's compiler negates wrongly. For an optional variable, `not (o < 3)`
 * becomes `o >= 3`, which also holds if `o` is absent. For tuples, `not (t = u)` becomes `t = u`. Negating a named
 * truth value negates only its value. `deopt(o)` is undefined for an absent variable, but is compiled to 0.
 */
const truth_functions = `
function var bool: truth_by_verdict(var bool: b) = let { var bool: t = b } in t;
test truth_by_verdict(bool: b) = b;`;

function deopt(type: string): string {
  return `
function var ${type}: deopt_by_verdict(var opt ${type}: o) = let { constraint occurs(o) } in deopt(o);
function ${type}: deopt_by_verdict(opt ${type}: o) = deopt(o);`;
}

/**
 * Functions that give a connective the same meaning as MiniZinc's library does for truth values that can be absent; the
 * compiler instead negates the connective's parts.
 */
const connective_functions = `
function var bool: unless_false_by_verdict(var opt bool: x) = truth_by_verdict(absent(x) \\/ deopt(x));
function var bool: if_true_by_verdict(var opt bool: x) = truth_by_verdict(occurs(x) /\\ deopt(x));
function var bool: and_by_verdict(var opt bool: x, var opt bool: y) = truth_by_verdict(unless_false_by_verdict(x) /\\ unless_false_by_verdict(y));
function var bool: or_by_verdict(var opt bool: x, var opt bool: y) = truth_by_verdict(if_true_by_verdict(x) \\/ if_true_by_verdict(y));
function var bool: implies_by_verdict(var opt bool: x, var opt bool: y) = truth_by_verdict(absent(x) \\/ absent(y) \\/ (deopt(x) -> deopt(y)));
function var bool: implied_by_verdict(var opt bool: x, var opt bool: y) = implies_by_verdict(y, x);
function var bool: iff_by_verdict(var opt bool: x, var opt bool: y) = truth_by_verdict(absent(x) \\/ absent(y) \\/ (deopt(x) <-> deopt(y)));
function var bool: xor_by_verdict(var opt bool: x, var opt bool: y) = truth_by_verdict(absent(x) \\/ absent(y) \\/ (deopt(x) xor deopt(y)));
function var bool: forall_by_verdict(array[$T] of var opt bool: xs) = truth_by_verdict(forall(x in array1d(xs))(unless_false_by_verdict(x)));
function var bool: exists_by_verdict(array[$T] of var opt bool: xs) = truth_by_verdict(exists(x in array1d(xs))(if_true_by_verdict(x)));
function var bool: xorall_by_verdict(array[$T] of var opt bool: xs) = truth_by_verdict(exists(x in array1d(xs))(absent(x)) \\/ xorall(x in array1d(xs))(deopt(x)));
function var bool: iffall_by_verdict(array[$T] of var opt bool: xs) = truth_by_verdict(exists(x in array1d(xs))(absent(x)) \\/ iffall(x in array1d(xs))(deopt(x)));
function var bool: clause_by_verdict(array[$T] of var opt bool: xs, array[$U] of var opt bool: ys) =
  truth_by_verdict(exists(z in array1d(xs) ++ array1d(ys))(absent(z)) \\/ clause(deopt(array1d(xs)), deopt(array1d(ys))));`;

/** The connectives, each with its rank (1 binds most tightly) and its function. */
const connectives = new Map<string, readonly [rank: number, name: string]>([
  ["/\\", [1, "and"]],
  ["\\/", [2, "or"]],
  ["xor", [2, "xor"]],
  ["->", [3, "implies"]],
  ["<-", [3, "implied"]],
  ["<->", [4, "iff"]],
]);

/**
 * Returns the functions that a rewritten text uses. The functions for floats are included only if the text uses floats,
 * since otherwise they would mark the model as using floats.
 */
export function functionsFor(edits: readonly Edit[], statements: readonly Statement[]): string {
  if (edits.length === 0) return "";
  const has_floats = statements.some(({ tokens }) => tokens.some(({ text }) => text === "float"));
  const truths = hasTruths(statements.map(({ tokens }) => tokens)) ? connective_functions : "";
  return `${truth_functions}${truths}${["$$E", "bool", ...(has_floats ? ["float"] : [])].map(deopt).join("")}
`;
}

/** Whether a model has truth values that can be absent. */
function hasTruths(all: readonly Tokens[]): boolean {
  return all.some((tokens) => tokens.some(({ text }, i) => text === "opt" && tokens[i + 1]?.text === "bool"));
}

/**
 * Returns edits that wrap comparisons of optional values or structures in these functions, and replace `deopt` and the
 * connectives between optional truth values. If two edits begin at the same place, the outer one comes last.
 */
export function truths(statements: readonly Statement[]): Edit[] {
  const special = specialIn(statements.map(({ tokens }) => tokens));
  if (!special) return [];
  return statements.flatMap(({ item, tokens }) => {
    if (/^(?:output|include|type|enum)$/.test(tokens[0]?.text ?? "")) return [];
    const insert = (at: number, text: string): Edit => ({ item, start: at, end: at, text });
    const reads = tokens.filter(({ text }, i) => text === "deopt" && tokens[i + 1]?.text === "(");
    const calls = [...comparisonsIn(tokens, special), ...connectivesIn(tokens, special)];
    return [
      ...calls.flatMap(({ sign }) => (sign ? { item, start: sign.start, end: endOf(sign), text: "," } : [])),
      ...[...reads, ...quantifiersIn(tokens, special)].map((token) => insert(endOf(token), "_by_verdict")),
      ...calls
        .toSorted((one, other) => one.to - one.from - (other.to - other.from))
        .flatMap(({ from, to, name = "truth" }) => [
          insert(tokens[from]?.start ?? 0, `${name}_by_verdict(`),
          insert(endOf(tokens[to]), ")"),
        ]),
    ];
  });
}

/** Whether a `let` has a variable without a value; if so, the `let` can't be part of an argument. */
export function hasFreeVariables(statements: readonly Statement[]): boolean {
  return statements.some(({ tokens }) =>
    tokens.some(({ text }, i) => {
      if (text !== "let" || tokens[i + 1]?.text !== "{") return false;
      const inner = tokens.slice(i + 2, closingOf(tokens, i + 1));
      return inner.some(({ text }, at) => text === "var" && inner[endOfLevel(inner, at, /^[=;,]$/)]?.text !== "=");
    }),
  );
}

/** The names that can refer to an optional value or a structure. */
interface Special {
  readonly names: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  readonly has_structures: boolean;
  readonly has_truths: boolean;
}

/** Finds these names; undefined if a model has neither optional values nor structures. */
function specialIn(all: readonly Tokens[]): Special | undefined {
  const variables = new Set(all.flatMap((tokens) => declaredWith(/^var$/, tokens)));
  const aliases = all.flatMap(([first, name]) => (first?.text === "type" && name ? [name.text] : []));
  const structures = new RegExp(`^(?:${["tuple", "record", ...aliases].join("|")})$`);
  const has_structures = all.some((tokens) => tokens.some(({ text }) => structures.test(text)));
  const types = has_structures ? new RegExp(`${structures.source}|^(?:opt|any)$`) : /^(?:opt|any)$/;
  const names = new Set(all.flatMap((tokens) => declaredWith(types, tokens)));
  const special = { names, variables, has_structures, has_truths: hasTruths(all) };
  const bindings = all.flatMap(bindingsIn);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { name, value } of bindings) {
      if (isSpecial(value, special)) names.add(name);
      if (value.some(({ text }) => variables.has(text))) variables.add(name);
    }
  }
  return all.some((tokens) => isSpecial(tokens, special)) ? special : undefined;
}

function isSpecial(tokens: Tokens, { names, variables, has_structures }: Special): boolean {
  return tokens.some(({ kind, text }, i) => {
    if (text === "<>" || text.endsWith("_weak")) return true;
    // If a variable decides whether an element is omitted, an omitted element is absent.
    if (text === "where") return tokens.slice(i, endOfLevel(tokens, i, /^,$/)).some((each) => variables.has(each.text));
    if (text === "(" && has_structures && tokens[i - 1]?.kind !== "word")
      return endOfLevel(tokens, i + 1, /^[,:]$/) < closingOf(tokens, i);
    if (kind !== "word" || !names.has(text)) return false;
    const is_read = tokens[i - 1]?.text === "(" && /^(?:occurs|absent|deopt)$/.test(tokens[i - 2]?.text ?? "");
    const after = /^[([]$/.test(tokens[i + 1]?.text ?? "") ? closingOf(tokens, i + 1) + 1 : i + 1;
    return !is_read && tokens[after]?.text !== "default";
  });
}

/** Finds the names that generators bind: `x, y in list`, and `z = value` after another generator. */
function bindingsIn(tokens: Tokens): { readonly name: string; readonly value: Tokens }[] {
  const bindings: { readonly name: string; readonly value: Tokens }[] = [];
  // The first token after position i that is not part of a list of names.
  let next = tokens.length;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { kind, text = "" } = tokens[i] ?? {};
    const is_name = kind === "word" && text !== "in";
    const sign = tokens[i + 1]?.text === "=" ? i + 1 : next;
    const binds = /^(?:in|,|=)$/.test(tokens[i + 1]?.text ?? "") && /^(?:in|=)$/.test(tokens[sign]?.text ?? "");
    if (is_name && binds && (sign === i + 1 || tokens[sign]?.text === "in"))
      bindings.push({ name: text, value: tokens.slice(sign + 1, endOfLevel(tokens, sign + 1, end_of_value)) });
    if (!is_name && text !== ",") next = i;
  }
  return bindings.reverse();
}

const end_of_value = /^(?:[,;]|where|\/\\|\\\/|->|<-|<->|xor|then|else|endif)$/;

/**
 * An inclusive range of tokens that becomes the argument of a function; if the function takes two arguments, a sign
 * separates them.
 */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly name?: string;
  readonly sign?: Token;
}

/** Words other than comparisons that may negate a condition in their scope. */
const negating = /^(?:not|->|<-|<->|xor|if|where|clause|predicate|function|test|var|bool)$/;

/**
 * Finds comparisons of special values that may be negated; a comparison that is an entire constraint can't be negated.
 */
function comparisonsIn(tokens: Tokens, special: Special): Span[] {
  const all = comparisonsOf(tokens, /^(?:<|<=|>|>=|=|==|!=)$/);
  if (all.length === 1 && !tokens.some(({ text }) => negating.test(text))) return [];
  const comparisons = special.has_structures || special.has_truths ? all : comparisonsOf(tokens, /^[<>]=?$/);
  return comparisons.filter(({ from, to }) => isSpecial(tokens.slice(from, to + 1), special));
}

/** Each connective becomes a call around all operands before it, so a long condition is not rewritten. */
const connectives_max = 500;

function isLong(tokens: Tokens): boolean {
  return tokens.filter(({ text }) => connectives.has(text)).length > connectives_max;
}

/** Whether a model has absent truth values, and a condition that is too long to be rewritten. */
export function hasLongConditions(statements: readonly Statement[]): boolean {
  const all = statements.map(({ tokens }) => tokens);
  // The functions above have optional truth values, too.
  const own = all.filter(
    (tokens) => !tokens[tokens.findIndex(({ text }) => text === "(") - 1]?.text.endsWith("_by_verdict"),
  );
  return hasTruths(own) && own.some(isLong);
}

/** Finds connectives whose operands can be absent truth values. */
function connectivesIn(tokens: Tokens, special: Special): Span[] {
  if (!special.has_truths || isLong(tokens)) return [];
  const opens = enclosures(tokens);
  return tokens.flatMap((sign, i) => {
    const [rank = 0, name] = connectives.get(sign.text) ?? [];
    if (name === undefined) return [];
    const isEnd = (at: number) => {
      const other = connectives.get(tokens[at]?.text ?? "")?.[0] ?? 0;
      return (
        end_of_condition.test(tokens[at]?.text ?? "") ||
        other > rank ||
        (at > i && other === rank) ||
        definesAt(tokens, at, opens)
      );
    };
    const [from, to] = [endOfOperand(tokens, i, -1, isEnd), endOfOperand(tokens, i, 1, isEnd)];
    return isSpecial(tokens.slice(from, to + 1), special) ? { from, to, name, sign } : [];
  });
}

/** Finds the quantifiers before lists of truth values that can be absent. */
function quantifiersIn(tokens: Tokens, special: Special): Token[] {
  return tokens.filter(({ text }, i) => {
    if (!special.has_truths || !/^(?:forall|exists|xorall|iffall|clause)$/.test(text) || tokens[i + 1]?.text !== "(")
      return false;
    const close = closingOf(tokens, i + 1);
    const end = tokens[close + 1]?.text === "(" ? closingOf(tokens, close + 1) : close;
    return isSpecial(tokens.slice(i + 1, end), special);
  });
}

/** Tokens that end an operand of a connective on the same level. */
const end_of_condition = /^(?:,|;|::?|\||then|else|elseif|where|constraint)$/;

/** Finds comparisons with these operators. */
export function comparisonsOf(tokens: Tokens, operator: RegExp): Span[] {
  const opens = enclosures(tokens);
  return tokens.flatMap(({ text }, i) =>
    operator.test(text) && !definesAt(tokens, i, opens)
      ? [{ from: endOfOperand(tokens, i, -1), to: endOfOperand(tokens, i, 1) }]
      : [],
  );
}

/** Whether a token is the sign of a declaration, an assignment, a definition or a generator. */
function definesAt(tokens: Tokens, i: number, opens: readonly number[]): boolean {
  if (tokens[i]?.text !== "=") return false;
  const open = opens[i] ?? -1;
  const before = tokens[i - 2]?.text ?? "";
  if (open < 0) {
    const is_definition = !/^(?:constraint|solve)$/.test(tokens[0]?.text ?? "");
    return is_definition && tokens.findIndex(({ text }, at) => text === "=" && (opens[at] ?? -1) < 0) === i;
  }
  // The sign defines a name in a let, or after another generator.
  return before === ":" || (before === "," && tokens.slice(open, i).some(({ text }) => text === "in"));
}

/** Tokens that end an operand of a comparison on the same level. */
const end_of_operand =
  /^(?:\/\\|\\\/|->|<-|<->|xor|not|=|==|!=|<|<=|>|>=|,|;|::?|\||then|else|elseif|where|constraint)$/;

/** Finds the last token of an operand on one side of its operator. Everything after a `let` belongs to the `let`. */
function endOfOperand(
  tokens: Tokens,
  operator: number,
  by: 1 | -1,
  isEnd = (at: number) => end_of_operand.test(tokens[at]?.text ?? ""),
): number {
  let last = operator;
  for (let i = operator + by; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    const is_body = text === "in" && tokens[i - 1]?.text === "}";
    if (isEnd(i) || is_body || isEdge(text, by)) return last;
    if (text === "let" && by === 1) return endOfLevel(tokens, i, end_of_let) - 1;
    if (isEdge(text, by === 1 ? -1 : 1)) i = otherEnd(tokens, i, by);
    last = i;
  }
  return last;
}

const end_of_let = /^(?:[,;|]|then|else|elseif|endif|where)$/;

/** Whether a bracket, or an `if`, closes the enclosing expression in this direction. */
function isEdge(text: string, by: 1 | -1): boolean {
  return by === 1 ? /^(?:[)\]}]|endif)$/.test(text) : /^(?:[([{]|if)$/.test(text);
}

function otherEnd(tokens: Tokens, from: number, by: 1 | -1): number {
  let depth = 0;
  for (let i = from; i >= 0 && i < tokens.length; i += by) {
    const text = tokens[i]?.text ?? "";
    if (isEdge(text, by === 1 ? -1 : 1)) depth++;
    if (isEdge(text, by)) depth--;
    if (depth === 0) return i;
  }
  return from;
}
