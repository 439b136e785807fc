import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import * as z from "zod/v4";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { withLock } from "../../../kernel/files/file_lock.ts";
import { writeWhole } from "../../../kernel/files/write_whole.ts";
import { http_limits } from "../limits.ts";
import { Quota, usual_quotas } from "../usage/quota.ts";
import { type Identity, scopes } from "./principal.ts";

const Token = z.strictObject({
  /** The principal's name, which owns models and jobs. */
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.@-]{0,63}$/, "a name has 1 to 64 letters, digits, or . @ _ -, the first a letter or digit"),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "the SHA-256 of the token in hexadecimal digits"),
  scopes: z.array(z.enum(scopes)).min(1),
  quota: Quota.optional(),
  expires: z.iso.datetime({ offset: true }).optional(),
});
const TokenFile = z.strictObject({
  tokens: z
    .array(Token)
    .max(10_000)
    // On a case-insensitive file system, the state of two such principals would be in the same folder.
    .refine((all) => {
      const names = new Set(all.map(({ name }) => name));
      return new Set([...names].map((name) => name.toLowerCase())).size === names.size;
    }, "two names differ only in case")
    // The calls of all tokens of a principal are counted together, so they share one quota.
    .superRefine((all, context) => {
      const quotas = new Map<string, string>();
      for (const { name, quota } of all) {
        const bounds = quotaText(quota);
        const other = quotas.get(name) ?? bounds;
        quotas.set(name, bounds);
        if (other === bounds) continue;
        const message = `the tokens of ${name} have different quotas (${other}; ${bounds}), but a principal has only one quota: give them the same quota, or remove the old tokens`;
        context.addIssue({ code: "custom", message });
        return;
      }
    }),
});

export type TokenEntry = z.output<typeof Token>;

/** The tokens in a file. The file is reread when it changes, so that a removed token is rejected at once. */
export class Tokens {
  readonly #file: string;
  readonly #quota: Quota;
  #entries: readonly TokenEntry[] = [];
  #stamp = "";
  #looked = Number.NEGATIVE_INFINITY;

  /** `quota` contains the default bounds of an entry. */
  constructor(file: string, quota: Quota = usual_quotas.token) {
    this.#file = file;
    this.#quota = quota;
  }

  /** Reads the file. Raises `invalid_argument` with the errors in it. */
  async load(): Promise<void> {
    const stamp = await this.#stampOf();
    this.#entries = readTokens(await readFile(this.#file, "utf8"), this.#file);
    this.#stamp = stamp;
  }

  /** Identifies a token's owner. */
  async identify(token: string): Promise<Identity> {
    await this.#refresh();
    const hash = createHash("sha256").update(token).digest();
    // All entries are compared, so that the timing reveals nothing about them.
    const [entry] = this.#entries.filter(({ sha256 }) => timingSafeEqual(Buffer.from(sha256, "hex"), hash));
    if (!entry) return { kind: "refused", reason: "the token is unknown" };
    const { name, scopes, expires } = entry;
    if (expires !== undefined && Date.parse(expires) <= Date.now())
      return { kind: "refused", reason: "the token has expired" };
    const quota = { ...this.#quota, ...entry.quota };
    return { kind: "known", principal: { id: `token:${name}`, name, folder: ["principals", name], scopes, quota } };
  }

  /** Rereads the file if it changed. If it can no longer be read, every token is rejected. */
  async #refresh(): Promise<void> {
    if (performance.now() - this.#looked < http_limits.tokens_look_ms) return;
    this.#looked = performance.now();
    try {
      if ((await this.#stampOf()) !== this.#stamp) await this.load();
    } catch (error) {
      this.#entries = [];
      this.#stamp = "";
      console.error(`The tokens could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #stampOf(): Promise<string> {
    try {
      const { mtimeMs, ctimeMs, size, ino } = await stat(this.#file);
      if (size > http_limits.tokens_bytes_max) throw invalid(this.#file, "it is larger than 1 MiB");
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw invalid(this.#file, `it could not be read (${errorCode(error)})`);
    }
  }
}

function readTokens(text: string, file: string): readonly TokenEntry[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid(file, "it is not JSON");
  }
  return wholeFile(json, file).tokens;
}

function wholeFile(json: unknown, file: string): z.output<typeof TokenFile> {
  const read = TokenFile.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(file, `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "unexpected"}`);
}

/** Formats a quota like `--quota`. */
function quotaText(quota: Quota = {}): string {
  const bounds = Object.entries(quota).map(([name, value]) => `${name}=${value}`);
  return bounds.toSorted().join(",") || "none of its own";
}

function invalid(file: string, reason: string): Fault {
  return new Fault("invalid_argument", `The token file ${file} can't be used: ${reason}.`, [
    "create a token with `verdict token NAME --file FILE`",
    `the file is {"tokens": [{"name", "sha256", "scopes", "quota"?, "expires"?}]} with the scopes ${scopes.join(", ")}`,
  ]);
}

/** The prefix of tokens created by Verdict. */
export const token_prefix = "vt_";

/** Creates a token for a principal, and adds its hash to the file. The token is shown once and not stored. */
export async function addToken(file: string, entry: Omit<TokenEntry, "sha256">, deadline: Deadline): Promise<string> {
  const token = `${token_prefix}${randomBytes(32).toString("base64url")}`;
  const sha256 = createHash("sha256").update(token).digest("hex");
  const added = Token.safeParse({ ...entry, sha256 });
  if (!added.success) throw invalid(file, added.error.issues[0]?.message ?? "the entry is not valid");
  const written = await withLock(file, deadline, async () => {
    const entries = await readFile(file, "utf8").then(
      (text) => readTokens(text, file),
      (error: unknown) => {
        if (errorCode(error) === "ENOENT") return [];
        throw error;
      },
    );
    const whole = wholeFile({ tokens: [...entries, added.data] }, file);
    await writeWhole(file, `${JSON.stringify(whole, null, 2)}\n`);
  });
  if (written === "expired") throw new Fault("busy", "Another process holds the token file.", ["try again"]);
  return token;
}
