import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FileStore } from "../../src/jobs/files/file_store.ts";
import { type Ending, freshId, isId, type JobHead } from "../../src/jobs/job.ts";
import { job_limits } from "../../src/jobs/limits.ts";
import { removeDirectory } from "../support/directories.ts";
import { emptyDirectory, headOfDead } from "../support/jobs.ts";

const question = { tool: "slow", arguments: { n: 3, text: "ä\n" } };
const answer: Ending = { answer: { structured: { status: "ok", value: 3 }, text: ["three", "a remark"] } };
const isRunning = async (head: JobHead) => head.state === "running";
const day_ms = 24 * 3_600_000;

function opened(clock?: () => number) {
  const directory = emptyDirectory();
  return { directory, store: new FileStore(directory, clock) };
}

describe("an id", () => {
  it("has a hundred random bits and no path in it", () => {
    const ids = new Set(Array.from({ length: 1_000 }, freshId));
    expect(ids.size).toBe(1_000);
    expect([...ids].every(isId)).toBe(true);
    expect([...ids][0]?.length).toBe(21);
    for (const text of ["", "j", "../secret", `${freshId()}/`, freshId().toUpperCase(), `${freshId()}.head`])
      expect(isId(text), text).toBe(false);
  });
});

describe("a kept job", () => {
  it("is read by another store of the same directory, word for word", async () => {
    const { directory, store } = opened();
    const head = headOfDead();
    await store.begin(head, question);
    const other = new FileStore(directory);
    expect(await other.head(head.id)).toEqual({ part: head });
    expect(await other.question(head.id)).toEqual({ part: question });
    expect(await other.ending(head.id)).toBeUndefined();
    const done = { ...head, state: "done" as const, ended_ms: 5 };
    await store.end(done, answer);
    expect(await other.head(head.id)).toEqual({ part: done });
    expect(await other.ending(head.id)).toEqual({ part: answer });
    expect(await other.latest("ann", 2_000)).toEqual([done]);
  });

  it("is left out of a list where its head is not a file", async () => {
    const { directory, store } = opened();
    const good = headOfDead();
    await store.begin(good, question);
    const path = () => join(directory, `${freshId()}.head.json`);
    mkdirSync(path());
    symlinkSync("/dev/zero", path());
    execFileSync("mkfifo", [path()]);
    vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await store.latest("ann", 10)).toEqual([good]);
  });

  it("can't be looked for where the data directory is a file", async () => {
    const file = join(emptyDirectory(), "file");
    writeFileSync(file, "");
    await expect(new FileStore(join(file, "jobs")).latest("ann", 10)).rejects.toMatchObject({ code: "engine_failed" });
  });

  it("keeps a key called __proto__ in its question and its answer", async () => {
    const { store } = opened();
    const head = headOfDead();
    const odd = JSON.parse('{"__proto__":{"x":1}}');
    await store.begin(head, { tool: "slow", arguments: odd });
    await store.end(head, { answer: { structured: odd, text: ["odd"] } });
    expect(JSON.stringify(await store.question(head.id))).toContain('"__proto__":{"x":1}');
    expect(JSON.stringify(await store.ending(head.id))).toContain('"__proto__":{"x":1}');
  });

  it("keeps a fault with its steps, its position and its details", async () => {
    const { store } = opened();
    const head = headOfDead();
    const fault = { code: "syntax_error", message: "No.", steps: ["a", "b"] } as const;
    const ending = {
      fault: {
        ...fault,
        steps: [...fault.steps],
        position: { item: 1, line: 2, column: 3 },
        details: { error_type: "X" },
      },
    };
    await store.begin(head, null);
    await store.end({ ...head, state: "failed" }, ending);
    expect(await store.ending(head.id)).toEqual({ part: ending });
    expect(await store.question(head.id)).toEqual({ part: null });
  });

  it.skipIf(process.platform === "win32")("can be read by its owner only", async () => {
    const { directory, store } = opened();
    const head = headOfDead();
    await store.begin(head, question);
    await store.note(head);
    await store.askCancel(head.id);
    await store.end(head, answer);
    const files = readdirSync(directory);
    expect(files.length).toBe(3);
    for (const file of files) expect(statSync(join(directory, file)).mode & 0o777, file).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });
});

describe("a damaged file", () => {
  it.each(["head", "question", "ending"] as const)(
    "cut in the middle of its %s is unreadable at every length",
    async (part) => {
      const { directory, store } = opened();
      const head = headOfDead();
      await store.begin(head, question);
      await store.end(head, answer);
      const file = join(directory, `${head.id}.${part}.json`);
      const whole = readFileSync(file);
      for (let length = whole.length - 1; length >= 0; length -= Math.ceil(whole.length / 20)) {
        writeFileSync(file, whole);
        truncateSync(file, length);
        expect(await store[part](head.id), `${length} bytes`).toBe("unreadable");
      }
      writeFileSync(file, whole);
      expect(await store[part](head.id)).toHaveProperty("part");
    },
  );

  it.each(["[]", "null", "{}", '{"version":2}', '"text"', "\0\0\0"])(
    "with %j in it is unreadable, too",
    async (text) => {
      const { directory, store } = opened();
      const head = headOfDead();
      await store.begin(head, question);
      await store.end(head, answer);
      for (const part of ["head", "question", "ending"] as const) {
        writeFileSync(join(directory, `${head.id}.${part}.json`), text);
        expect(await store[part](head.id), part).toBe("unreadable");
      }
      expect(await store.latest("ann", 2_000)).toEqual([]);
    },
  );

  it("of one job does not stand for another one", async () => {
    const { directory, store } = opened();
    const [one, two] = [headOfDead(), headOfDead()];
    await store.begin(one, question);
    writeFileSync(join(directory, `${two.id}.head.json`), readFileSync(join(directory, `${one.id}.head.json`)));
    expect(await store.head(two.id)).toBe("unreadable");
  });

  it("is deleted with the others of its job in time", async () => {
    let now = Date.now();
    const { directory, store } = opened(() => now);
    const head = headOfDead();
    await store.begin(head, question);
    writeFileSync(join(directory, `${head.id}.head.json`), "{");
    now += job_limits.kept_ms_max - day_ms;
    await store.sweep(new Set(), isRunning);
    expect(readdirSync(directory).length).toBe(2);
    now += 2 * day_ms;
    await store.sweep(new Set(), isRunning);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("old jobs", () => {
  /** A job of a process that has ended. */
  async function kept(directory: string, ended_ms: number | null, state: JobHead["state"] = "done") {
    const store = new FileStore(directory);
    const head = headOfDead({ state, ended_ms });
    await store.begin(head, question);
    if (state === "done") await store.end(head, answer);
    return head.id;
  }
  const idsIn = async (store: FileStore) => (await store.latest("ann", 2_000)).map(({ id }) => id).toSorted();

  it("are deleted after a week, all their files; running and spared ones are not", async () => {
    const { directory, store } = opened();
    const long_ago = Date.now() - job_limits.kept_ms_max - 1_000;
    const [young, old, running, spared] = [
      await kept(directory, Date.now() - job_limits.kept_ms_max + 60_000),
      await kept(directory, long_ago),
      await kept(directory, null, "running"),
      await kept(directory, long_ago),
    ];
    await store.sweep(new Set([spared]), isRunning);
    expect(await idsIn(store)).toEqual([young, running, spared].toSorted());
    expect(readdirSync(directory).filter((file) => file.startsWith(old))).toEqual([]);
  });

  it("are deleted when there are too many, the oldest first", async () => {
    const { store } = opened();
    const ids: string[] = [];
    for (let i = 0; i < job_limits.kept_max + 5; i++) {
      const head = headOfDead({ state: "done", ended_ms: Date.now() - 10_000 + i });
      await store.note(head);
      ids.push(head.id);
    }
    await store.sweep(new Set(), isRunning);
    expect(await idsIn(store)).toEqual(ids.slice(5).toSorted());
  });

  it("are deleted when they are too large together, the oldest first", async () => {
    const { directory, store } = opened();
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) {
      const head = headOfDead({ state: "done", ended_ms: Date.now() - 10_000 + i });
      await store.note(head);
      const ending = join(directory, `${head.id}.ending.json`);
      writeFileSync(ending, "");
      truncateSync(ending, 30 * 1024 ** 2);
      ids.push(head.id);
    }
    await store.sweep(new Set(), isRunning);
    expect(await idsIn(store)).toEqual(ids.slice(2).toSorted());
  });

  it("are not read for that, nor for a list of the latest ones", async () => {
    const { directory, store } = opened();
    const ids: string[] = [];
    for (let i = 0; i < 100; i++) {
      const head = headOfDead({ state: "done", ended_ms: Date.now() - 100_000 + i * 100 });
      await store.note(head);
      ids.unshift(head.id);
    }
    // What is not read can't be seen to be damaged.
    for (const id of ids.slice(60)) {
      const file = join(directory, `${id}.head.json`);
      const { mtime } = statSync(file);
      writeFileSync(file, "{");
      utimesSync(file, mtime, mtime);
    }
    const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => complaints.mockRestore());
    expect((await store.latest("ann", 50)).map(({ id }) => id)).toEqual(ids.slice(0, 50));
    await store.sweep(new Set(), isRunning);
    expect(complaints).not.toHaveBeenCalled();
    expect(await store.latest("bob", 50)).toEqual([]);
    expect(complaints).toHaveBeenCalledTimes(40);
  });

  it("that a killed server left half written are deleted after an hour", async () => {
    const { directory, store } = opened();
    const id = freshId();
    const [half, temporary] = [join(directory, `${id}.question.json`), join(directory, `${id}.head.json.1234`)];
    for (const file of [half, temporary]) writeFileSync(file, "{");
    writeFileSync(join(directory, "README"), "not ours");
    await store.sweep(new Set(), isRunning);
    expect(readdirSync(directory).length).toBe(3);
    const then = new Date(Date.now() - job_limits.orphan_ms_max - 10_000);
    utimesSync(half, then, then);
    await store.sweep(new Set(), isRunning);
    expect(readdirSync(directory).length, "the other file is young").toBe(3);
    utimesSync(temporary, then, then);
    await store.sweep(new Set(), isRunning);
    expect(readdirSync(directory)).toEqual(["README"]);
  });

  it("from the future, of a clock that was wrong, are kept like new ones", async () => {
    const { directory, store } = opened();
    const future = await kept(directory, Date.now() + 400 * day_ms);
    await store.sweep(new Set(), isRunning);
    expect(await idsIn(store)).toEqual([future]);
  });

  it("that ended here lately are kept for an hour, however far the clock is set forward", async () => {
    let now = Date.now();
    const { directory, store } = opened(() => now);
    const head = headOfDead({ state: "done", ended_ms: now });
    await store.begin(head, question);
    await store.end(head, answer);
    const elsewhere = await kept(directory, now);
    now += 400 * day_ms;
    await store.sweep(new Set(), isRunning);
    expect(await idsIn(store)).toEqual([head.id]);
    expect(elsewhere).not.toBe(head.id);
    const passed = performance.now() + job_limits.kept_ms_min + 1;
    const later = vi.spyOn(performance, "now").mockReturnValue(passed);
    onTestFinished(() => later.mockRestore());
    await store.sweep(new Set(), isRunning);
    expect(await idsIn(store)).toEqual([]);
  });
});

/** A file system of this size, or undefined where this user may not make one. */
function smallDisk(bytes: number): string | undefined {
  const directory = join(emptyDirectory(), "disk");
  mkdirSync(directory);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", directory], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", [directory]);
  });
  return directory;
}

describe("a full disk", () => {
  it("refuses a new job whole, and leaves the old ones as they are", async ({ skip }) => {
    const disk = smallDisk(64 * 1024);
    if (!disk) return skip("only root can make a small file system");
    const store = new FileStore(join(disk, "jobs"));
    const head = headOfDead({ state: "done" });
    await store.begin(head, question);
    await store.end(head, answer);
    const large = { tool: "slow", arguments: { text: "x".repeat(100_000) } };
    const other = headOfDead();
    await expect(store.begin(other, large)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await store.head(other.id)).toBeUndefined();
    await expect(
      store.end({ ...head, ran_s: 9 }, { answer: { structured: large, text: ["x"] } }),
    ).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await store.head(head.id)).toEqual({ part: head });
    expect(await store.ending(head.id)).toEqual({ part: answer });
    removeDirectory(join(disk, "jobs"));
  });
});
