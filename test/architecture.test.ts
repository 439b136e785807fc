import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

function sources(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
}

/** Every import of every source, with paths of our own files relative to src/. */
const imports: readonly Import[] = sources().flatMap((file) => {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, target = ""]) => ({
    from: file,
    to: target.startsWith(".") ? relative(src, resolve(dirname(join(src, file)), target)) : target,
  }));
});

/** The floors of the house, the lowest first: each may import from itself and from those below. */
const floors = ["kernel", "engines", "prover", "tools", "server", "commands"];

function floorOf(file: string): number {
  return floors.indexOf(file.split("/")[0] ?? "");
}

function offenders(rule: (each: Import) => boolean): string[] {
  return imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`);
}

describe("the house", () => {
  it("was really read", () => {
    expect(sources().length).toBeGreaterThan(25);
    expect(imports.length).toBeGreaterThan(80);
    expect(floors.every((floor) => imports.some(({ from }) => from.startsWith(`${floor}/`)))).toBe(true);
  });

  it("lets each floor import only from itself and from those below", () => {
    expect(offenders(({ from, to }) => floorOf(from) >= 0 && floorOf(to) > floorOf(from))).toEqual([]);
  });

  it("keeps engines apart from each other, and toolsets too", () => {
    const room = (file: string) => /^(engines|tools)\/(?!smt\/)([^/]+)\//.exec(file);
    const crosses = ({ from, to }: Import) => {
      const [a, b] = [room(from), room(to)];
      return a !== null && b !== null && a[1] === b[1] && a[2] !== b[2];
    };
    expect(offenders(crosses)).toEqual([]);
  });

  it("lets only the server know MCP", () => {
    const allowed = ["server/mcp.ts", "server/stdio.ts", "server/envelope.ts"];
    expect(offenders(({ from, to }) => to.startsWith("@modelcontextprotocol/") && !allowed.includes(from))).toEqual([]);
  });

  it("lets only child.ts spawn processes", () => {
    const value_import = (file: string) =>
      /import \{[^}]*\b(spawn|execFile|exec|fork)\b[^}]*\} from "node:child_process"/.test(
        readFileSync(join(src, file), "utf8"),
      );
    expect(sources().filter(value_import)).toEqual(["kernel/process/child.ts"]);
  });

  it("lets only the tactic daemon and the setup of Python be processes that outlive us", () => {
    const starts = (file: string) => readFileSync(join(src, file), "utf8").includes("startDetached");
    expect(sources().filter(starts).toSorted()).toEqual([
      "kernel/process/child.ts",
      "engines/python/background.ts",
      "engines/tactic/launch.ts",
    ]);
  });

  it("lets only config.ts read the environment", () => {
    const reads = (file: string) => readFileSync(join(src, file), "utf8").includes("process.env");
    expect(sources().filter(reads)).toEqual(["config.ts"]);
  });

  it("has no `any`, and no cast but `as const`", () => {
    const casts = sources().flatMap((file) =>
      readFileSync(join(src, file), "utf8")
        .split("\n")
        .filter(
          (line) =>
            /(?<![/*].*)\bas (?!const\b)[A-Za-z{[]+|: any\b/.test(line) &&
            !/import|^\s*(\*|\/\/|\/\*)|["`'].* as .*["`']/.test(line),
        )
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(casts).toEqual([]);
  });
});
