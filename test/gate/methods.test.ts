import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Answer, explanationOf, shareSymbolic } from "../support/symbolic.ts";

const engines = fixture(() => new Engines(readConfig({})));
const verdict = fixture(shareSymbolic);

const version = (text: string, name: string) => ({ text, name, own_modules: [], path: "m.py", files: {} });

/** What `compare_versions` says of two versions; the reason instead where they can't be compared. */
async function compared(base: string, head: string, name: string, time?: number): Promise<Answer> {
  const { pair, apart } = await engines.python.pair(version(base, name), version(head, name), new Deadline(60_000));
  if (!pair) return { status: apart?.same_code ? "same_code" : "apart", why: apart?.why };
  return verdict
    .versions(pair.base ?? "", pair.code, [pair.function_a, pair.function_b], time)
    .catch((error) => ({ ...error.report(), status: "refused" }));
}

/** A class with something in its methods. */
const account = (body: string, more = "", top = "") =>
  `${top}class Account:\n    def __init__(self, balance: int):\n        if balance < 0:\n            raise ValueError\n        self.balance = balance\n    def m(self, n: int):\n        ${body}\n${more}`;

describe.skipIf(!has_python)("a method in two versions", () => {
  it.each([
    [
      "its object",
      "self.balance += n",
      "self.balance += abs(n)",
      /^Account_base\(balance=\d+\)\.m\(n=-\d+\).* leaves self as <Account balance=-?\d+>, but Account\(balance/,
    ],
    ["its result", "return [self.balance]", "return (self.balance,)", /returns \[\d+\], but .* returns \(\d+,\)/],
    ["an object that it makes", "return Account(1)", "return Account(2)", /<Account balance=1>.*<Account balance=2>/],
    ["a private field", "self.__x = 1", "self.__x = 2", /_Account__x=1.*_Account__x=2/],
    ["a pattern", "import re; self.p = re.compile('a')", "import re; self.p = re.compile('a', 2)", /p=/],
  ])("differs by %s", async (_, one, other, words) => {
    const answer = await compared(account(one), account(other), "Account.m");
    expect(answer).toMatchObject({ status: "different" });
    expect(explanationOf(answer)).toMatch(words);
  });

  it.each([
    ["the name of its class", "return type(self).__name__ + str(n)", "return f'{type(self).__name__}{n}'"],
    ["its object", "return self", "return (self)if n else self"],
    ["a pattern", "import re; self.p = re.compile('a')", "import re; self.p = re.compile('a', 0)"],
    ["objects of its class", "return {n: [Account(3)]}", "return {n: [Account(1 + 2)]}"],
    ["a private name", "return self.__p(n)", "return 0 + self.__p(n)"],
    ["its class", "return type(self), isinstance(self, Account)", "return Account, True"],
  ])("does not differ by %s, which is that of another version", async (_, one, other) => {
    const more = "    def __p(self, n: int):\n        return n\n";
    expect((await compared(account(one, more), account(other, more), "Account.m", 4))["status"]).toMatch(
      /timeout|undecided/,
    );
  });

  it("takes objects of its class, also if the annotation is a text, or there is none", async () => {
    for (const other of [': "Account"', ""]) {
      const of = (test: string) => account("pass", `    def __lt__(self, other${other}):\n        return ${test}\n`);
      const answer = await compared(
        of("self.balance < other.balance"),
        of("self.balance <= other.balance"),
        "Account.__lt__",
      );
      expect(explanationOf(answer)).toMatch(
        /^Account_base\(balance=\d+\)\.__lt__\(other=Account\(balance=\d+\)\) returns False, but/,
      );
    }
  });

  it("is not compared if its object is made by other arguments", async () => {
    const head = account("return n", "").replace("balance: int)", "balance: int, owner: str)");
    expect(await compared(account("return 1 + n"), head, "Account.m")).toMatchObject({
      status: "refused",
      error: expect.stringContaining("only Account.m takes owner"),
    });
  });

  it("can be a static one, one of a class in a class, or `__init__`", async () => {
    const of = (n: number) =>
      `class A:\n    class B:\n        @staticmethod\n        def s(x: int) -> int:\n            return x + ${n}\n    def __init__(self, x: int):\n        self.x = x + ${n}\n`;
    expect(explanationOf(await compared(of(1), of(2), "A.B.s"))).toMatch(/^A_base\.B\.s\(x=.*returns/);
    expect(explanationOf(await compared(of(1), of(2), "A.__init__"))).toMatch(
      /^A_base\(x=.*leaves self as <A x=-?\d+>.*<A x=-?\d+>/,
    );
  });
});

describe.skipIf(!has_python)("a function that uses a class of which both versions differ", () => {
  const of = (field: number, body: string, extra = "") =>
    `import enum\nfrom dataclasses import dataclass\nclass C(Exception):\n    X = ${field}\n    def __init__(self, n: int):\n        self.n = n\n    def get(self) -> int:\n        return self.n + ${extra || 0}\nclass E(enum.Enum):\n    A = 1\n    B = ${field}\n@dataclass\nclass P:\n    n: int\n    def get(self) -> int:\n        return self.n + ${extra || 0}\n    Y = ${field}\ndef f(${body}\n`;

  it.each([
    ["a constant of it", "n: int):\n    return C.X", true],
    ["an object of it", "n: int):\n    return C(n)", false],
    ["an exception", "n: int):\n    raise C(n)", false],
    ["a value of an enumeration", "n: int):\n    return E.A", false],
    ["another value of an enumeration", "n: int):\n    return E.B", true],
    ["a parameter", "c: C):\n    return c.n + 1", false],
    ["a parameter that is a record", "p: P):\n    return isinstance(p, P)", false],
  ])("differs only where %s does", async (_, body, differs) => {
    const { status } = await compared(of(2, body), of(3, body), "f", differs ? undefined : 4);
    if (differs) expect(status).toBe("different");
    else expect(status).toMatch(/timeout|undecided/);
  });

  it("is given objects by the constructor of each version", async () => {
    for (const kind of ["C", "P"]) {
      const body = `c: ${kind}):\n    return c.get()`;
      const answer = await compared(of(2, body, "0"), of(2, body, "1"), "f");
      expect(explanationOf(answer)).toMatch(/^f_base\(c=.\(n=-?\d+\)\) returns/);
    }
  });

  it("is not compared if objects of it are in a list that it is given", async () => {
    const body = "ps: list[P]):\n    return len(ps)";
    expect(await compared(of(2, body), of(3, body), "f")).toMatchObject({
      status: "refused",
      error: expect.stringContaining("its own version of the class P"),
    });
  });
});
