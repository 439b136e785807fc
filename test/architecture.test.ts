import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether it exists for the compiler only, or is loaded when it is used. */
  readonly is_loaded: boolean;
}

function sources(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
}

/** Every import of every source, with paths of our own files relative to src/. */
const imports: readonly Import[] = sources().flatMap((file) => {
  const text = readFileSync(join(src, file), "utf8");
  const statements = /(?:(?:^(?:import|export)(\s[^;"]*?))?\bfrom|^import|\bimport(\())\s*"([^"]+)"/gm;
  return [...text.matchAll(statements)].map(([, names = "", is_late, target = ""]) => ({
    from: file,
    is_loaded: is_late === undefined && !/^\s*(type\b|\{(\s*type [^,}]*,?)*\s*\}\s*$)/.test(names),
    to: target.startsWith(".") ? relative(src, resolve(dirname(join(src, file)), target)) : target,
  }));
});

/** The floors of the house, the lowest first: each may import from itself and from those below. */
const floors = ["kernel", "engines", "evidence", "prover", "tools", "jobs", "server", "agent", "commands"];

function floorOf(file: string): number {
  return floors.indexOf(file.split("/")[0] ?? "");
}

function offenders(rule: (each: Import) => boolean): string[] {
  return imports.filter(rule).map(({ from, to }) => `${from} imports ${to}`);
}

/** All that is reached from a file by the imports that pass. */
function reachedFrom(file: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const to of targets.get(next) ?? []) if (!reached.has(to) && reached.add(to)) open.push(to);
  return reached;
}

/** Files that import themselves through others. */
function inCircles(counts: (each: Import) => boolean): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports.filter(counts)) targets.set(from, [...(targets.get(from) ?? []), to]);
  return sources().filter((file) => reachedFrom(file, targets).has(file));
}

describe("the house", () => {
  it("was really read", () => {
    expect(sources().length).toBeGreaterThan(25);
    expect(imports.length).toBeGreaterThan(80);
    expect(floors.every((floor) => imports.some(({ from }) => from.startsWith(`${floor}/`)))).toBe(true);
  });

  it("has no circle of imports", () => {
    expect(imports.filter(({ is_loaded }) => is_loaded).length).toBeGreaterThan(1_000);
    expect(inCircles(({ is_loaded }) => is_loaded)).toEqual([]);
    // Types of the modelling languages know each other.
    expect(inCircles(() => true).filter((file) => !/^tools\/(model|written_in)/.test(file))).toEqual([]);
  });

  it("lets each floor import only from itself and from those below", () => {
    expect(offenders(({ from, to }) => floorOf(from) >= 0 && floorOf(to) > floorOf(from))).toEqual([]);
  });

  it("lets each floor of the prover import only from itself and from those below", () => {
    const rooms = ["python", "logic", "ask", "run", "induction"];
    const floor = (file: string) => {
      const [room = "", inner] = file.slice("prover/".length).split("/");
      return inner === undefined ? rooms.length : rooms.indexOf(room);
    };
    const within = imports.filter(({ from, to }) => from.startsWith("prover/") && to.startsWith("prover/"));
    expect(within.length).toBeGreaterThan(100);
    expect(within.filter(({ from, to }) => floor(from) < 0 || floor(to) < 0)).toEqual([]);
    expect(within.filter(({ from, to }) => floor(to) > floor(from))).toEqual([]);
  });

  it("decides about answers of Python languages without the languages, except where CP-SAT runs", () => {
    const root = join(src, "..", "python/verdict_runner/evidence");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".py"));
    expect(files.length).toBeGreaterThan(20);
    const reaching = files.filter((file) =>
      readFileSync(join(root, file), "utf8").includes("verdict_runner.languages"),
    );
    expect(reaching.toSorted()).toEqual(["finite/by_cp_sat.py", "finite/by_cpmpy.py"]);
  });

  it("has no README of a folder with more than 40 lines", () => {
    const readmes = ["src", "python"].flatMap((root) =>
      readdirSync(join(src, "..", root), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith("README.md"))
        .map((file) => join(src, "..", root, file)),
    );
    expect(readmes.length).toBeGreaterThan(10);
    expect(readmes.filter((file) => readFileSync(file, "utf8").trimEnd().split("\n").length > 40)).toEqual([]);
  });

  it("keeps engines apart from each other, and toolsets too", () => {
    const room = (file: string) => /^(engines|tools)\/(?!(?:smt|wasm)\/)([^/]+)\//.exec(file);
    const crosses = ({ from, to }: Import) => {
      const [a, b] = [room(from), room(to)];
      return a !== null && b !== null && a[1] === b[1] && a[2] !== b[2];
    };
    expect(offenders(crosses)).toEqual([]);
  });

  it("lets the agent use tools only as a client does: of our floors it knows the lowest one and the texts of prompts", () => {
    const own = imports.filter(({ from }) => from.startsWith("agent/"));
    expect(own.length).toBeGreaterThan(50);
    const allowed =
      /^(agent|kernel|server\/prompts)\/|^(config|version)\.ts$|^(node:|ai$|@ai-sdk\/|zod\/|@modelcontextprotocol\/client)/;
    expect(own.filter(({ to }) => !allowed.test(to))).toEqual([]);
  });

  it("loads the agent only when it is used", () => {
    const from_outside = imports.filter(({ from, to }) => to.startsWith("agent/") && !from.startsWith("agent/"));
    expect(from_outside.map(({ from }) => from)).toEqual([
      "commands/ask.ts",
      "commands/ask.ts",
      "commands/ask.ts",
      "commands/demo.ts",
    ]);
    const texts = ["ask", "demo"].map((name) => readFileSync(join(src, `commands/${name}.ts`), "utf8"));
    expect(texts.flatMap((text) => [...text.matchAll(/^import (?!type).*agent/gm)])).toEqual([]);
    expect(offenders(({ from, to }) => /^(ai|@ai-sdk\/.*)$/.test(to) && !from.startsWith("agent/"))).toEqual([]);
  });

  it("lets only the server and the agent's connection know MCP", () => {
    const allowed = [
      "server/apps.ts",
      "server/mcp.ts",
      "server/stdio.ts",
      "server/envelope.ts",
      "server/in_process.ts",
      "server/prompts/register.ts",
      "server/tasks.ts",
      "server/client_roots.ts",
    ];
    const connection = ["agent/loop/session.ts", "agent/loop/transports.ts"];
    const knows = (from: string) => [...allowed, ...connection].includes(from) || from.startsWith("server/http/");
    expect(offenders(({ from, to }) => to.startsWith("@modelcontextprotocol/") && !knows(from))).toEqual([]);
  });

  it("lets only child.ts spawn processes", () => {
    const value_import = (file: string) =>
      /import \{[^}]*\b(spawn|execFile|exec|fork)\b[^}]*\} from "node:child_process"/.test(
        readFileSync(join(src, file), "utf8"),
      );
    expect(sources().filter(value_import)).toEqual(["kernel/process/child.ts"]);
  });

  it("lets only the tactic daemon, the setup of Python and the user's browser be processes that outlive us", () => {
    const starts = (file: string) => readFileSync(join(src, file), "utf8").includes("startDetached");
    expect(sources().filter(starts).toSorted()).toEqual([
      "commands/view/write_report.ts",
      "engines/python/background.ts",
      "engines/tactic/launch.ts",
      "kernel/process/child.ts",
    ]);
  });

  it("combines no signal with AbortSignal.timeout, which Node 20 collects before it fires", () => {
    const combines = (file: string) =>
      /AbortSignal\.any\([^;]*AbortSignal\.timeout/.test(readFileSync(join(src, file), "utf8"));
    expect(sources().filter(combines)).toEqual([]);
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
