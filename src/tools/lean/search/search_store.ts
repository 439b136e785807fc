import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/v4";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { errorCode } from "../../../kernel/files/errno.ts";
import { withLock } from "../../../kernel/files/file_lock.ts";
import { writeWhole } from "../../../kernel/files/write_whole.ts";
import { limits } from "../../../kernel/limits.ts";
import { lean_limits } from "../limits.ts";
import { Search } from "./search.ts";

/** Stores searches in separate files, so that a search can continue after its server has ended. */
export class SearchStore {
  readonly #directory: string;

  constructor(data_directory: string) {
    this.#directory = join(data_directory, "lean", "searches");
  }

  /** Reads a search. Raises `invalid_input` if it does not exist or its file is damaged. */
  async read(search_id: string): Promise<Search> {
    try {
      if (!/^[0-9a-f]{12}$/.test(search_id)) throw missing(search_id);
      return Search.parse(JSON.parse(await readFile(this.#pathOf(search_id), "utf8")));
    } catch (error) {
      const damaged = error instanceof SyntaxError || error instanceof z.ZodError;
      if (errorCode(error) === "ENOENT" || damaged) throw missing(search_id);
      throw error;
    }
  }

  async write(search: Search): Promise<void> {
    await writeWhole(this.#pathOf(search.search_id), JSON.stringify(search));
    await this.#forgetOldest();
  }

  /** Runs a step of one search under a lock. */
  async alone<Result>(search_id: string, deadline: Deadline, work: () => Promise<Result>): Promise<Result> {
    if (!/^[0-9a-f]{12}$/.test(search_id)) throw missing(search_id);
    const done = await withLock(this.#pathOf(search_id), deadline.atMost(limits.file_wait_ms_max), work);
    if (done !== "expired") return done;
    throw new Fault("busy", "Another call is working on this search.", [
      "wait for its answer, then send this one again",
    ]);
  }

  #pathOf(search_id: string): string {
    return join(this.#directory, `${search_id}.json`);
  }

  async #forgetOldest(): Promise<void> {
    const files = (await readdir(this.#directory)).filter((name) => name.endsWith(".json"));
    if (files.length <= lean_limits.searches_max) return;
    const dated = await Promise.all(
      files.map(async (name) => {
        const path = join(this.#directory, name);
        return { path, at: (await stat(path)).mtimeMs };
      }),
    );
    const old = dated.sort((a, b) => b.at - a.at).slice(lean_limits.searches_max);
    await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  }
}

function missing(search_id: string): Fault {
  return new Fault("invalid_input", `There is no search ${JSON.stringify(search_id.slice(0, 40))}.`, [
    "start one: pass proof_state and no search_id",
    `only the last ${lean_limits.searches_max} searches are kept`,
  ]);
}
