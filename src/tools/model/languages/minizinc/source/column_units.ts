const time_form = /^(\d{1,4}):(\d{2})$/;
const date_form = /^\d{4}-\d{2}-\d{2}$/;
const day_ms = 86_400_000;

/** Converts a value to whole units; undefined if that is impossible. */
type InUnits = (value: unknown) => number | undefined;

/**
 * The columns derived from a table's columns, by the suffix of their names: MiniZinc can't compute with texts such as
 * `08:30`, and proves nothing that depends on decimals in floating point.
 */
export const column_units: Readonly<Record<string, InUnits>> = {
  minutes: (value) => {
    const [, hours, minutes] = time_form.exec(String(value)) ?? [];
    return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
  },
  days: (value) => {
    const date = new Date(date_form.test(String(value)) ? String(value) : Number.NaN);
    // The 30th of February would become a day in March.
    const is_day = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(String(value));
    return is_day ? date.getTime() / day_ms : undefined;
  },
  tenths: shifted(1),
  hundredths: shifted(2),
  thousandths: shifted(3),
};

/** An exact conversion by a power of ten; undefined for a number that has more decimals or no exact form. */
function shifted(places: number): InUnits {
  return (value) => {
    const [, sign = "", whole, decimals = ""] =
      (typeof value === "number" && /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))) || [];
    if (whole === undefined || decimals.length > places) return undefined;
    const units = Number(`${sign}${whole}${decimals.padEnd(places, "0")}`);
    return Number.isSafeInteger(units) ? units : undefined;
  };
}

/** A column in these units, with missing values kept; undefined if a value has no such units. */
export function inUnits(values: readonly unknown[], unit: InUnits): (number | null)[] | undefined {
  const units = values.map((value) => (value === null ? null : unit(value)));
  return units.every((each) => each !== undefined) ? units : undefined;
}
