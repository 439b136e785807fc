import { limits } from "../limits.ts";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [list, object, end_of_list, end_of_object] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Returns what a JSON text has too much of, if anything. It is counted before parsing, since each value and each name
 * costs time.
 */
export function excessOf(json: Buffer): string | undefined {
  let [values, names, depth] = [0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === comma) values++;
    else if (byte === colon) names++;
    else if (byte === list || byte === object) {
      values++;
      if (++depth > limits.message_depth_max) return `is nested more than ${limits.message_depth_max} deep`;
    } else if (byte === end_of_list || byte === end_of_object) depth--;
  }
  const { message_names_max: names_max, message_values_max: values_max } = limits;
  if (names > names_max) return `has ${names} names in its objects, more than ${names_max}`;
  return values > values_max ? `has ${values} values, more than ${values_max}` : undefined;
}

/** Returns the position of a string's closing quote, or of the last byte if there is none. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(quote, start + 1); end >= 0; end = json.indexOf(quote, end + 1)) {
    let before = end;
    while (json[before - 1] === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
