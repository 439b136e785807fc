import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { extname, join } from "node:path";
import { engine_limits } from "../../engines/limits.ts";
import { makeDirectory } from "../../kernel/files/make_directory.ts";
import { removeStale } from "../../kernel/files/stale.ts";
import { endings } from "../../tools/model/data/roots.ts";
import type { Principal } from "./auth/principal.ts";
import { http_limits } from "./limits.ts";
import type { Refusal } from "./refusals.ts";

/** An uploaded file, not counting uploads in progress. */
interface Upload {
  readonly bytes: number;
  readonly sent_ms: number;
}

/** The uploads of one principal. */
interface Shelf {
  readonly directory: string;
  readonly files: Map<string, Upload>;
  /** The total size of the principal's files, including uploads in progress. */
  bytes: number;
  /** The number of uploads in progress. */
  open: number;
}

/** The stored information about an uploaded file, as returned to its sender. */
export interface Sent {
  readonly name: string;
  readonly bytes: number;
  readonly kept_until: string;
}

/**
 * A file name without directories, leading dots, and characters that have a special meaning for a system or a terminal.
 */
const name_form = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_ .()+-]*$/u;

/**
 * Data files uploaded by clients. Each principal has its own directory, which only its calls read; all directories are
 * deleted when the server ends, and each file expires.
 */
export class Uploads {
  readonly #base: string;
  readonly #shelves = new Map<string, Shelf>();
  readonly #kept_ms: number;
  readonly #sweep: NodeJS.Timeout;

  constructor(
    parent: string,
    kept_ms: number = http_limits.upload_kept_ms_max,
    sweep_ms: number = http_limits.session_sweep_ms,
  ) {
    removeStale(parent, "verdict-files-");
    this.#base = join(parent, `verdict-files-${process.pid}-${randomUUID()}`);
    this.#kept_ms = kept_ms;
    this.#sweep = setInterval(() => this.#removeOld(), sweep_ms).unref();
  }

  /** Returns the directory for a principal's files. It exists once the first file has been uploaded. */
  directoryOf({ id }: Pick<Principal, "id">): string {
    return join(this.#base, createHash("sha256").update(id).digest("hex"));
  }

  /** Stores a request's body under a name, atomically. */
  async put(
    principal: Principal,
    coded_name: string,
    request: IncomingMessage,
    onBytes: (count: number) => void,
  ): Promise<Sent | Refusal> {
    const name = nameIn(coded_name);
    if (name === undefined) return bad_name;
    const shelf = this.#shelfOf(principal);
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > engine_limits.table_file_bytes_max) return too_large;
    if (!this.#room(shelf, name) || declared > this.#bytesLeft(shelf)) return full;
    shelf.open++;
    try {
      await makeDirectory(shelf.directory);
      return await this.#take(shelf, name, request, onBytes);
    } finally {
      shelf.open--;
    }
  }

  async #take(
    shelf: Shelf,
    name: string,
    request: IncomingMessage,
    onBytes: (count: number) => void,
  ): Promise<Sent | Refusal> {
    const part = join(this.#base, `part-${randomUUID()}`);
    const file = await open(part, "wx", 0o600);
    let size = 0;
    try {
      // With `destroyOnReturn: false`, a rejection can still be sent.
      for await (const piece of request.iterator({ destroyOnReturn: false })) {
        if (!(piece instanceof Buffer)) continue;
        onBytes(piece.length);
        if (size + piece.length > engine_limits.table_file_bytes_max) return too_large;
        if (piece.length > this.#bytesLeft(shelf)) return full;
        size += piece.length;
        shelf.bytes += piece.length;
        await file.write(piece);
      }
      if (!request.complete) throw new Error("the request was cut off");
      // Other files may have been uploaded in the meantime.
      if (!this.#room(shelf, name)) return full;
      await rename(part, join(shelf.directory, name));
      return this.#keep(shelf, name, size);
    } finally {
      shelf.bytes -= size;
      await file.close();
      await rm(part, { force: true });
    }
  }

  /** Deletes a file. Returns false if it does not exist. */
  remove(principal: Principal, coded_name: string): boolean {
    const name = nameIn(coded_name);
    const shelf = this.#shelves.get(principal.id);
    return name !== undefined && shelf !== undefined && this.#drop(shelf, name);
  }

  close(): void {
    clearInterval(this.#sweep);
    rmSync(this.#base, { recursive: true, force: true });
  }

  #shelfOf(principal: Principal): Shelf {
    const shelf = this.#shelves.get(principal.id) ?? {
      directory: this.directoryOf(principal),
      files: new Map<string, Upload>(),
      bytes: 0,
      open: 0,
    };
    this.#shelves.set(principal.id, shelf);
    return shelf;
  }

  #room({ files }: Shelf, name: string): boolean {
    return files.has(name) || files.size < http_limits.uploads_max;
  }

  #bytesLeft({ bytes }: Shelf): number {
    const all = [...this.#shelves.values()].reduce((sum, shelf) => sum + shelf.bytes, 0);
    return Math.min(http_limits.upload_bytes_max - bytes, http_limits.uploads_bytes_max - all);
  }

  #keep(shelf: Shelf, name: string, bytes: number): Sent {
    const sent_ms = Date.now();
    shelf.bytes += bytes - (shelf.files.get(name)?.bytes ?? 0);
    shelf.files.set(name, { bytes, sent_ms });
    return { name, bytes, kept_until: new Date(sent_ms + this.#kept_ms).toISOString() };
  }

  #drop(shelf: Shelf, name: string): boolean {
    const file = shelf.files.get(name);
    if (!file) return false;
    shelf.files.delete(name);
    shelf.bytes -= file.bytes;
    // The file is deleted synchronously, so that a new file with the same name is not deleted.
    rmSync(join(shelf.directory, name), { force: true });
    return true;
  }

  #removeOld(): void {
    const before = Date.now() - this.#kept_ms;
    for (const [id, shelf] of this.#shelves) {
      for (const [name, { sent_ms }] of shelf.files) if (sent_ms < before) this.#drop(shelf, name);
      if (shelf.files.size === 0 && shelf.open === 0) this.#shelves.delete(id);
    }
  }
}

/** Returns the file name in a request's URL; undefined if the name is not allowed. */
function nameIn(coded: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(coded).normalize("NFC");
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
  const is_short = Buffer.byteLength(name) <= http_limits.upload_name_bytes_max;
  return is_short && name_form.test(name) && endings.includes(extname(name).toLowerCase()) ? name : undefined;
}

const bad_name: Refusal = {
  status: 400,
  code: -32_600,
  message: `A file name consists of letters, digits, spaces and . _ - + ( ), without a directory, and has one of the extensions ${endings.join(", ")}: PUT /files/staff.csv`,
};

const too_large: Refusal = {
  status: 413,
  code: -32_600,
  message: `A file can have at most ${engine_limits.table_file_bytes_max / 1e6} MB: send the part that the model needs`,
  headers: { connection: "close" },
};

const full: Refusal = {
  status: 507,
  code: -32_000,
  message: `There is no room: a principal can have at most ${http_limits.uploads_max} files and ${http_limits.upload_bytes_max / 1e6} MB, and all principals together ${http_limits.uploads_bytes_max / 1e6} MB. DELETE /files/NAME removes a file`,
  headers: { connection: "close" },
};
