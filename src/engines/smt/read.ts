import { headOf, type List, type Node, nameOf, oneLine, ReadError, readAll } from "./sexpr.ts";

/** Parses Z3's output. Pure: tested on recorded output in test/fixtures/z3/. */

export interface Z3Error {
  readonly message: string;
  /** The line of Z3's input stream, from 1; 0 if Z3 named none. */
  readonly line: number;
  /** Bytes before the position, on its line: Z3 counts columns from 0 on every line but the first. */
  readonly column: number;
}

const error_line = /^\(error "(?:line (\d+) column (\d+): )?([\s\S]*)"\)$/;

/** All `(error …)` responses in an output, in order. Only complete responses count, not text inside other ones. */
export function readErrors(output: string): Z3Error[] {
  if (!output.includes('(error "')) return [];
  return responses(output).flatMap((response) => {
    if (!response.startsWith('(error "')) return [];
    const [, line = "0", column = "0", message = response] = error_line.exec(response) ?? [];
    return [{ line: Number(line), column: Number(column), message }];
  });
}

/** The responses in an output: its lists, or, where Z3 quoted wrongly, its lines. */
function responses(output: string): string[] {
  try {
    return readAll(output, "loose").map((node) => output.slice(node.start, node.end));
  } catch (error) {
    if (error instanceof ReadError) return output.split(/\n(?=\(error ")/).map((part) => part.trim());
    throw error;
  }
}

/** Whether Z3 answered a command with `unsupported`; the WASM build adds a comment line to it. */
export function isUnsupported(output: string): boolean {
  return /^unsupported(\n;.*)*$/.test(output.trim());
}

export type CheckWord = "sat" | "unsat" | "unknown";

/** The answer to one check; undefined if the output is anything but one of the three words. */
export function readCheck(output: string): CheckWord | undefined {
  return output === "sat" || output === "unsat" || output === "unknown" ? output : undefined;
}

/** The answer to `(query …)`, which can be followed by a certificate. */
export function readQuery(output: string): CheckWord | undefined {
  return readCheck(output.split("\n", 1)[0] ?? "");
}

/** The reason in `(:reason-unknown "…")`, a bare word in cvc5; undefined if the solver gave no meaningful one. */
export function readReason(output: string): string | undefined {
  const reason = /^\(:reason-unknown (?:"([\s\S]*)"|([\w-]+))\)$/
    .exec(output)
    ?.slice(1)
    .find((words) => words !== undefined)
    ?.trim();
  return reason === "unknown" ? undefined : reason || undefined;
}

/** The nodes of an output that must be one list; undefined if it is not. */
export function readList(output: string): List | undefined {
  try {
    const [first, ...rest] = readAll(output, "loose");
    const is_error = headOf(first) === "error" && first?.kind === "list" && first.items[1]?.kind === "string";
    return first?.kind === "list" && rest.length === 0 && !is_error ? first : undefined;
  } catch (error) {
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}

export interface Model {
  /** Its definitions, each on a line if it is short. */
  readonly definitions: readonly string[];
  /** Value of each constant; a function has its parameters and its body. */
  readonly values: Readonly<Record<string, string>>;
}

const line_chars_max = 100;

/** Reads the answer to `(get-model)` without hidden definitions; undefined if it is not a model. */
export function readModel(output: string, hidden: ReadonlySet<string> = new Set()): Model | undefined {
  const list = readList(output);
  if (!list) return undefined;
  const all = nameOf(list.items[0]) === "model" ? list.items.slice(1) : list.items;
  const items = all.filter((item) => !isDefinition(item) || !hidden.has(nameOf(item.items[1]) ?? ""));
  const values = Object.fromEntries(items.flatMap((item) => definition(output, item)));
  const lines = items.map((item) => {
    const short = oneLine(output, item);
    const text = short.length <= line_chars_max ? short : output.slice(item.start, item.end);
    // The empty name is printed as nothing. Entries about the universe of a sort are not definitions.
    return `  ${isDefinition(item) && item.items[1]?.kind === "list" ? text.replace(" ", " || ") : text}`;
  });
  return { definitions: lines, values };
}

/** Definitions of a model in the form of the tool's specification: `(model`, one definition per line, `)`. */
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

/** Reads the answer to `(get-objectives)`; undefined if it is not one. */
export function readObjectives(output: string): Objective[] | undefined {
  const list = readList(output);
  if (!list || headOf(list) !== "objectives") return undefined;
  return list.items.slice(1).flatMap((item) => {
    const [term, value] = item.kind === "list" ? item.items : [];
    if (!term) return [];
    // Wishes without an :id have a value alone.
    return value
      ? [{ term: oneLine(output, term), value: oneLine(output, value) }]
      : [{ term: "assert-soft", value: oneLine(output, term) }];
  });
}

/** The bits of a bit-vector value; undefined for any other text. */
export function bitsOf(text: string): string | undefined {
  const [, base, digits] = /^#([xb])([0-9a-f]+)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  if (base === "b") return digits;
  return [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}

/** Reads the answer to `(get-unsat-core)`, each member as Z3 wrote it; undefined if it is not one. */
export function readCore(output: string): string[] | undefined {
  return readList(output)?.items.map((item) => oneLine(output, item));
}

/** The values in the answer to `(get-value (terms))`, by their terms. */
export function readValues(output: string): Readonly<Record<string, string>> {
  const pairs = (readList(output)?.items ?? []).flatMap((pair): [string, string][] => {
    const [term, value, ...others] = pair.kind === "list" ? pair.items : [];
    return term && value && others.length === 0
      ? [[nameOf(term) ?? oneLine(output, term), oneLine(output, value)]]
      : [];
  });
  return Object.fromEntries(pairs);
}

/** The single value in the answer to `(get-value (term))`; undefined if there isn't one. */
export function readValue(output: string): string | undefined {
  const [value, ...others] = Object.values(readValues(output));
  return others.length === 0 ? value : undefined;
}
