import { Rational } from "../../../evidence/flatzinc/rational.ts";
import { isObject } from "../../../kernel/arguments.ts";

/**
 * A value in a form that all languages share, so that two values can be compared. Truth values are 1 and 0. Numbers are
 * exact fractions, even if they are given as strings. An object whose keys are consecutive integers is the list of its
 * values.
 */
export type Form = Leaf | readonly Form[];

interface Leaf {
  readonly kind: "number" | "text" | "other";
  readonly text: string;
}

/** Converts a value of an answer to the shared form. */
export function formOf(value: unknown): Form {
  if (Array.isArray(value)) return value.map(formOf);
  if (isObject(value)) return ofObject(value);
  if (typeof value === "boolean") return { kind: "number", text: value ? "1" : "0" };
  const text = typeof value === "number" || typeof value === "string" ? fractionIn(String(value)) : undefined;
  if (text !== undefined) return { kind: "number", text };
  // A number that ends with "?" is irrational: only its first digits are shown.
  const is_text = typeof value === "string" && !/^-?\d+\.\d*\?$/.test(value);
  return is_text ? { kind: "text", text: value } : { kind: "other", text: JSON.stringify(value) ?? "" };
}

function ofObject(value: object): Form {
  const entries = Object.entries(value).sort(([a], [b]) => Number(a) - Number(b) || (a < b ? -1 : 1));
  const first = Number(entries[0]?.[0]);
  const is_list = entries.every(([key], i) => /^-?\d+$/.test(key) && Number(key) === first + i);
  if (is_list) return entries.map(([, each]) => formOf(each));
  return entries.map(([key, each]) => [{ kind: "text", text: key } as const, formOf(each)]);
}

const digits_max = 1_000;

/** Returns a decimal number or fraction in lowest terms; undefined for any other text. */
function fractionIn(text: string): string | undefined {
  const [over = "", under = "1", ...more] = text.length > digits_max ? [] : text.split("/");
  const [top, bottom] = [Rational.read(over), Rational.read(under)];
  const number = more.length === 0 && top && bottom ? top.by(bottom) : undefined;
  return number && `${number.over}${number.isWhole ? "" : `/${number.under}`}`;
}

/**
 * Returns the kind of a form: the nesting depth of its lists, and their element type. The kinds decide whether two
 * forms can be compared.
 */
export function kindOf(form: Form): string {
  if (!isList(form)) return form.kind;
  const kinds = [...new Set(form.map(kindOf))].filter((each) => each !== empty_list);
  return kinds.length === 0 ? empty_list : `list of ${kinds.sort().join(" or ")}`;
}

const empty_list = "empty list";

/** Whether values of these kinds can be equal. An empty list matches any list. */
export function canCompare(one: string, other: string): boolean {
  if (one.includes("other") || other.includes("other")) return false;
  const is_empty = one === empty_list || other === empty_list;
  return one === other || (is_empty && one.includes("list") && other.includes("list"));
}

function isList(form: Form): form is readonly Form[] {
  return Array.isArray(form);
}

/** Returns all values of nested lists, in order. */
export function flat(form: Form): Form {
  if (!isList(form)) return form;
  return form.flatMap((each) => {
    const inner = flat(each);
    return isList(inner) ? inner : [inner];
  });
}

/** Returns the key of a form. Two forms are equal if their keys are equal. */
export function keyOf(form: Form): string {
  return isList(form) ? `[${form.map(keyOf).join(",")}]` : form.kind === "text" ? JSON.stringify(form.text) : form.text;
}
