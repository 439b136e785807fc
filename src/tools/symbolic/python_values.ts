/** Python values in the form in which answers show them. */
import * as z from "zod/v4";
import { floatOfBits, type PythonValue } from "../../prover/index.ts";

/** Values by name, each of them exact and with its type. */
export const exact_values = z
  .record(z.string(), z.unknown())
  .describe(
    'plain JSON, or {"python": expression} where JSON has no such value: {"python": "10**5000"}, {"python": "-1.0"}',
  );

/** Converts a value to plain JSON, or to `{"python": expression}` if JSON can't represent exactly the same value. */
export function exactJson(value: PythonValue): unknown {
  switch (value.type) {
    case "none":
      return null;
    case "bool":
      return value.value;
    case "str":
      return String.fromCodePoint(...value.codes);
    case "list":
      return value.items.map(exactJson);
    case "int":
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : { python: value.value };
    case "float": {
      const number = floatOfBits(value.value);
      return Number.isFinite(number) && !Number.isInteger(number) ? number : { python: pythonText(value) };
    }
    default:
      return { python: pythonText(value) };
  }
}

/** Converts a value to a Python expression. */
export function pythonText(value: PythonValue): string {
  switch (value.type) {
    case "none":
      return "None";
    case "bool":
      return value.value ? "True" : "False";
    case "int":
      return value.value;
    case "str":
      return JSON.stringify(String.fromCodePoint(...value.codes));
    case "list":
      return `[${value.items.map(pythonText).join(", ")}]`;
    case "tuple":
      return `(${value.items.map(pythonText).join(", ")}${value.items.length === 1 ? "," : ""})`;
    case "enum":
      return `${value.class}.${value.name}`;
    case "record": {
      const fields = Object.entries(value.fields).map(([name, each]) => `${name}=${pythonText(each)}`);
      return `${value.class}(${fields.join(", ")})`;
    }
    case "set":
      return value.items.length > 0 ? `{${value.items.map(pythonText).join(", ")}}` : "set()";
    case "dict":
      return `{${value.entries.map((pair) => pair.map(pythonText).join(": ")).join(", ")}}`;
    default:
      return floatText(floatOfBits(value.value));
  }
}

function floatText(number: number): string {
  if (Number.isNaN(number)) return 'float("nan")';
  if (!Number.isFinite(number)) return `float("${number < 0 ? "-" : ""}inf")`;
  const text = Object.is(number, -0) ? "-0" : String(number);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
