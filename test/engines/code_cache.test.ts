import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { CodeCache, codeFile, codeOnDisk } from "../../src/engines/wasm/code_cache.ts";
import { readCode, writeCode } from "../../src/engines/wasm/code_file.ts";
import { startOf } from "../../src/engines/wasm/start.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { type Child, Children } from "../../src/kernel/process/child.ts";
import { Slots } from "../../src/kernel/process/slots.ts";

const root = mkdtempSync(join(tmpdir(), "verdict-code-"));
const opened: { close(): void }[] = [];
const real_config = readConfig({}, { ...process.env, VERDICT_CODE_CACHE: "on" });

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  vi.restoreAllMocks();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A host that logs why it was started; `--train` and `--try` do what the given statements say. */
function fakeHost(name: string, { train = "", attempt = "" }: { train?: string; attempt?: string }): string {
  const file = join(root, `${name}.mjs`);
  writeFileSync(
    file,
    `import fs from "node:fs";
const [purpose = "plain", file] = process.argv.slice(2);
fs.appendFileSync(${JSON.stringify(join(root, `${name}.log`))}, purpose + "\\n");
if (purpose === "--train") { ${train}; process.exit(0); }
if (purpose === "--try") { ${attempt}; process.exit(0); }
process.stdout.write("\\n");
process.stdin.on("data", (text) => process.stdout.write("answer " + text));`,
  );
  return file;
}

/** The lines of a host's log. A host that was killed while it logged has made the file and written no line. */
function purposes(name: string): string[] {
  const log = join(root, `${name}.log`);
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
}

/** A keeper of code in a new directory of its own, which makes code after the first job. */
function open(
  name: string,
  host: string,
  { slots = new Slots(2, 8), data = join(root, `data-${name}`), yields = false } = {},
) {
  const config = { ...real_config, data_directory: data };
  const children = new Children(config.child_environment, config.child_directory);
  const cache = new CodeCache({ name, host }, { config, children, slots }, { jobs_before: 1, idle_ms: 0, yields });
  opened.push(cache, { close: () => children.stopAll() });
  const directory = join(data, "compiled");
  const files = () => (existsSync(directory) ? readdirSync(directory).toSorted() : []);
  return { cache, config, directory, files, code: () => files().find((file) => !file.includes(".")) };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10);
}

/** The first line of an answer to a line. */
async function answerOf(child: Child, line: string): Promise<string> {
  let output = "";
  child.onText = (text) => {
    output += text;
  };
  child.arm(new Deadline(100_000));
  child.write(`${line}\n`);
  await until(() => child.ending !== undefined || output.trim() !== "");
  return output.trim();
}

const writes = 'fs.writeFileSync(file, "code", { mode: 0o600 })';

describe("compiled code", () => {
  it("of the real clingo is made once, in a private directory, and taken by V8", async () => {
    const host = real_config.clingo_wasm_host;
    const { cache, code, directory, config } = open("clingo", host);
    cache.noteJob();
    await until(() => code() !== undefined);
    const file = join(directory, code() ?? "");
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size).toBeGreaterThan(100_000);
    expect(await codeOnDisk(config)).toBeGreaterThan(100_000);
    const question = { kind: "run", id: "one", program: "a :- not b. b :- not a.", args: ["0", "--outf=2"] };
    const answer = JSON.stringify(question);
    const texts = await Promise.all(
      [["--serve", file], []].map(async (options) => {
        const { stdout, status } = spawnSync(process.execPath, [host, ...options], {
          input: `${answer}\n`,
          encoding: "utf8",
        });
        return { status, found: stdout.match(/"[ab]"/g)?.toSorted(), models: /"Number": (\d+)/.exec(stdout)?.[1] };
      }),
    );
    expect(texts[0]).toEqual({ status: 0, found: ['"a"', '"b"'], models: "2" });
    expect(texts[0]).toEqual(texts[1]);

    // Whatever happens to the file: no process reads it, and no process dies of it.
    const good = readFileSync(file);
    const flipped = Buffer.from(good);
    flipped[good.length >> 1] = (flipped[good.length >> 1] ?? 0) ^ 1;
    const bad = {
      garbage: Buffer.alloc(good.length, 0x5a),
      half: good.subarray(0, good.length >> 1),
      end_missing: good.subarray(0, -100),
      empty: Buffer.alloc(0),
      checksum_only: good.subarray(0, 32),
      flipped,
    };
    for (const [kind, bytes] of Object.entries(bad)) {
      writeFileSync(file, bytes, { mode: 0o600 });
      const { status, signal } = spawnSync(process.execPath, [host, "--try", file]);
      expect({ kind, status, signal }).toEqual({ kind, status: 3, signal: null });
    }
    // The code that V8 wrote under other flags has a right checksum; V8 refuses it.
    writeFileSync(file, good, { mode: 0o600 });
    const { status } = spawnSync(process.execPath, ["--stack-size=900", host, "--try", file]);
    expect(status).toBe(3);
    expect(spawnSync(process.execPath, [host, "--try", file]).status).toBe(0);
  });

  it("is read for the module that it was made of, and from a file of this user only", () => {
    const file = join(root, "own-file");
    const [module, other] = [new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 4])];
    writeCode(file, module, new Uint8Array(100).buffer);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readCode(file, other)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
    // An empty one that stayed would be in the way of a new one.
    writeFileSync(file, "", { mode: 0o600 });
    expect(readCode(file, module)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
    writeCode(file, module, new Uint8Array(100).buffer);
    chmodSync(file, 0o622);
    expect(readCode(file, other)).toBeUndefined();
    // Not this user's alone, so it was not even looked at.
    expect(existsSync(file)).toBe(true);
    expect(() => writeCode(file, module, new ArrayBuffer(1))).toThrow("EEXIST");
    expect(readCode(join(root, "nothing", "there"), module)).toBeUndefined();
  });

  it("is left out where it is switched off, and on machines that run something once", () => {
    expect(readConfig({}, { CI: "true" }).keeps_code).toBe(false);
    expect(readConfig({}, { VERDICT_CODE_CACHE: "off" }).keeps_code).toBe(false);
    expect(readConfig({}, { CI: "true", VERDICT_CODE_CACHE: "on" }).keeps_code).toBe(true);
    expect(readConfig({}, {}).keeps_code).toBe(true);
  });

  it("that kills the engine before it is ready is removed, and the call is answered without", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const host = fakeHost("dies", { train: writes });
    appendFileSync(host, '\nif (purpose === "--serve") process.kill(process.pid, "SIGSEGV");');
    writeFileSync(
      host,
      readFileSync(host, "utf8").replace(
        'process.stdout.write("\\n");',
        'if (purpose === "plain") process.stdout.write("\\n");',
      ),
    );
    const { cache, code, files } = open("dies", host);
    cache.noteJob();
    await until(() => code() !== undefined);
    const child = cache.start();
    expect(await answerOf(child, "question")).toBe("answer question");
    await until(() => files().length === 1);
    expect(files()[0]).toMatch(/^dies-[0-9a-f]{12}\.tried$/);
    expect(log).toHaveBeenCalledTimes(1);
    cache.noteJob();
    await sleep(50);
    expect(purposes("dies")).toEqual(["--train", "--try", "--serve", "plain"]);
  });

  it("that kills the engine, which then dies without it too, leaves the ending of the second", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const host = fakeHost("dies_twice", { train: writes });
    const { cache, code } = open("dies_twice", host);
    cache.noteJob();
    await until(() => code() !== undefined);
    writeFileSync(host, 'process.exit(process.argv[2] === "--serve" ? 7 : 8);');
    const child = cache.start();
    child.arm(new Deadline(100_000));
    child.write("question\n");
    expect(await child.ended).toEqual({ kind: "exited", code: 8 });
  });

  it("that kills the engine leaves the server alive, where its directory is gone by then", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const host = fakeHost("gone", { train: writes });
    const { cache, code, directory } = open("gone", host);
    cache.noteJob();
    await until(() => code() !== undefined);
    const file = readFileSync(host, "utf8");
    const remove = `fs.rmSync(${JSON.stringify(directory)}, { recursive: true });`;
    writeFileSync(
      host,
      file.replace("const [", `if (process.argv[2] === "--serve") { ${remove} process.exit(7); }\nconst [`),
    );
    expect(await answerOf(cache.start(), "question")).toBe("answer question");
    await until(() => log.mock.calls.length === 2);
    expect(String(log.mock.calls[1]?.[0])).toMatch(/could not be removed/);
  });

  it("is made although a server that was killed left its lock", async () => {
    const host = fakeHost("locked", { train: writes });
    const { cache, code, config, directory } = open("locked", host);
    mkdirSync(directory, { recursive: true });
    const lock = `${codeFile(config, "locked")}.lock`;
    writeFileSync(lock, "1 of a server that was killed");
    const then = new Date(Date.now() - 86_400_000);
    utimesSync(lock, then, then);
    cache.noteJob();
    await until(() => code() !== undefined && !existsSync(lock));
    expect(purposes("locked")).toEqual(["--train", "--try"]);
  });

  it.each([
    { kind: "the disk is full", train: `fs.writeFileSync(file, "co"); throw new Error("ENOSPC")` },
    { kind: "V8 does not give it", train: "process.exit(3)" },
    { kind: "it can't be used", train: writes, attempt: 'process.kill(process.pid, "SIGABRT")' },
  ])("is not kept, nor tried again that day, when $kind", async ({ kind, ...statements }) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const name = kind.replaceAll(/\W/g, "_");
    const host = fakeHost(name, statements);
    const { cache, files } = open(name, host);
    cache.noteJob();
    await until(() => log.mock.calls.length > 0);
    expect(files().map((file) => file.replace(/-\w+/, ""))).toEqual([`${name}.tried`]);
    const before = purposes(name);
    const second = open(name, host);
    second.cache.noteJob();
    await sleep(100);
    expect(purposes(name)).toEqual(before);
    expect(await answerOf(second.cache.start(), "question")).toBe("answer question");
  });

  it("is not made where the data directory can't be written, and the engine works", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const host = fakeHost("unwritable", { train: writes });
    const file = join(root, "a-file");
    writeFileSync(file, "");
    const { cache } = open("unwritable", host, { data: join(file, "data") });
    cache.noteJob();
    await until(() => log.mock.calls.length > 0);
    expect(await answerOf(cache.start(), "question")).toBe("answer question");
    expect(purposes("unwritable")).toEqual(["plain"]);
  });

  it("is made by one of two servers, and old files go", async () => {
    const host = fakeHost("shared", {
      train: `setTimeout(() => { ${writes}; process.exit(0) }, 200); await new Promise(() => {})`,
    });
    const first = open("shared", host);
    const old = ["shared-000000000000", "shared-111111111111", "shared-222222222222", "shared-3.77.new", "other-4"];
    mkdirSync(first.directory, { recursive: true });
    for (const [days, entry] of old.entries()) {
      writeFileSync(join(first.directory, entry), "");
      const then = new Date(Date.now() - (days + 2) * 86_400_000);
      utimesSync(join(first.directory, entry), then, then);
    }
    const second = open("shared", host);
    first.cache.noteJob();
    second.cache.noteJob();
    await until(
      () =>
        first.files().filter((file) => /^shared-\w+$/.test(file)).length === 2 &&
        !first.files().some((file) => file.endsWith(".lock")),
    );
    await sleep(50);
    expect(purposes("shared")).toEqual(["--train", "--try"]);
    expect(first.files().filter((file) => !file.endsWith(".tried"))).toEqual(
      expect.arrayContaining(["other-4", "shared-000000000000"]),
    );
    expect(first.files()).toHaveLength(3);
  });

  it.each([true, false])("is made at the lowest priority where nobody waits for it: %s", async (yields) => {
    const name = yields ? "yields" : "waited_for";
    const host = fakeHost(name, { train: `${writes}; fs.writeFileSync(file + ".args", process.argv.join(" "))` });
    const { cache, code, directory, files } = open(name, host, { yields });
    cache.noteJob();
    await until(() => code() !== undefined);
    const [args = ""] = files().filter((file) => file.endsWith(".args"));
    expect(readFileSync(join(directory, args), "utf8").includes("--yield")).toBe(yields);
    expect(startOf(["--train", "file", ...(yields ? ["--yield"] : [])])).toMatchObject({ purpose: "train", yields });
  });

  it("waits for a free processor, and gives it back to the first call that waits", async () => {
    const host = fakeHost("polite", { train: "setInterval(() => {}, 1_000); await new Promise(() => {})" });
    const slots = new Slots(1, 8);
    const { cache } = open("polite", host, { slots });
    const deadline = new Deadline(100_000);
    const release = await slots.take(deadline);
    cache.noteJob();
    await sleep(50);
    expect(purposes("polite")).toEqual([]);
    if (typeof release === "function") release();
    await until(() => purposes("polite").length === 1);
    expect(await slots.run(deadline, async () => "answered")).toBe("answered");
    // It begins anew once no call needs the processor.
    await until(() => purposes("polite").length >= 2);
    expect(new Set(purposes("polite"))).toEqual(new Set(["--train"]));
  });
});
