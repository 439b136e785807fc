import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { other_forms, same_forms } from "../fixtures/same_forms.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";

describe.skipIf(!has_python)("forms of code in two versions", () => {
  const engines = fixture(() => new Engines(readConfig({})));
  const job = () => new Deadline(60_000);
  const version = (text: string, name: string) => ({ text, name, own_modules: [], path: "main.py", files: {} });

  async function isSame(base: string, head: string, name = "f"): Promise<boolean> {
    const { apart } = await engines.python.pair(version(base, name), version(head, name), job());
    return apart?.same_code ?? false;
  }

  async function kindOf(base: string, head: string, name: string): Promise<string | undefined> {
    const { functions } = await engines.python.changes(base, head, job());
    return functions.find((each) => each.name === name)?.change;
  }

  it.each(same_forms)("are the same if they do the same for all objects (%#)", async (base, head, name) => {
    expect(await isSame(base, head, name)).toBe(true);
  });

  it.each(other_forms)("are not the same if a call shows a difference (%#)", async (base, head, name) => {
    expect(await isSame(base, head, name)).toBe(false);
    expect(await kindOf(base, head, name)).toBe("changed");
  });

  it("are read without the other forms if these are nested too deeply for Python", async () => {
    const of = (variable: string) =>
      `def f(n):\n    ${variable} = n\n    return ${Array(300).fill(variable).join(" + ")}\n`;
    expect(await isSame(of("a"), of("a").replace("return", "pass\n    return"))).toEqual(expect.any(Boolean));
    const chain = (more: string) =>
      `def f(n):\n${Array.from({ length: 90 }, (_, i) => `    if n == ${i}:\n        return ${i}\n`).join("")}${more}`;
    expect(await isSame(chain(""), chain("    return None\n"))).toBe(true);
  });

  it("count if code in another file of the repository can change what they read", async () => {
    const base = "import math\nfrom .other import g\ndef f(n):\n    return math.floor(n) + g(n)\n";
    const head = "from math import floor\nfrom .other import g\ndef f(n):\n    return floor(n) + g(n)\n";
    const pair = async (other: string) => {
      const of = (text: string) => ({
        text,
        name: "f",
        own_modules: ["pkg"],
        path: "pkg/main.py",
        files: { "pkg/other.py": other, "pkg/other/__init__.py": null },
      });
      return (await engines.python.pair(of(base), of(head), job())).apart?.same_code ?? false;
    };
    const g = "def g(n):\n    return n\n";
    expect(await pair(g)).toBe(true);
    expect(await pair(`import math\n${g}def h():\n    math.floor = abs\n`)).toBe(false);
  });
});
