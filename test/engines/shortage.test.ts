import { spawnSync } from "node:child_process";
import type * as FsPromises from "node:fs/promises";
import { resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readEnvironment } from "../../src/engines/python/whole_environment.ts";
import { endedFromOutside } from "../../src/kernel/fault.ts";
import { cli } from "../support/client.ts";
import { callWhenShort, can_limit_descriptors } from "../support/descriptors.ts";
import { stand_in } from "../support/minizinc.ts";

vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof FsPromises>()),
  readFile: async () => {
    throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
  },
}));

/** One call of the built program, with these variables, after these commands of the shell. */
function call(tool: string, args: object, env: Record<string, string>, first = ""): unknown {
  const all = { ...process.env, VERDICT_DATA: resolve(".cache/nothing"), ...env };
  const words = ["-c", `${first}exec "$@"`, "sh", process.execPath, cli, "call", tool, "--json", JSON.stringify(args)];
  const { stdout } = spawnSync("sh", words, { encoding: "utf8", env: all });
  return JSON.parse(stdout);
}

describe("a machine that is short of descriptors", () => {
  const nothing = { VERDICT_DATA: resolve(".cache/nothing") };
  const wasm = { ...nothing, VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm" };
  it.runIf(can_limit_descriptors).each([
    ["Z3", "solve_smtlib", { smtlib: "(assert true)" }, wasm],
    ["MiniZinc", "add_item", { item: "var 1..3: x;" }, { ...wasm, VERDICT_LANGUAGE: "minizinc" }],
    ["clingo", "add_item", { item: "a." }, { ...wasm, VERDICT_LANGUAGE: "asp" }],
  ])("is what the fault names, and not the input of %s", async (_, tool, args, env) => {
    expect(await callWhenShort(tool, args, env)).toMatchObject({
      code: "engine_failed",
      error: expect.stringMatching(/^This machine could not .*: it is short of file descriptors \(EMFILE\)\.$/),
      remedy: expect.not.stringMatching(/smaller|tight bounds/),
    });
  });

  it("does not take an environment that it can't read for one that is not there", async () => {
    await expect(readEnvironment("/anywhere")).rejects.toMatchObject({
      code: "engine_failed",
      message: expect.stringContaining("file descriptors"),
    });
  });
});

describe.runIf(process.platform === "linux")("a machine that gives a process of WebAssembly no memory", () => {
  it.each([
    ["Z3", "solve_smtlib", { smtlib: "(assert true)" }],
    ["MiniZinc", "solve", { language: "minizinc", model: "var 1..3: x;" }],
    ["clingo", "solve", { language: "asp", model: "a." }],
  ])("is what the fault names, if there is one, and not the input of %s", (_, tool, args) => {
    const env = { VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm" };
    // WebAssembly reserves address space, and uses little of it. Node 24 does without what it does not get.
    const answer =
      Number.parseInt(process.versions.node, 10) >= 24
        ? { status: "sat" }
        : {
            code: "engine_failed",
            error: expect.stringMatching(
              /^This machine could not give .* its memory: it is short of memory \(ENOMEM\)\.$/,
            ),
          };
    expect(call(tool, args, env, "ulimit -v 6000000; ")).toMatchObject(answer);
  });
});

describe.skipIf(process.platform === "win32")("without a directory for temporary files", () => {
  const native = { TMPDIR: "/nonexistent", VERDICT_MINIZINC: stand_in, VERDICT_LANGUAGE: "minizinc" };
  it("MiniZinc says so", () => {
    expect(call("add_item", { item: "var 1..3: x;" }, native)).toMatchObject({
      code: "engine_failed",
      error: expect.stringContaining("needs temporary files"),
      remedy: expect.stringContaining("TMPDIR"),
    });
  });
});

it("an end that the input has not caused is known by its words", () => {
  const codeOf = (how: string) => endedFromOutside("It", how)?.message;
  expect(codeOf("exit code 1")).toBeUndefined();
  expect(codeOf("signal SIGSEGV")).toBeUndefined();
  expect(codeOf("it could not be started: ENOENT")).toBeUndefined();
  expect(codeOf("signal SIGKILL")).toBe("It was terminated from outside (SIGKILL). Nothing was decided.");
  expect(codeOf("it could not be started: EAGAIN")).toContain("short of processes");
});
