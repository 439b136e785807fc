import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { errorCode } from "../../kernel/files/errno.ts";
import { withLock } from "../../kernel/files/file_lock.ts";
import { writeWhole } from "../../kernel/files/write_whole.ts";
import { limits } from "../../kernel/limits.ts";
import { cut } from "../../kernel/text/cut.ts";
import { lean_limits } from "./limits.ts";
import { headOf, type Outcome } from "./outcome.ts";

const Entry = z.object({
  state: z.string(),
  tactic: z.string(),
  verdict: z.enum(["proved", "closed", "progress", "no_progress", "failed", "timed_out"]),
  model: z.string().nullable(),
  at: z.string(),
});
type Entry = z.output<typeof Entry>;

const Step = z.object({ tactic: z.string(), verdict: Entry.shape.verdict, open_goals: z.number(), at: z.string() });
const Proof = z.object({ steps: z.array(Step), open_goals: z.number(), state: z.string().nullable(), at: z.string() });
export type Proof = z.output<typeof Proof>;

const Book = z.object({ outcomes: z.array(Entry), proofs: z.record(z.string(), Proof) });
type Book = z.output<typeof Book>;

/** How often tactics with the same first word made progress. */
export interface HeadCount {
  readonly head: string;
  readonly tried: number;
  readonly worked: number;
}

export interface Entries {
  readonly state: string;
  readonly outcomes: readonly Outcome[];
  readonly model: string | null;
}

const empty: Book = { outcomes: [], proofs: {} };

/** Records the outcomes of tactics in Lean in one file per user. Several servers can use the file at once. */
export class Ledger {
  readonly #path: string;
  #known: { readonly version: string; readonly book: Book } | undefined;

  constructor(data_directory: string) {
    this.#path = join(data_directory, "lean", "outcomes.json");
  }

  /** Returns the tactics that Lean refused in this state, except those that worked later. */
  async failedIn(state: string): Promise<ReadonlySet<string>> {
    const key = keyOf(state);
    const last = new Map<string, Entry["verdict"]>();
    for (const entry of (await this.#read()).outcomes) if (entry.state === key) last.set(entry.tactic, entry.verdict);
    const failed = ["failed", "no_progress", "timed_out"];
    return new Set([...last].filter(([, verdict]) => failed.includes(verdict)).map(([tactic]) => tactic));
  }

  /** Records the outcomes of attempts. */
  async record({ state, outcomes, model }: Entries, deadline: Deadline): Promise<void> {
    const at = new Date().toISOString();
    const short = outcomes.filter(({ tactic }) => tactic.length <= lean_limits.tactic_chars_max);
    const added = short.map(({ tactic, verdict }) => ({ state: keyOf(state), tactic, verdict, model, at }));
    await this.#change(deadline, (book) => ({
      ...book,
      outcomes: [...book.outcomes, ...added].slice(-lean_limits.outcomes_max),
    }));
  }

  /** Records a step that was written into a proof. Returns the current proof. */
  async step(proof_id: string, { tactic, verdict, state, goals }: Outcome, deadline: Deadline): Promise<Proof> {
    const at = new Date().toISOString();
    const book = await this.#change(deadline, ({ outcomes, proofs }) => {
      const { [proof_id]: before, ...others } = proofs;
      const shown = cut(tactic, lean_limits.tactic_chars_max);
      const steps = [...(before?.steps ?? []), { tactic: shown, verdict, open_goals: goals, at }];
      const state_cut = state && cut(state, limits.answer_lines_chars_max);
      const proof = { steps: steps.slice(-lean_limits.proof_steps_max), open_goals: goals, state: state_cut, at };
      const newest_first = Object.entries(others).toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1));
      return {
        outcomes,
        proofs: { [proof_id]: proof, ...Object.fromEntries(newest_first.slice(0, lean_limits.proofs_max - 1)) },
      };
    });
    const proof = Object.hasOwn(book.proofs, proof_id) ? book.proofs[proof_id] : undefined;
    if (!proof) throw new Error("the proof was just written");
    return proof;
  }

  async proof(proof_id: string): Promise<Proof | undefined> {
    const { proofs } = await this.#read();
    return Object.hasOwn(proofs, proof_id) ? proofs[proof_id] : undefined;
  }

  /**
   * Returns the first words of tactics, the most tried first. If outcomes are given, only their first words are
   * returned, because the list is long.
   */
  async heads(outcomes: readonly Outcome[]): Promise<HeadCount[]> {
    const asked_heads = new Set(outcomes.map(({ tactic }) => headOf(tactic)));
    const counts = new Map<string, { tried: number; worked: number }>();
    for (const entry of (await this.#read()).outcomes) {
      const head = headOf(entry.tactic);
      if (asked_heads.size > 0 && !asked_heads.has(head)) continue;
      const count = counts.get(head) ?? { tried: 0, worked: 0 };
      count.tried++;
      if (entry.verdict === "proved" || entry.verdict === "progress" || entry.verdict === "closed") count.worked++;
      counts.set(head, count);
    }
    const all = [...counts].map(([head, count]) => ({ head, ...count }));
    return all.sort((a, b) => b.tried - a.tried).slice(0, lean_limits.heads_listed_max);
  }

  /** Returns the current contents of the file. The file is reread only if it has changed. */
  async #read(): Promise<Book> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (this.#known?.version !== version)
        this.#known = { version, book: Book.parse(JSON.parse(await readFile(this.#path, "utf8"))) };
      return this.#known.book;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return empty;
      throw unreadableLedger(error);
    }
  }

  async #change(deadline: Deadline, edit: (book: Book) => Book): Promise<Book> {
    const changed = await withLock(this.#path, deadline.atMost(limits.file_wait_ms_max), async () => {
      const book = edit(await this.#read());
      await writeWhole(this.#path, JSON.stringify(book));
      return book;
    }).catch((error: unknown) => {
      throw unreadableLedger(error);
    });
    if (changed !== "expired") return changed;
    throw new Fault("busy", "Another server is busy with the outcomes; nothing was recorded.", [
      "send it again in a moment",
      "if this continues, stop other Verdict servers that hang",
    ]);
  }
}

/** Returns a short hash of a state. States are long and belong to the user, so only the hash is stored. */
function keyOf(state: string): string {
  return createHash("sha256").update(state).digest("hex").slice(0, 24);
}

function unreadableLedger(error: unknown): unknown {
  const code = errorCode(error);
  const damaged = error instanceof SyntaxError || error instanceof z.ZodError;
  if (error instanceof Fault || (code === undefined && !damaged)) return error;
  return new Fault(
    "engine_failed",
    `The outcomes file can't be ${damaged ? "read: it is damaged" : `used (${code})`}.`,
    [
      "ask the user to move outcomes.json out of `lean` in Verdict's data directory",
      "or to check that directory's permissions and free space",
    ],
  );
}
