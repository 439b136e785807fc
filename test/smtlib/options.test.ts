import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/kernel/fault.ts";
import { scratchDirectory } from "../support/directories.ts";
import { nativeZ3, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { runs_all } from "../support/runs_all.ts";

const z3 = nativeZ3();

/** Every option that this Z3 has, with its module and type, as `z3 -p` lists them. */
function options(): { readonly name: string; readonly type: string }[] {
  const { stdout } = spawnSync(z3 ?? "", ["-p"], { encoding: "utf8" });
  let module = "";
  return stdout.split("\n").flatMap((line) => {
    const heading = /^\[module\] (\w+)/.exec(line);
    if (heading) module = `${heading[1]}.`;
    const [, name = "", type = ""] = /^\s+([\w.]+) \(([\w ]+)\)/.exec(line) ?? [];
    return name ? [{ name: module + name, type }] : [];
  });
}

const script = `(declare-const x Int)(declare-const p Bool)
(assert (and (> x 3) (or p (< x 9)) (distinct (* x x) 17)))
(minimize x)
(check-sat)`;

describe.skipIf(z3 === undefined)("the options of a native Z3", () => {
  const directory = scratchDirectory();
  const bench = fixture(() => openBench(z3 ?? "", directory));

  /** What became of a script that sets an option: its status, or the code of the fault. */
  const outcome = async (option: string, value: string) => {
    try {
      return String(
        (await bench.call("solve_smtlib", { smtlib: `(set-option :${option} ${value})${script}`, timeout_ms: 60_000 }))[
          "status"
        ],
      );
    } catch (error) {
      return error instanceof Fault ? error.code : "thrown";
    }
  };

  it("write no file, whatever word or switch they are given", async () => {
    const words = options().filter(({ type }) => type === "string" || type === "symbol");
    const switches = options().filter(({ type }) => type === "bool");
    expect(words.length).toBeGreaterThan(30);
    expect(switches.length).toBeGreaterThan(200);
    // Each switch is a call of its own: the suite tries every eighth of them, and `npm run test:long` all.
    const tried = switches.filter((_, i) => runs_all || i % 8 === 0);
    const tries = [
      ...words.flatMap(({ name }) => [
        { name, value: "probe.txt" },
        { name, value: '"probe.txt"' },
      ]),
      ...tried.map(({ name }) => ({ name, value: "true" })),
    ];
    const outcomes = new Set<string>();
    for (let i = 0; i < tries.length; i += 4) {
      const batch = tries.slice(i, i + 4);
      for (const word of await Promise.all(batch.map(({ name, value }) => outcome(name, value)))) outcomes.add(word);
    }
    expect(readdirSync(directory)).toEqual([]);
    expect([...outcomes]).toEqual(expect.arrayContaining(["sat", "forbidden"]));
    expect([...outcomes]).not.toContain("unsat");
    expect([...outcomes]).not.toContain("thrown");
  });
});
