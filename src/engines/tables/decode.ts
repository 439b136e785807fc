import { FileRefused } from "./table.ts";

/** A file as text, with the assumption made about its encoding, if any. */
export interface Decoded {
  readonly text: string;
  readonly remark?: string;
}

/**
 * Decodes a file: UTF-8, UTF-16 with a byte order mark, or Windows-1252. Raises `FileRefused` for a file that mixes
 * UTF-8 with another encoding, or that is not text.
 */
export function decoded(bytes: Uint8Array, name: string): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes) };
  if (bytes.includes(0))
    throw new FileRefused(`${name} is not a text file: it has null bytes.`, [
      "save it as CSV in UTF-8, or as XLSX with the extension .xlsx",
    ]);
  const whole = utf8(bytes);
  if (whole !== undefined) return { text: whole };
  const lines = linesOf(bytes);
  const broken = lines.findIndex((line) => utf8(line) === undefined);
  const is_mixed = lines.some((line) => line.some((byte) => byte > 0x7f) && utf8(line) !== undefined);
  if (is_mixed)
    throw new FileRefused(`${name} mixes two encodings: line ${broken + 1} is not UTF-8, but other lines are.`, [
      `save the file in UTF-8, after correcting line ${broken + 1}`,
    ]);
  return {
    text: windows1252(bytes),
    remark: "The file is not UTF-8 and was read as Windows-1252.",
  };
}

/** The characters of Windows-1252 from 0x80 to 0x9f, where it differs from Latin-1. */
const windows_signs = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Decodes Windows-1252. This should be a task for `TextDecoder`, but in Node 20 it decodes Latin-1 under this name. */
function windows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes).toString("latin1");
  return latin.replaceAll(/[\x80-\x9f]/g, (sign) => windows_signs.charAt(sign.charCodeAt(0) - 0x80));
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    // The decoder drops a UTF-8 byte order mark at the beginning.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...lines, bytes.subarray(start)];
}
