import { unless } from "../../kernel/unless.ts";
import { headOf, type List, type Node, nameOf, oneLine, ReadError, readAll } from "./sexpr.ts";

/** Parses Z3's output, without side effects; tested on recorded output in test/fixtures/z3/. */

export interface Z3Error {
  readonly message: string;
  /** The line in Z3's input stream, counted from 1; 0 if Z3 did not report one. */
  readonly line: number;
  /** The number of bytes before the position on its line: Z3 counts columns from 0, except on the first line. */
  readonly column: number;
}

const error_line = /^\(error "(?:line (\d+) column (\d+): )?([\s\S]*)"\)$/;

/**
 * Returns all `(error …)` responses in an output, in order. Only complete responses count, not text inside other
 * responses.
 */
export function readErrors(output: string): Z3Error[] {
  if (!output.includes('(error "')) return [];
  return responses(output).flatMap((response) => {
    if (!response.startsWith('(error "')) return [];
    const [, line = "0", column = "0", message = response] = error_line.exec(response) ?? [];
    return [{ line: Number(line), column: Number(column), message }];
  });
}

/** Splits an output into responses: its S-expressions, or its lines if Z3's quoting is broken. */
function responses(output: string): string[] {
  return (
    unless(ReadError, () => readAll(output, "loose").map((node) => output.slice(node.start, node.end))) ??
    output.split(/\n(?=\(error ")/).map((part) => part.trim())
  );
}

/** Whether Z3 answered a command with `unsupported`; the WASM build adds a comment line to the answer. */
export function isUnsupported(output: string): boolean {
  return /^unsupported(\n;.*)*$/.test(output.trim());
}

export type CheckWord = "sat" | "unsat" | "unknown";

/** Reads the answer to a check; undefined if the output is not one of the three words. */
export function readCheck(output: string): CheckWord | undefined {
  return output === "sat" || output === "unsat" || output === "unknown" ? output : undefined;
}

/** Reads the answer to `(query …)`, which can be followed by a certificate. */
export function readQuery(output: string): CheckWord | undefined {
  return readCheck(output.split("\n", 1)[0] ?? "");
}

/**
 * Reads the reason in `(:reason-unknown "…")`, which cvc5 writes as a bare word; undefined if the solver gave no
 * meaningful reason.
 */
export function readReason(output: string): string | undefined {
  const reason = /^\(:reason-unknown (?:"([\s\S]*)"|([\w-]+))\)$/
    .exec(output)
    ?.slice(1)
    .find((words) => words !== undefined)
    ?.trim();
  return reason === "unknown" ? undefined : reason || undefined;
}

/** Parses output that must be a single list; undefined if it is not. */
export function readList(output: string): List | undefined {
  return unless(ReadError, () => {
    const [first, ...rest] = readAll(output, "loose");
    const is_error = headOf(first) === "error" && first?.kind === "list" && first.items[1]?.kind === "string";
    return first?.kind === "list" && rest.length === 0 && !is_error ? first : undefined;
  });
}

export interface Model {
  /** The model's definitions; a short definition is on one line. */
  readonly definitions: readonly string[];
  /** The value of each constant; for a function, its parameters and its body. */
  readonly values: Readonly<Record<string, string>>;
}

const line_chars_max = 100;

/** Reads the answer to `(get-model)` without hidden definitions; undefined if the output is not a model. */
export function readModel(output: string, hidden: ReadonlySet<string> = new Set()): Model | undefined {
  const list = readList(output);
  if (!list) return undefined;
  const all = nameOf(list.items[0]) === "model" ? list.items.slice(1) : list.items;
  const items = all.filter((item) => !isDefinition(item) || !hidden.has(nameOf(item.items[1]) ?? ""));
  const values = Object.fromEntries(items.flatMap((item) => definition(output, item)));
  const lines = items.map((item) => {
    const short = oneLine(output, item);
    const text = short.length <= line_chars_max ? short : output.slice(item.start, item.end);
    // Z3 prints the empty name as nothing. Entries about a sort's universe are not definitions.
    return `  ${isDefinition(item) && item.items[1]?.kind === "list" ? text.replace(" ", " || ") : text}`;
  });
  return { definitions: lines, values };
}

/** Formats a model's definitions as the tool's specification requires: `(model`, one definition per line, `)`. */
export function modelText(definitions: readonly string[]): string {
  return ["(model", ...definitions, ")"].join("\n");
}

function isDefinition(item: Node): item is List {
  return headOf(item)?.startsWith("define-fun") === true;
}

function definition(output: string, item: Node): [string, string][] {
  if (!isDefinition(item)) return [];
  const [symbol, parameters, , body] =
    item.items[1]?.kind === "list" ? [undefined, ...item.items.slice(1)] : item.items.slice(1);
  const name = symbol ? nameOf(symbol) : "";
  if (name === undefined || parameters?.kind !== "list" || !body) return [];
  const value = oneLine(output, body);
  return [[name, parameters.items.length > 0 ? `${oneLine(output, parameters)} ${value}` : value]];
}

export interface Objective {
  readonly term: string;
  readonly value: string;
}

/** Reads the answer to `(get-objectives)`; undefined if the output is not such an answer. */
export function readObjectives(output: string): Objective[] | undefined {
  const list = readList(output);
  if (!list || headOf(list) !== "objectives") return undefined;
  return list.items.slice(1).flatMap((item) => {
    const [term, value] = item.kind === "list" ? item.items : [];
    if (!term) return [];
    // Soft constraints without an :id have only a value.
    return value
      ? [{ term: oneLine(output, term), value: oneLine(output, value) }]
      : [{ term: "assert-soft", value: oneLine(output, term) }];
  });
}

/** Returns the bits of a bit-vector value; undefined for any other text. */
export function bitsOf(text: string): string | undefined {
  const [, base, digits] = /^#([xb])([0-9a-f]+)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  if (base === "b") return digits;
  return [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}

/**
 * Reads the answer to `(get-unsat-core)`, with each member as Z3 wrote it; undefined if the output is not such an
 * answer.
 */
export function readCore(output: string): string[] | undefined {
  return readList(output)?.items.map((item) => oneLine(output, item));
}

/** Reads the values in the answer to `(get-value (terms))`, by term. */
export function readValues(output: string): Readonly<Record<string, string>> {
  const pairs = (readList(output)?.items ?? []).flatMap((pair): [string, string][] => {
    const [term, value, ...others] = pair.kind === "list" ? pair.items : [];
    return term && value && others.length === 0
      ? [[nameOf(term) ?? oneLine(output, term), oneLine(output, value)]]
      : [];
  });
  return Object.fromEntries(pairs);
}

/** Reads the only value in the answer to `(get-value (term))`; undefined if there is not exactly one. */
export function readValue(output: string): string | undefined {
  const [value, ...others] = Object.values(readValues(output));
  return others.length === 0 ? value : undefined;
}
