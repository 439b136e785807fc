import { inflateRawSync } from "node:zlib";

/** The signatures of the records in a ZIP archive, and the lengths of their fixed parts. */
const end_record_length = 22;
const entry_record = { sign: 0x02014b50, length: 46 };
const local_record = { sign: 0x04034b50, length: 30 };
/** The maximum length of the comment that may follow the last record. */
const comment_bytes_max = 65_535;
/** Marks a size that is stored elsewhere (ZIP64); no supported file is that large. */
const elsewhere = 0xffffffff;

/** A part of an archive, as described in the archive's directory. */
interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/**
 * The parts; "broken" if the file is not an archive or its sizes are wrong; or the unpacked size, if it exceeds the
 * limit.
 */
export type Unpacked = { readonly parts: Record<string, Uint8Array> } | "broken" | { readonly bytes: number };

/**
 * Unpacks the parts of a ZIP archive whose names match. Before anything is unpacked, the sizes in its directory
 * determine whether it is too large, and no part can become larger than its entry says.
 */
export function unpacked(archive: Buffer, names: RegExp, bytes_max: number): Unpacked {
  try {
    const entries = entriesOf(archive)?.filter(({ name }) => names.test(name));
    if (!entries) return "broken";
    const bytes = entries.reduce((sum, { size }) => sum + size, 0);
    if (bytes > bytes_max) return { bytes };
    return { parts: Object.fromEntries(entries.map((entry) => [entry.name, contentsOf(archive, entry)])) };
  } catch (error) {
    // Catches positions outside the archive and errors from zlib, such as more bytes than the entry says.
    if (error instanceof RangeError || (error instanceof Error && "code" in error)) return "broken";
    throw error;
  }
}

function entriesOf(archive: Buffer): Entry[] | undefined {
  const first = Math.max(0, archive.length - end_record_length - comment_bytes_max);
  const end = archive.subarray(first).lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) return undefined;
  const entries: Entry[] = [];
  let at = archive.readUInt32LE(first + end + 16);
  for (let left = archive.readUInt16LE(first + end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entry_record.sign) return undefined;
    const [name_length, extra_length, comment_length] = [28, 30, 32].map((i) => archive.readUInt16LE(at + i));
    const start = at + entry_record.length;
    const entry = {
      name: archive.toString("utf8", start, start + (name_length ?? 0)),
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    };
    if ([entry.packed, entry.size, entry.at].includes(elsewhere)) return undefined;
    entries.push(entry);
    at = start + (name_length ?? 0) + (extra_length ?? 0) + (comment_length ?? 0);
  }
  return entries;
}

/** Unpacks one part. Raises system errors if the part is broken or larger than its entry says. */
function contentsOf(archive: Buffer, { at, method, packed, size }: Entry): Uint8Array {
  if (archive.readUInt32LE(at) !== local_record.sign) throw new RangeError("no part begins here");
  const start = at + local_record.length + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const coded = archive.subarray(start, start + packed);
  if (coded.length < packed || (method !== 0 && method !== 8)) throw new RangeError("a part is incomplete");
  const bytes = method === 0 ? coded : inflateRawSync(coded, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size) throw new RangeError("a part's size differs from that in its entry");
  return bytes;
}
