import * as z from "zod/v4";
import { readArguments, type Taker } from "./arguments.ts";
import { Fault } from "./fault.ts";
import { limits } from "./limits.ts";
import { shown } from "./text/shown.ts";

const { timeout_ms_min, timeout_ms_max, timeout_ms_default } = limits;

/** The message for an invalid timeout, as the specification of the tools words it. */
const error = ({ input }: { input?: unknown }) =>
  `Parameter "timeout_ms" must be ${timeout_ms_min}-${timeout_ms_max} (milliseconds). Given: ${shown(input)}. Omit for default ${timeout_ms_default}ms.`;

/** The argument `timeout_ms`, the same for every tool that solves. */
export const timeout_ms = z
  .number({ error })
  .min(timeout_ms_min, { error })
  .max(timeout_ms_max, { error })
  .meta({ type: "integer" })
  .default(timeout_ms_default);

/** The arguments that limit the time of a call, with their unit in ms; an ordinary call has the same limit in each. */
const time_arguments = {
  timeout_ms: { unit_ms: 1, words: "milliseconds" },
  timeout_seconds: { unit_ms: 1000, words: "whole seconds" },
} as const;

/** Arguments as they are listed where a call may last up to `ms_max`. They are read by `readTimed`. */
export function timeoutUpTo(input: z.ZodObject, ms_max: number): z.ZodObject {
  const longer = Object.entries(time_arguments).flatMap(([name, { unit_ms }]) => {
    const field = input.shape[name];
    return field instanceof z.ZodType ? [[name, field.meta({ ...field.meta(), maximum: ms_max / unit_ms })]] : [];
  });
  return longer.length === 0 ? input : input.extend(Object.fromEntries(longer));
}

/**
 * Reads the arguments of a call. One that may last longer than an ordinary call, up to `ms_max`, has a time limit of up
 * to that. Raises the faults of `readArguments`.
 */
export function readTimed<In extends z.ZodObject>(
  taker: Taker<In>,
  args: unknown,
  ms_max: number | undefined,
): z.output<In> {
  const long = ms_max === undefined ? undefined : longLimit(taker, args, ms_max);
  if (!long) return readArguments(taker, args);
  // The schema knows the limit of an ordinary call.
  const read = readArguments(taker, { ...long.args, [long.name]: limits.timeout_ms_max / long.unit_ms });
  return { ...read, [long.name]: long.wanted };
}

/** A time limit that only a long call can have; undefined for any other. */
function longLimit(taker: Taker<z.ZodObject>, args: unknown, ms_max: number) {
  if (typeof args !== "object" || args === null) return undefined;
  for (const [name, { unit_ms, words }] of Object.entries(time_arguments)) {
    const value: unknown = Object.hasOwn(taker.input.shape, name)
      ? Object.entries(args).find(([key]) => key === name)?.[1]
      : undefined;
    const wanted = typeof value === "string" ? Number(value) : value;
    if (typeof wanted !== "number" || !(wanted * unit_ms > limits.timeout_ms_max)) continue;
    if (wanted * unit_ms > ms_max || !Number.isInteger(wanted))
      throw tooLong(taker, name, words, ms_max / unit_ms, value);
    return { args, name, unit_ms, wanted };
  }
  return undefined;
}

function tooLong(
  { name: tool, bad_arguments }: Taker<z.ZodObject>,
  name: string,
  words: string,
  max: number,
  value: unknown,
): Fault {
  const range = `Parameter "${name}" must be 1-${max} (${words}). Given: ${shown(value)}.`;
  return new Fault(bad_arguments ?? "invalid_argument", range, [
    `give ${name} within this range, or leave it out for the default of ${tool}`,
    "state the problem in smaller parts if it needs longer",
  ]);
}
