import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { editJson } from "../../../src/commands/install/json_text.ts";

const path = ["servers", "verdict"];
const value = { command: "npx", args: ["-y"] };
const add = (text: string) => editJson(text, path, value);

/** What people and clients write: the lines and comments of other servers stay as they are. */
const texts: readonly [name: string, text: string][] = [
  [
    "a server on one line with a remark",
    '{\n  "servers": {\n    "a": { "command": "x", "args": [] } // mine\n  }\n}\n',
  ],
  ["a comma at the end", '// all\n{\n    "servers": {\n        "a": { "command": "x" }, // mine\n    },\n}\n'],
  [
    "tabs, lines of Windows, a byte order mark",
    '\ufeff{\r\n\t"servers": {\r\n\t\t"a": { "url": "u" } /* b */\r\n\t}\r\n}\r\n',
  ],
  ["everything on one line", '{"n": 12345678901234567890, "servers": {"a": {"command": "b"}}, "h": ["{}", 1.0]}'],
  ["no servers yet, on one line", '{ "theme": "dark" }'],
  ["no servers yet", '{\n\t// the theme\n\t"theme": "dark" // dark\n}'],
  ["an empty list", '{\n  "theme": [ 1,2 ],\n  "servers": {}\n}\n'],
  ["an empty list with a remark", '{\n  "servers": {\n    // none, yet\n  }\n}\n'],
  ["an empty list with a remark inside", '{\n  "servers": { /* none */ }\n}\n'],
  ["a list on a line, with a comma", '{\n  "servers": { "a": { "command": "b" }, }\n}\n'],
  ["a remark with a comma and braces", '{\n  "servers": {\n    "a": {} // one, {two}\n  }\n}\n'],
];

describe("a configuration in JSON", () => {
  it.each(texts)("keeps its lines: %s", (_, text) => {
    const edited = add(text);
    expect(parse(edited, [], { allowTrailingComma: true })).toMatchObject({ servers: { verdict: value } });
    const lines = text.split(/\r?\n/);
    const remarked = lines.filter((line) => /\/\/|\/\*|"a": \{/.test(line));
    // One comma may be new in each of them, and on one line the new server.
    const plain = (line: string) => line.replaceAll(/"verdict": .*?\]\}|[,\s]/g, "");
    const now = edited.split(/\r?\n/).map(plain);
    for (const line of remarked) expect(now).toContain(plain(line));
    expect(edited).not.toContain('"command": "x"\n');
    expect(edited.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(edited.replaceAll("\r\n", "").includes("\n")).toBe(text.replaceAll("\r\n", "").includes("\n"));
  });

  it.each(texts)("is as it was once the server is taken out again: %s", (_, text) => {
    const without = editJson(add(text), path, undefined);
    const { servers = {}, ...others } = parse(text, [], { allowTrailingComma: true });
    expect(parse(without, [], { allowTrailingComma: true })).toEqual({ ...others, servers });
    if (text.includes("servers")) expect(without.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
  });

  it("loses no remark beside the server that is taken out", () => {
    const text = '{\n  "servers": {\n    "a": {}, // one\n    "verdict": {} // ours\n    // end\n  }\n}\n';
    expect(editJson(text, path, undefined)).toBe(
      '{\n  "servers": {\n    "a": {} // one\n // ours\n    // end\n  }\n}\n',
    );
    const first = '{"servers": {"verdict": {}, "a": {}}}';
    expect(editJson(first, path, undefined)).toBe('{"servers": { "a": {}}}');
  });

  it("has its members replaced in place", () => {
    const text = '{"servers": {"a": { "x": 1 }, "verdict": { "command": "old", /* mine */ "env": {"A": "b"} }}}';
    expect(editJson(text, path, { ...value, env: { A: "b" } })).toBe(
      '{"servers": {"a": { "x": 1 }, "verdict": { "command": "npx", /* mine */ "env": {"A": "b"}, "args": ["-y"] }}}',
    );
  });

  it.each(["", "{}", "{}\n"])("is made of nothing: %o", (text) => {
    expect(add(text).trim()).toBe(
      '{\n  "servers": {\n    "verdict": {\n      "command": "npx",\n      "args": [\n        "-y"\n      ]\n    }\n  }\n}',
    );
  });

  it("has the new server on lines of its own, after the others", () => {
    expect(add('{\n\t"servers": {\n\t\t"a": { "command": "x" }, // mine\n\t},\n}\n')).toBe(
      '{\n\t"servers": {\n\t\t"a": { "command": "x" }, // mine\n\t\t"verdict": {\n\t\t\t"command": "npx",\n\t\t\t"args": [\n\t\t\t\t"-y"\n\t\t\t]\n\t\t},\n\t},\n}\n',
    );
  });
});
