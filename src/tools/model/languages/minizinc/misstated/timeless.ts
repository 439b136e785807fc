import { closingOf } from "../source/brackets.ts";
import { argumentOf, type Call, callsOf } from "../source/calls.ts";
import type { Statement, Token } from "../source/source.ts";
import { holdsWith } from "./reified.ts";

/**
 * Numbers up to which all tasks lie within the horizon for which the library looks at each time: the start and the
 * duration of a task can both be as large, and a start as small.
 */
export const times_max = 1_666;

/**
 * Whether a `cumulative` may count a task while it takes no time: over a long horizon, the library's forms for optional
 * tasks, and for where the constraint can be false, add up the needs at the start of each task, its own among them.
 * `isShort` looks through the compiled model, so it is asked last.
 */
export function countsTimelessTasks(
  statements: readonly Statement[],
  data: readonly string[],
  isShort: () => boolean,
): boolean {
  const calls = timelessCalls(statements);
  if (calls.length === 0 || (![...numbersIn(statements), ...data].some(namesLater) && isShort())) return false;
  const has_optional = statements.some(({ tokens }) => tokens.some(({ text }) => /^(?:opt|any)$/.test(text)));
  return calls.some((call) => {
    const is_plain = call.tokens[0]?.text === "constraint" && holdsWith(call.tokens, call.at);
    const may_be_optional = has_optional || call.args[0]?.some(({ text }) => text === "where") === true;
    return !is_plain || may_be_optional;
  });
}

/**
 * The calls of `cumulative` whose durations depend on a variable and can be 0: the library of linear solvers counts tasks
 * that take no time anywhere. A task whose duration is known to be 0 is left out everywhere.
 */
export function timelessCalls(statements: readonly Statement[]): Call[] {
  const calls = callsOf(statements, /^cumulative$/);
  if (calls.length === 0) return [];
  const variables = new Map(statements.flatMap(({ tokens }) => variablesOf(tokens)));
  return calls.filter((call) => {
    const list = argumentOf(call, 1, "duration");
    const taken = takenFrom(list);
    if (list.some(({ text }) => variables.has(text) && !taken.has(text))) return true;
    return [...taken].some((name) => variables.get(name)?.is_above_0 === false);
  });
}

/** The names whose own values are in a list: `d`, `[a, b]`, or `[d[i] | i in S]`. */
function takenFrom(list: readonly Token[]): ReadonlySet<string> {
  const inner = list[0]?.text === "[" ? list.slice(1, -1) : list;
  if (inner.every(({ kind, text }) => kind !== "sign" || text === ",")) return new Set(inner.map(({ text }) => text));
  const [name, bracket] = inner;
  const is_element = bracket?.text === "[" && inner[closingOf(inner, 1) + 1]?.text === "|";
  return new Set(name?.kind === "word" && is_element ? [name.text] : []);
}

/** The variables, and functions of variables, that a statement declares. */
function variablesOf(tokens: readonly Token[]): [name: string, { readonly is_above_0: boolean }][] {
  return tokens.flatMap(({ text }, i): [string, { is_above_0: boolean }][] => {
    if (text !== "var" && text !== "any") return [];
    const colon = tokens.findIndex(({ text: other }, at) => at > i && other === ":");
    const name = tokens[colon + 1];
    const domain = tokens.slice(i + 1, Math.max(i, colon));
    return name?.kind === "word" ? [[name.text, { is_above_0: isAbove0(domain) }]] : [];
  });
}

/** Whether a domain is written as numbers from 1: `1..n` or `{2, 3}`. */
export function isAbove0([first, ...more]: readonly Token[]): boolean {
  const is_set = first?.text === "{";
  const numbers = is_set ? more.filter(({ kind }) => kind === "number") : first === undefined ? [] : [first];
  const is_plain = is_set
    ? more.every(({ kind, text }) => kind === "number" || /^[,}]$/.test(text))
    : more[0]?.text === ".";
  return is_plain && numbers.length > 0 && numbers.every(({ kind, text }) => kind === "number" && Number(text) >= 1);
}

function numbersIn(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ tokens }) => tokens.flatMap(({ kind, text }) => (kind === "number" ? [text] : [])));
}

function namesLater(text: string): boolean {
  return (text.match(/\d+/g) ?? []).some((number) => Number(number) > times_max);
}
