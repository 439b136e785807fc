import { Fault } from "../../../kernel/fault.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";
import { model_limits } from "../limits.ts";

/** A step into a value: a list index or an object key. */
export type Step = number | string;

/** Returns the value with this name, or the part of it to which the steps lead. Raises `invalid_argument`. */
export function valueAt(values: Readonly<Record<string, unknown>>, name: string, steps: readonly Step[]): unknown {
  const named = member(values, name, "The solution", "value");
  return steps.reduce<unknown>((value, step, i) => {
    const where = stepsAsText(name, steps.slice(0, i));
    if (Array.isArray(value)) return element(value, step, where);
    if (isObject(value)) return member(value, String(step), where, "key");
    throw wrongStep(`${where} is ${JSON.stringify(value)}: it has no parts.`, `pass at most ${i} indices`);
  }, named);
}

/** Formats a name and steps as `board[2]["a"]`. */
export function stepsAsText(name: string, steps: readonly Step[]): string {
  return `${name}${steps.map((step) => `[${JSON.stringify(step)}]`).join("")}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function element(list: readonly unknown[], step: Step, where: string): unknown {
  if (typeof step === "number" && Number.isInteger(step) && step >= 0 && step < list.length) return list[step];
  if (list.length === 0) throw wrongStep(`${where} is an empty list.`, "omit the last index");
  const range = `0 to ${list.length - 1}`;
  throw wrongStep(
    `${where} is a list of ${list.length}: ${JSON.stringify(step)} is not a valid index. Valid: ${range}.`,
    `use an integer from ${range}`,
  );
}

function member(object: Readonly<Record<string, unknown>>, key: string, where: string, what: string): unknown {
  if (Object.hasOwn(object, key)) return object[key];
  const known = Object.keys(object);
  const suggestions = nearest(key, known).map((other) => JSON.stringify(other));
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(" or ")}?` : "";
  const listed = known.slice(0, model_limits.names_listed_max).map((other) => JSON.stringify(other));
  const more = known.length > listed.length ? `, and ${known.length - listed.length} more` : "";
  throw wrongStep(
    `${where} has no ${what} ${JSON.stringify(key)}.${hint}`,
    known.length > 0 ? `choose from: ${listed.join(", ")}${more}` : "it is empty: export values first",
    what === "value" ? 'name: "values" shows all values' : see_all,
  );
}

const see_all = "call get_solution without indices to see the whole value";

function wrongStep(message: string, step: string, other = see_all): Fault {
  return new Fault("invalid_argument", message, [step, other]);
}
