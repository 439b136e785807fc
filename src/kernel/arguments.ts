import * as z from "zod/v4";
import { Fault, type FaultCode } from "./fault.ts";
import { limits } from "./limits.ts";
import { receivedValue } from "./text/cut.ts";
import { excessOf } from "./text/json_size.ts";
import { nearest } from "./text/near_miss.ts";
import { unless } from "./unless.ts";

/** The receiver of the arguments, and its name in faults. */
export interface Taker<In extends z.ZodObject> {
  readonly name: string;
  readonly input: In;
  readonly bad_arguments?: FaultCode;
}

/**
 * Reads a call's arguments as they were meant. Null or an empty string for an optional argument is dropped. A string
 * where no string is allowed is read as the number, list or keyword that it contains. Raises a fault that names each
 * wrong argument.
 */
export function readArguments<In extends z.ZodObject>(taker: Taker<In>, args: unknown): z.output<In> {
  const meant = asMeant(taker, args ?? {});
  const [deep] =
    Object.entries(isObject(meant) ? meant : {}).find(([, value]) => isDeeper(value, limits.message_depth_max)) ?? [];
  if (deep !== undefined) throw tooDeep(taker, deep);
  const read = taker.input.safeParse(meant, { error: plainWords });
  if (read.success) return read.data;
  throw invalidArguments(taker, meant, read.error);
}

/** Rejects a list that is too long. The elements are counted before any of them is examined. */
function refuseCrowded(taker: Taker<z.ZodObject>, name: string, value: unknown): void {
  if (!Array.isArray(value) || value.length <= limits.list_items_max) return;
  throw new Fault(
    taker.bad_arguments ?? "invalid_argument",
    `${name} has more than ${limits.list_items_max} elements; no list of ${taker.name} is longer.`,
    ["send fewer elements", `pass ${name} as ${taker.name}'s schema states`],
  );
}

/** Rejects a text with a larger JSON value than a message can contain. It is counted before it is parsed. */
function refuseLarge(taker: Taker<z.ZodObject>, name: string, text: string): void {
  const excess = excessOf(Buffer.from(text));
  if (excess === undefined) return;
  throw new Fault(taker.bad_arguments ?? "invalid_argument", `The text of ${name} ${excess}.`, [
    "send less at once: split the data, or pass its values as lists instead of by name",
    `pass ${name} as ${taker.name}'s schema states`,
  ]);
}

function tooDeep(taker: Taker<z.ZodObject>, name: string): Fault {
  const why = `${name} is nested more than ${limits.message_depth_max} levels deep; no value of ${taker.name} is.`;
  return new Fault(taker.bad_arguments ?? "invalid_argument", why, [
    `pass ${name} as ${taker.name}'s schema states`,
    "omit it if it is optional",
  ]);
}

function asMeant(taker: Taker<z.ZodObject>, args: unknown): unknown {
  if (!isObject(args)) return args;
  const { shape } = taker.input;
  const fields = Object.entries(args).flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!(field instanceof z.ZodType)) return [[name, value]];
    refuseCrowded(taker, name, value);
    if (value === null || value === "") return field.safeParse(undefined).success ? [] : [[name, value]];
    return [[name, typeof value === "string" ? asTaken(taker, name, field, value) : value]];
  });
  return Object.fromEntries(fields);
}

/** Whether a value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the string itself if a string is allowed; otherwise the first valid value that can be read from it. Raises the
 * faults of a value that is too large.
 */
function asTaken(taker: Taker<z.ZodObject>, name: string, field: z.ZodType, text: string): unknown {
  const code = field.safeParse(text).error?.issues[0]?.code;
  const lower = text.trim().toLowerCase();
  if (code === "invalid_value") return field.safeParse(lower).success ? lower : text;
  if (code !== "invalid_type" && code !== "invalid_union") return text;
  refuseLarge(taker, name, text);
  for (const each of new Set([text, lower])) {
    const [reading] = jsonIn(each);
    refuseCrowded(taker, name, reading);
    if (reading !== undefined && reading !== null && field.safeParse(reading).success) return reading;
  }
  return text;
}

/** Parses a string as JSON. Returns an empty list if it is invalid or too long. */
export function jsonIn(text: string): unknown[] {
  if (text.length > limits.json_text_chars_max) return [];
  return unless(SyntaxError, () => [JSON.parse(text)]) ?? [];
}

/** Returns the message for a wrong argument whose schema defines no message. */
function plainWords(issue: z.core.$ZodRawIssue): string {
  const path = issue.path?.join(".") ?? "";
  if (path === "") return "The arguments must be an object with values by name.";
  const options = issue.code === "invalid_value" ? issue.values.map(String).join(", ") : "";
  const expected = issue.code === "invalid_type" ? `of type ${issue.expected}` : "a value that the tool accepts";
  return `${path} must be ${options === "" ? expected : `one of: ${options}`}. ${receivedValue(issue)}`;
}

/** What is wrong with one argument, and the step that corrects it. */
interface Problem {
  readonly message: string;
  readonly step: string;
}

function invalidArguments<In extends z.ZodObject>(taker: Taker<In>, args: unknown, error: z.ZodError): Fault {
  const names = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  const unknown = names
    .slice(0, unknown_shown_max)
    .map((name) => ({ name, meant: meantBy(name, taker.input, args, names) }));
  const renamed = new Set(unknown.flatMap(({ meant }) => meant));
  const wrong = error.issues
    .filter((issue) => issue.code !== "unrecognized_keys" || issue.path.length > 0)
    .map((issue) => wrongArgument(issue, taker.input, args, renamed));
  const problems = [...wrong, ...unknown.map(({ name, meant }) => unknownArgument(name, meant))];
  const more = names.length - unknown.length;
  const messages = [
    ...problems.map(({ message }) => message),
    ...(more > 0 ? [`${more} more unknown arguments.`] : []),
  ];
  const steps = problems.map(({ step }) => step).filter((step) => step !== "");
  const is_name_wrong = names.length > 0 || steps.some((step) => step.startsWith("add "));
  return new Fault(taker.bad_arguments ?? "invalid_argument", [...new Set(messages)].join(" "), [
    ...new Set(steps),
    is_name_wrong ? takes(taker) : "then send the call again",
  ]);
}

/** Lists the arguments of a tool. */
export function takes({ name, input }: Taker<z.ZodObject>): string {
  const names = Object.keys(input.shape);
  return names.length === 0 ? `${name} takes no arguments` : `${name} takes: ${names.join(", ")}`;
}

const unknown_shown_max = 5;

/** Describes an argument that is missing or has a wrong value; a missing one that is only misspelt has no step. */
function wrongArgument(
  issue: z.core.$ZodIssue,
  { shape }: z.ZodObject,
  args: unknown,
  renamed: ReadonlySet<string>,
): Problem {
  const { message } = issue;
  const name = String(issue.path[0] ?? "");
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (!(field instanceof z.ZodType)) return { message, step: "send the arguments as an object" };
  if (!isObject(args) || args[name] === undefined) return { message, step: renamed.has(name) ? "" : `add ${name}` };
  const is_optional = field.safeParse(undefined).success;
  return { message, step: `correct ${name}${is_optional ? ", or omit it" : ""}` };
}

function unknownArgument(name: string, suggestions: readonly string[]): Problem {
  const shown = JSON.stringify(name.slice(0, 80));
  const quoted = suggestions.map((other) => JSON.stringify(other)).join(" or ");
  return quoted === ""
    ? { message: `Unknown argument ${shown}.`, step: `omit ${shown}` }
    : { message: `Unknown argument ${shown}: did you mean ${quoted}?`, step: `write ${quoted} instead of ${shown}` };
}

/** Guesses which argument was meant: one with a similar spelling, one that shares a word, or the only missing one. */
function meantBy(name: string, { shape }: z.ZodObject, args: unknown, unknown: readonly string[]): string[] {
  const free = Object.keys(shape).filter((known) => !isObject(args) || !Object.hasOwn(args, known));
  const alike = nearest(name.toLowerCase(), free);
  if (alike.length > 0) return alike;
  const words = name
    .slice(0, limits.id_chars_max)
    .split(/[^a-zA-Z0-9]|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase());
  const shared = free.map((known) => ({ known, parts: known.split("_").filter((word) => words.includes(word)) }));
  // A single letter, as in `code_b`, does not show which argument was meant, but decides between similar ones.
  const related = shared.filter(({ parts }) => parts.some((word) => word.length > 1));
  const most = Math.max(...related.map(({ parts }) => parts.length));
  if (related.length > 0) return related.filter(({ parts }) => parts.length === most).map(({ known }) => known);
  const missing = free.filter(
    (known) => shape[known] instanceof z.ZodType && !shape[known].safeParse(undefined).success,
  );
  return unknown.length === 1 && missing.length === 1 ? missing : [];
}

/** Whether a JSON value is nested deeper than this limit. Parts beyond the limit are not examined. */
export function isDeeper(json: unknown, depth: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  return depth === 0 || Object.values(json).some((part) => isDeeper(part, depth - 1));
}
