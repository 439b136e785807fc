import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { withLock } from "../../src/kernel/files/file_lock.ts";
import { limits } from "../../src/kernel/limits.ts";
import { removeDirectory } from "../support/directories.ts";
import { until } from "../support/processes.ts";

let directory: string;
let path: string;
let lock: string;
let bundle: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "verdict-lock-"));
  const file = join(directory, "file_lock.mjs");
  const entry = join(directory, "entry.mjs");
  const parts = ["files/file_lock.ts", "deadline.ts"].map((part) => resolve("src/kernel", part));
  writeFileSync(entry, parts.map((part) => `export * from ${JSON.stringify(part)};\n`).join(""));
  const built = await rolldown({ input: entry, platform: "node" });
  await built.write({ file, format: "esm" });
  await built.close();
  bundle = pathToFileURL(file).href;
});

let tests = 0;
beforeEach(() => {
  path = join(directory, `${tests++}`, "memo");
  lock = `${path}.lock`;
});

afterAll(() => removeDirectory(directory));

function job(left_ms: number, signal = new AbortController().signal) {
  return new Deadline(left_ms, signal);
}

/** Another process, which runs this under the lock; `path`, `sleep` and node:fs as `fs` are there. */
function other(work: string): ChildProcess {
  const script = `
    import * as fs from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    import { Deadline, withLock } from ${JSON.stringify(bundle)};
    const path = ${JSON.stringify(path)};
    const locked = (work) => withLock(path, new Deadline(120_000), work);
    ${work}`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "ignore", "inherit"] });
}

async function ended(child: ChildProcess): Promise<number> {
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  return Number(code);
}

/** Another process that holds the lock until it is killed. */
async function holder(): Promise<ChildProcess> {
  const child = other("await locked(() => sleep(600_000));");
  expect(await until(() => existsSync(lock), 120_000)).toBe(true);
  return child;
}

function makeStale(): void {
  const past = new Date(Date.now() - limits.lock_stale_ms - 1_000);
  utimesSync(lock, past, past);
}

describe("the lock between processes", () => {
  test("lets one at a time do its work", async () => {
    const count = `for (let i = 0; i < 25; i++) await locked(async () => {
      const counter = path + ".count";
      const now = fs.existsSync(counter) ? Number(fs.readFileSync(counter, "utf8")) : 0;
      await sleep(1);
      fs.writeFileSync(counter, String(now + 1));
    });`;
    expect(await Promise.all([ended(other(count)), ended(other(count))])).toEqual([0, 0]);
    expect(readFileSync(`${path}.count`, "utf8")).toBe("50");
  });

  test.skipIf(process.platform === "win32")("leaves no empty file behind when the disk takes no more", async () => {
    // A limit of 0 on the size of files simulates a full disk: a file can be created, but nothing written into it.
    mkdirSync(join(path, ".."), { recursive: true });
    const script = `import { Deadline, withLock } from ${JSON.stringify(bundle)};
      const job = new Deadline(60_000);
      await withLock(${JSON.stringify(path)}, job, async () => process.exit(7)).catch(() => process.exit(8));`;
    const node = [process.execPath, "--input-type=module", "-e", script];
    const shell = spawn("/bin/sh", ["-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh", ...node], { stdio: "ignore" });
    expect(await ended(shell)).toBe(8);
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "is not taken from another process by one that has no descriptor left to open it",
    async () => {
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(lock, "another's");
      // A limit below what is open already refuses each further descriptor, as a busy server's does.
      const script = `const { execFileSync } = await import("node:child_process");
      execFileSync("prlimit", ["--nofile=3:3", "--pid", String(process.pid)]);
      await locked(async () => process.exit(7)).catch((error) => process.exit(error.code === "EMFILE" ? 8 : 9));`;
      expect(await ended(other(script))).toBe(8);
      expect(readFileSync(lock, "utf8")).toBe("another's");
    },
  );

  test("is given back after success and after failure, and leaves nothing behind", async () => {
    expect(await withLock(path, job(60_000), async () => existsSync(lock))).toBe(true);
    const failing = async () => {
      throw new Error("the work failed");
    };
    await expect(withLock(path, job(60_000), failing)).rejects.toThrow("the work failed");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("is given back by a process that exits in the middle of its work", async () => {
    expect(await ended(other("await locked(async () => process.exit(7));"))).toBe(7);
    expect(existsSync(lock)).toBe(false);
  });

  test("is waited for no longer than the job lasts, and the work is not begun", async () => {
    const child = await holder();
    let begun = false;
    const work = async () => {
      begun = true;
    };
    expect(await withLock(path, job(200), work)).toBe("expired");
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 100);
    const given_up: unknown = await withLock(path, job(60_000, cancel.signal), work).catch((error: unknown) => error);
    expect(given_up instanceof Fault && given_up.code).toBe("cancelled");
    expect(begun).toBe(false);
    child.kill("SIGKILL");
  });

  test("is taken over from a process that was killed, once it is stale", async () => {
    const child = await holder();
    child.kill("SIGKILL");
    await ended(child);
    expect(await withLock(path, job(100), async () => "mine")).toBe("expired");
    makeStale();
    expect(await withLock(path, job(5_000), async () => "mine")).toBe("mine");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("is kept from growing stale while it is held", async () => {
    const child = await holder();
    makeStale();
    expect(await until(() => Date.now() - lastTouch() < limits.lock_stale_ms, 120_000)).toBe(true);
    child.kill("SIGKILL");
  });

  test("is taken over by one of many who find it stale", async () => {
    mkdirSync(join(path, ".."));
    writeFileSync(lock, "a process of long ago");
    makeStale();
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
      return "done";
    };
    const all = await Promise.all(Array.from({ length: 8 }, () => withLock(path, job(20_000), work)));
    expect(new Set(all)).toEqual(new Set(["done"]));
  });
});

function lastTouch(): number {
  return statSync(lock).mtimeMs;
}
