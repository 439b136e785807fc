import type { Grid } from "./figures/figure.ts";
import { type Scalar, shown, type Tree, treeOf } from "./json.ts";

/** A calendar event, which takes a whole day, or lasts from one local time to another. */
interface Event {
  readonly what: string;
  readonly from: string;
  readonly to: string | undefined;
}

const moment = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const begin = /(?:^|_)(?:start|starts|begin|begins|from|date|day|since|at)$/i;
/**
 * Patterns that decide, in order, which field is the beginning if several qualify; if none matches, any of the fields
 * is used.
 */
const begin_order = [
  /(?:^|_)(?:start|starts|begin|begins|from)(?:_|$)/i,
  /^(?!date$)(?!(?:.*_)?(?:due|deadline|end|ends|finish|until)(?:_|$))/i,
  /^date$/i,
];
const end = /(?:^|_)(?:end|ends|finish|to|until)$/i;
/** The maximum length of a line in bytes (RFC 5545, 3.1). */
const line_bytes_max = 75;

/**
 * Converts the dates in values to a calendar (RFC 5545): an event for each row with a date, and for each value in a
 * table whose rows or columns are dates. Undefined if there are none.
 */
export function calendarOf(values: Tree, tables: readonly Grid[], now: Date = new Date()): string | undefined {
  const events = [...Object.values(values).flatMap(eventsOfRows), ...tables.flatMap(eventsOfTable)];
  if (events.length === 0) return undefined;
  const counts = new Map<string, number>();
  const stamp = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const lines = events.flatMap((event) => {
    const name = `${coded(event.from)}-${encodeURIComponent(event.what.replaceAll(/\p{Cs}/gu, "")).slice(0, 200)}`;
    // An event gets the same id each time it is saved.
    let count = counts.get(name) ?? 0;
    let id = name;
    while (counts.has(id)) id = `${name}-${++count}`;
    counts.set(name, count).set(id, 1);
    return [
      "BEGIN:VEVENT",
      `UID:${id}@verdict`,
      `DTSTAMP:${stamp}`,
      ...times(event),
      `SUMMARY:${escaped(event.what)}`,
      "END:VEVENT",
    ];
  });
  const whole = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Verdict//Verdict//EN", ...lines, "END:VCALENDAR"];
  return whole.map((line) => `${folded(line)}\r\n`).join("");
}

/** Returns an event for each row with a beginning in a list of objects. */
function eventsOfRows(value: unknown): Event[] {
  const rows = Array.isArray(value) ? value.map(treeOf) : [];
  return rows.flatMap((row) => {
    const fields = Object.entries(row ?? {});
    const dates = fields.filter(([name, each]) => begin.test(name) && isMoment(each));
    const [from_name, from] =
      begin_order.flatMap((names) => dates.filter(([name]) => names.test(name))).concat(dates)[0] ?? [];
    if (!isMoment(from)) return [];
    // An end before the beginning does not count as an end, and is treated like any other field.
    const [to_name, to] = fields.find(([name, each]) => end.test(name) && isMoment(each) && isAfter(each, from)) ?? [];
    const others = fields.filter(
      ([name, each]) => name !== from_name && name !== to_name && (isSaid(each) || each === 0 || each === false),
    );
    const isPlain = (value: unknown) => typeof value === "string" && !isMoment(value);
    const what = others.map(([name, each]) => (isPlain(each) ? each : `${name} ${shown(each)}`)).join(", ");
    return [{ what: what || "event", from, to: isMoment(to) ? to : undefined }];
  });
}

/** Whether an end is not before its beginning; an end without a time means the end of that day. */
function isAfter(to: string, from: string): boolean {
  return to.length > 10 ? withTime(to) >= withTime(from) : to >= from.slice(0, 10);
}

/** Returns the events in a table whose columns or rows are dates. */
function eventsOfTable({ title, cells, row_labels, column_labels: shortened, corner = "" }: Grid): Event[] {
  const column_labels = shortened?.map((each) => `${corner.replace(/…$/, "")}${each}`);
  const in_columns = areMoments(column_labels);
  if (!in_columns && !areMoments(row_labels)) return [];
  return cells.flatMap((row, i) =>
    row.flatMap((cell, j) => {
      const [from, other] = in_columns ? [column_labels?.[j], row_labels?.[i]] : [row_labels?.[i], column_labels?.[j]];
      if (from === undefined || !isSaid(cell)) return [];
      const is_yes = cell === 1 || cell === true;
      return [{ what: [other ?? title, ...(is_yes ? [] : [shown(cell)])].join(": "), from, to: undefined }];
    }),
  );
}

/** Whether a value means that something takes place. */
function isSaid(value: unknown): value is Scalar {
  return value !== null && value !== 0 && value !== false && value !== "" && value !== "-" && typeof value !== "object";
}

/** A calendar date, with or without a time of day. */
function isMoment(value: unknown): value is string {
  if (typeof value !== "string" || !moment.test(value)) return false;
  const [date = "", time = "00:00"] = value.split(/[T ]/);
  const parsed = new Date(`${date}T${time}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

function areMoments(labels: readonly string[] | undefined): boolean {
  return labels !== undefined && labels.length > 0 && labels.every(isMoment);
}

/** Writes an event's start and end. A day without a time lasts until midnight, so its end is the following day. */
function times({ from, to = from }: Event): string[] {
  const after = new Date(Date.parse(`${to.slice(0, 10)}T00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  if (from.length > 10 || to.length > 10)
    return [`DTSTART:${withTime(from)}`, ...(to === from ? [] : [`DTEND:${withTime(to.length > 10 ? to : after)}`])];
  return [`DTSTART;VALUE=DATE:${coded(from)}`, `DTEND;VALUE=DATE:${coded(after)}`];
}

function withTime(text: string): string {
  return coded(`${text.replace(" ", "T")}${text.length > 10 ? "" : "T00:00"}${text.length > 16 ? "" : ":00"}`);
}

function coded(text: string): string {
  return text.replace(" ", "T").replaceAll(/[-:]/g, "");
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll(/\r\n?|\n/g, "\\n")
    .replaceAll(/\p{Cc}/gu, "");
}

/** Folds a long line into continuation lines that begin with a space, without splitting a character. */
function folded(line: string): string {
  let bytes = 0;
  let text = "";
  for (const sign of line) {
    const more = new TextEncoder().encode(sign).length;
    if (bytes + more > line_bytes_max) {
      text += "\r\n ";
      bytes = 1;
    }
    text += sign;
    bytes += more;
  }
  return text;
}
