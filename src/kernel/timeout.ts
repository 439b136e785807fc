import * as z from "zod/v4";
import { readArguments, type Taker } from "./arguments.ts";
import { Fault } from "./fault.ts";
import { limits } from "./limits.ts";
import { shown } from "./text/cut.ts";

const { timeout_ms_min, timeout_ms_max, timeout_ms_default } = limits;

/** Returns the message for an invalid time limit, as the tools' specification words it. */
function rangeWords(name: TimeArgument, max: number, given: unknown, standard: unknown): string {
  const { words, short } = time_arguments[name];
  return `Parameter "${name}" must be ${timeout_ms_min}-${max} (${words}). Given: ${shown(given)}. Omit for default ${String(standard)}${short}.`;
}

/**
 * The arguments that limit a call's time, with their units in ms. An ordinary call has the same time limit in either
 * unit.
 */
const time_arguments = {
  timeout_ms: { unit_ms: 1, words: "milliseconds", short: "ms" },
  timeout_seconds: { unit_ms: 1000, words: "whole seconds", short: "" },
} as const;
type TimeArgument = keyof typeof time_arguments;

const ordinary = (name: TimeArgument, standard: number) => {
  const max = timeout_ms_max / time_arguments[name].unit_ms;
  const error = ({ input }: { input?: unknown }) => rangeWords(name, max, input, standard);
  return { error, max };
};

const of_ms = ordinary("timeout_ms", timeout_ms_default);

/** The argument `timeout_ms`, the same for every tool that solves. */
export const timeout_ms = z
  .number({ error: of_ms.error })
  .min(timeout_ms_min, { error: of_ms.error })
  .max(of_ms.max, { error: of_ms.error })
  .meta({ type: "integer" })
  .default(timeout_ms_default);

/** Makes the argument `timeout_seconds` with its tool's default. */
export function timeoutSeconds(standard: number) {
  const { error, max } = ordinary("timeout_seconds", standard);
  return z.int({ error }).min(1, { error }).max(max, { error }).default(standard);
}

/**
 * Returns the arguments' schema as it is listed if a call may last up to `ms_max`. `readTimed` reads such arguments.
 */
export function timeoutUpTo(input: z.ZodObject, ms_max: number): z.ZodObject {
  const longer = Object.entries(time_arguments).flatMap(([name, { unit_ms }]) => {
    const field = input.shape[name];
    return field instanceof z.ZodType ? [[name, field.meta({ ...field.meta(), maximum: ms_max / unit_ms })]] : [];
  });
  return longer.length === 0 ? input : input.extend(Object.fromEntries(longer));
}

/**
 * Reads a call's arguments. If `ms_max` is given, the time limit may exceed that of an ordinary call, up to `ms_max`.
 * Raises the faults of `readArguments`.
 */
export function readTimed<In extends z.ZodObject>(
  taker: Taker<In>,
  args: unknown,
  ms_max: number | undefined,
): z.output<In> {
  const long = ms_max === undefined ? undefined : longLimit(taker, args, ms_max);
  if (!long) return readArguments(taker, args);
  // The schema allows only the time limit of an ordinary call.
  const read = readArguments(taker, { ...long.args, [long.name]: limits.timeout_ms_max / long.unit_ms });
  return { ...read, [long.name]: long.wanted };
}

/**
 * Returns a time limit that only a long call can have; undefined for any other limit. Raises a fault if the limit is
 * out of range.
 */
function longLimit(taker: Taker<z.ZodObject>, args: unknown, ms_max: number) {
  if (typeof args !== "object" || args === null) return undefined;
  const given = new Map<string, unknown>(Object.entries(args));
  for (const name of ["timeout_ms", "timeout_seconds"] as const) {
    const field = taker.input.shape[name];
    const value = given.get(name);
    if (!(field instanceof z.ZodType) || value === undefined || value === null || value === "") continue;
    const wanted = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
    if (field.safeParse(wanted).success) continue;
    const { unit_ms } = time_arguments[name];
    if (typeof wanted === "number" && Number.isInteger(wanted) && wanted > 0 && wanted * unit_ms <= ms_max)
      return { args, name, unit_ms, wanted };
    const range = rangeWords(name, ms_max / unit_ms, value, field.safeParse(undefined).data);
    throw new Fault(taker.bad_arguments ?? "invalid_argument", range, [
      `choose ${name} within this range, or omit it for the default of ${taker.name}`,
      "state the problem in smaller parts if it needs longer",
    ]);
  }
  return undefined;
}
