import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linesOf } from "../../src/kernel/text/lines.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import { memo } from "../../src/tools/memo/index.ts";
import { memo_limits } from "../../src/tools/memo/limits.ts";
import { edited } from "../../src/tools/memo/memo_lines.ts";
import { type Connection, connect } from "../support/client.ts";
import { removeDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "verdict-memo-"));
});
afterEach(() => removeDirectory(directory));

async function send(name: string, args: Record<string, unknown> = {}) {
  const tool = memo(join(directory, "data"))
    .session()
    .find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.call(args, quietContext());
}

async function edit(args: Record<string, unknown>) {
  return (await send("edit_memo", args)).structured;
}

async function texts(): Promise<string[]> {
  const { lines } = (await send("get_memo")).structured;
  return Array.isArray(lines) ? lines.map((line) => line.text) : [];
}

describe("the memo", () => {
  it("is empty before anything was written, and a file afterwards", async () => {
    expect(await send("get_memo")).toEqual({
      structured: { status: "ok", line_count: 0, lines: [] },
      text: ["The memo is empty."],
    });
    expect(await edit({ start_line: 1, content: "one\ntwo\n" })).toEqual({
      status: "ok",
      line_count: 2,
      lines: [
        { line: 1, text: "one" },
        { line: 2, text: "two" },
      ],
    });
    expect((await send("get_memo")).text).toEqual(["1 | one\n2 | two"]);
    expect(readFileSync(join(directory, "data", "memo.txt"), "utf8")).toBe("one\ntwo\n");
  });

  it("is inserted into, appended to, replaced and deleted in by lines", async () => {
    await edit({ start_line: 1, content: "a\nb\nc" });
    await edit({ start_line: 4, content: "d" });
    expect(await texts()).toEqual(["a", "b", "c", "d"]);
    await edit({ start_line: 2, content: "\n" });
    expect(await texts()).toEqual(["a", "", "b", "c", "d"]);
    await edit({ start_line: 2, end_line: 4, content: "B" });
    expect(await texts()).toEqual(["a", "B", "d"]);
    await edit({ start_line: 1, end_line: 2, content: "" });
    expect(await texts()).toEqual(["d"]);
    await edit({ start_line: 1, end_line: 1, content: "" });
    expect(await texts()).toEqual([]);
  });

  it("shows of a long edit the text around its beginning", async () => {
    await edit({ start_line: 1, content: Array.from({ length: 100 }, (_, i) => `${i + 1}`).join("\n") });
    const { line_count, lines } = await edit({ start_line: 50, end_line: 50, content: "new" });
    expect(line_count).toBe(100);
    expect(lines).toHaveLength(memo_limits.window_lines_max);
    expect(lines).toEqual(
      expect.arrayContaining([
        { line: 48, text: "48" },
        { line: 50, text: "new" },
      ]),
    );
  });

  it.each([
    [{ start_line: 0, content: "x" }, "start_line 0 is out of range; lines count from 1. Valid: 1 to 3."],
    [{ start_line: 4, content: "x" }, "start_line 4 is out of range; lines count from 1. Valid: 1 to 3."],
    [{ start_line: 1.5, content: "x" }, "start_line 1.5 is out of range; lines count from 1. Valid: 1 to 3."],
    [{ start_line: 3, end_line: 3, content: "x" }, "start_line 3 is out of range; lines count from 1. Valid: 1 to 2."],
    [{ start_line: 2, end_line: 1, content: "x" }, "end_line 1 is out of range; lines count from 1. Valid: 2."],
    [{ start_line: 1, end_line: 3, content: "x" }, "end_line 3 is out of range; lines count from 1. Valid: 1 to 2."],
    [{ start_line: 1, content: "" }, "There is nothing to do: content is empty and no end_line is given."],
    [{ start_line: "one", content: "x" }, "start_line must be a whole number: a line of the memo, counted from 1."],
    [{ start_line: 1, content: 5 }, "content must be a string; an empty one deletes."],
  ])("is not changed by %j", async (args, words) => {
    await edit({ start_line: 1, content: "a\nb" });
    expect(await faultOf(edit(args))).toMatchObject({ error: words, code: "invalid_argument" });
    expect(await texts()).toEqual(["a", "b"]);
  });

  it("has no lines to replace while it is empty", async () => {
    expect((await faultOf(edit({ start_line: 1, end_line: 1, content: "x" }))).error).toContain("The memo is empty");
  });

  it("is bounded in characters and in lines", async () => {
    const long = "x".repeat(memo_limits.chars_max);
    expect((await faultOf(edit({ start_line: 1, content: long }))).error).toContain("the maximum is 50000");
    const countless = "\n".repeat(300_000);
    expect((await faultOf(edit({ start_line: 1, content: countless }))).error).toContain(
      "300000 lines; the maximum is",
    );
    const many = "x\n".repeat(memo_limits.lines_max + 1);
    expect((await faultOf(edit({ start_line: 1, content: many }))).error).toContain("2001 lines; the maximum is 2000");
    expect(await texts()).toEqual([]);
  });

  it("that something else has filled, or that can't be read, is a fault without paths", async () => {
    await edit({ start_line: 1, content: "a" });
    const path = join(directory, "data", "memo.txt");
    writeFileSync(path, "x".repeat(4 * memo_limits.chars_max));
    expect(await faultOf(send("get_memo"))).toMatchObject({ code: "input_rejected" });
    rmSync(path);
    removeDirectory(join(directory, "data"));
    writeFileSync(join(directory, "data"), "a file where the directory should be");
    for (const call of [send("get_memo"), edit({ start_line: 1, content: "a" })]) {
      const fault = await faultOf(call);
      expect(fault.code).toBe("engine_failed");
      expect(JSON.stringify(fault)).not.toContain(directory);
    }
  });

  it("is readable for its user alone, and leaves nothing beside it", async () => {
    await edit({ start_line: 1, content: "a" });
    await faultOf(edit({ start_line: 9, content: "a" }));
    expect(readdirSync(join(directory, "data"))).toEqual(["memo.txt"]);
    if (process.platform !== "win32") expect(statSync(join(directory, "data", "memo.txt")).mode & 0o777).toBe(0o600);
  });
});

it("any edit of a memo is that of a plain array of lines", () => {
  const line = fc.constantFrom("", "a", "b");
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 5 }),
      fc.array(line, { minLength: 1, maxLength: 3 }),
      fc.nat(5),
      fc.option(fc.nat(5), { nil: undefined }),
      (lines, content, start, count) => {
        fc.pre(start + (count ?? 0) <= lines.length && count !== 0);
        const expected = [...lines];
        expected.splice(start, count ?? 0, ...content);
        const end_line = count === undefined ? undefined : start + count;
        const after = edited(lines, {
          start_line: start + 1,
          end_line,
          content: content.map((each) => `${each}\n`).join(""),
        });
        expect(after).toEqual(expected);
        expect(linesOf(after.map((each) => `${each}\n`).join(""))).toEqual(expected);
      },
    ),
  );
});

describe("two servers with one memo", () => {
  it("lose nothing that either of them writes", async () => {
    const open = () => connect({ args: ["--tools", "memo"], env: { VERDICT_DATA: join(directory, "data") } });
    const servers = await Promise.all([open(), open()]);
    const write = async ({ client }: Connection, content: string) => {
      for (;;) {
        const answer = await client.callTool({ name: "edit_memo", arguments: { start_line: 1, content } });
        // On a busy machine the queue for the memo is longer than a call waits; the fault says to send it again.
        if (Object(answer.structuredContent).code !== "busy") return answer;
      }
    };
    try {
      const notes = Array.from({ length: 40 }, (_, i) => `note ${i}`);
      const answers = await Promise.all(notes.map((note, i) => write(servers[i % 2] ?? servers[0], note)));
      expect(answers.filter(({ isError }) => isError)).toEqual([]);
      expect((await texts()).toSorted()).toEqual(notes.toSorted());
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  });
});
