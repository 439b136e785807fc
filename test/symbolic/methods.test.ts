import { describe, expect, it } from "vitest";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { type Answer, explanationOf, shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const seconds = 4;
const notesOf = (answer: Answer) => (answer["notes"] as string[]).join("\n");
const callOf = (answer: Answer) => (answer["counterexamples"] as { call: string }[])[0]?.call;

const account = `
from dataclasses import dataclass

class Account:
    def __init__(self, balance: int, owner: str = "x") -> None:
        if balance < 0:
            raise ValueError("no debts")
        self.balance = balance

    def withdraw(self, amount: int) -> int:
        self.balance -= amount
        return 10 // (self.balance - 7)

    @property
    def half(self) -> int:
        return 10 // (self.balance - 7)

    @staticmethod
    def parse(n: int) -> int:
        return 10 // (n - 7)

    @classmethod
    def make(cls, n: int) -> "Account":
        return cls(10 // (n - 7))

    class Inner:
        def __init__(self, balance: int) -> None:
            self.n = 10 // (balance - 7)

        def m(self, n: int) -> int:
            return self.n // (n - 7)

    def __private(self, n: int) -> int:
        return 10 // (n - 7)

    async def later(self) -> None:
        pass

class Savings(Account):
    rate = 3

@dataclass
class Point:
    x: int

    def __post_init__(self) -> None:
        assert self.x > 0

    def inverse(self) -> int:
        return 10 // self.x

def total(account: Account, n: int) -> int:
    return 10 // (account.balance + n - 7)
`;

describe.skipIf(!has_python)("a method as the target", () => {
  it.each([
    ["Account.withdraw", /^Account\(balance=\d+(, owner='.*')?\)\.withdraw\(amount=-?\d+\)$/],
    ["Account.half", /^Account\(balance=7(, owner='.*')?\)\.half$/],
    ["Account.parse", /^Account\.parse\(n=7\)$/],
    ["Account.make", /^Account\.make\(n=7\)$/],
    ["Account.Inner.__init__", /^Account\.Inner\(balance=7\)$/],
    ["Account.Inner.m", /^Account\.Inner\(balance=-?\d+\)\.m\(n=7\)$/],
    ["Account.__private", /^Account\(balance=0.*\)\.__private\(n=7\)$/],
    ["Savings.withdraw", /^Savings\(balance=\d+(, owner='.*')?\)\.withdraw\(amount=-?\d+\)$/],
    ["total", /^total\(account=Account\(balance=\d+(, owner='.*')?\), n=-?\d+\)$/],
  ])("is made by its constructor, and shown so: %s", async (name, call) => {
    const answer = await verdict.raises(account, name, "ZeroDivisionError");
    expect(answer).toMatchObject({ status: "found" });
    expect((answer["triggering_inputs"] as { call: string }[]).map((each) => each.call)).toContainEqual(
      expect.stringMatching(call),
    );
  });

  it("is checked by its contract, in which self is the object afterwards", async () => {
    const code = `class Jar:\n    def __init__(self, n: int) -> None:\n        """pre: n < 99"""\n        assert n >= 0\n        self.n = n\n    def take(self, k: int) -> int:\n        """\n        pre: 0 <= k < 3\n        post: self.n >= 0\n        post: _ == k\n        """\n        self.n -= k\n        return k\n`;
    const answer = await verdict.check(code, "Jar.take");
    expect(answer).toMatchObject({ status: "counterexample" });
    expect(callOf(answer)).toMatch(/^Jar\(n=[01]\)\.take\(k=[12]\)$/);
    expect(answer["counterexamples"]).toMatchObject([
      {
        violation: "postcondition: self.n >= 0",
        test: expect.stringMatching(/self = Jar\(n=\d\)[\s\S]*result = self\.take\(k=k\)\n {4}assert self\.n >= 0/),
      },
    ]);
    expect(notesOf(answer)).toContain("Only freshly constructed objects were tried (Jar)");
  });

  it("has to keep the invariants of its class", async () => {
    const code =
      "from icontract import invariant\n@invariant(lambda self: self.n >= 0)\nclass Jar:\n    def __init__(self, n: int) -> None:\n        self.n = n\n    def take(self, k: int) -> None:\n        self.n -= k\n";
    const answer = await verdict.check(code, "Jar.take");
    expect(answer).toMatchObject({
      status: "counterexample",
      counterexamples: [{ violation: "postcondition: self.n >= 0", call: expect.stringMatching(/^Jar\(n=\d+\)/) }],
    });
  });

  it("has branches", async () => {
    const code = `class A:\n    def __init__(self, n: int) -> None:\n        self.n = n\n    def m(self, k: int) -> int:\n        if self.n > k + 3:\n            return 1\n        return 0\n`;
    const answer = await verdict.branches(code, "A.m");
    expect(answer).toMatchObject({ branches: [{ condition: "self.n > k + 3" }] });
  });

  it("never has an object that its constructor refuses", async () => {
    expect((await verdict.raises(account, "Point.inverse", "ZeroDivisionError", seconds))["status"]).not.toBe("found");
    expect((await verdict.raises(account, "Account.half", "ValueError", seconds))["status"]).not.toBe("found");
  });

  it("can be beside a function whose name begins with two underscores", async () => {
    const code = "def __inverse(n: int) -> float:\n    return 1 / n\n";
    expect(await verdict.check(code, "__inverse", seconds)).toMatchObject({ status: "counterexample" });
    const { error } = await faultOf(verdict.check(code, "__builtins__", seconds));
    expect(error).toMatch(/no function __builtins__/);
  });

  it.each([
    ["a wrong method", "Account.withdrew", /no method withdrew.*name Account\.withdraw if you meant that/],
    ["a wrong class", "Acount.withdraw", /no class Acount.*write Account instead of Acount/],
    ["a method without its class", "withdraw", /no function withdraw.*name Account\.withdraw if you meant that/],
    ["a class", "Account", /is a class.*Account\.withdraw/],
    ["an attribute", "Savings.rate", /of type int.*Savings\.method/],
    ["an attribute of objects", "Account.balance", /no method balance.*Account\.__private/],
    ["an async method", "Account.later", /is async/],
    ["what Python makes", "Point.__eq__", /function of a library/],
    ["what a class has of Python", "Account.__repr__", /inherits from object/],
    ["a call", "Account(3).withdraw", /is a class/],
  ])("is refused with the way on: %s", async (_, name, words) => {
    const { error, remedy } = await faultOf(verdict.check(account, name, seconds));
    expect(`${error} ${remedy}`).toMatch(words);
  });

  it.each([
    [
      "an abstract class",
      "from abc import ABC, abstractmethod\nclass A(ABC):\n    def __init__(self, n: int) -> None:\n        self.n = n\n    @abstractmethod\n    def area(self) -> int: ...\n    def m(self) -> int:\n        return 1\n",
      /A is abstract.*area is not implemented/,
    ],
    [
      "an object",
      "class A:\n    def m(self) -> int:\n        return 1\na = A()\n",
      /a is an object of the class A.*A\.method/,
    ],
  ])("is refused for %s", async (kind, code, words) => {
    const { error, remedy } = await faultOf(verdict.check(code, kind === "an object" ? "a.m" : "A.m", seconds));
    expect(`${error} ${remedy}`).toMatch(words);
  });
});

/** Two methods of a class with these bodies. */
const both = (init: string, one: string, other: string, more = "") =>
  `import random\nclass A:\n${more}    def __init__(self, n: int, xs: list[int]) -> None:\n        ${init}\n    def f(self, k: int) -> object:\n        ${one}\n    def g(self, k: int) -> object:\n        ${other}\n`;

describe.skipIf(!has_python)("two methods", () => {
  it.each([
    ["the state", "self.n = n", "self.n += k", "self.n += abs(k)", /leaves self as <A n=/],
    ["the type of a field", "self.n = n", "self.n = 1", "self.n = True", /leaves self as <A n=1>.*<A n=True>/],
    ["a field more", "self.n = n", "self.n = 1", "self.n = 1\n        self.m = 1", /m=1/],
    ["what the constructor was given", "self.xs = xs", "self.xs.append(k)", "self.xs = [*self.xs, k]", /leaves xs as/],
    [
      "a field that a property hides",
      "self.n = n",
      "self._p = 1",
      "self._p = 2",
      /_p=1.*_p=2/,
      "    @property\n    def p(self):\n        return 0\n",
    ],
    ["a slot", "self.n = n", "self.n = 1", "self.n = 2", /n=1.*n=2/, "    __slots__ = ('n',)\n"],
    [
      "objects that say that they are equal",
      "self.n = n",
      "return A(1, [])",
      "return A(2, [])",
      /returns/,
      "    def __eq__(self, other):\n        return True\n",
    ],
    [
      "an object whose text says nothing",
      "self.n = n",
      "self.n = 1",
      "self.n = 2",
      /n=1.*n=2/,
      "    def __repr__(self):\n        return 'A'\n",
    ],
    ["the exception", "self.n = n", "raise KeyError", "raise LookupError", /raises KeyError.*raises LookupError/],
    ["the state before an exception", "self.n = n", "self.n = 1; raise KeyError", "raise KeyError", /leaves self as/],
  ])("differ by %s", async (_, init, one, other, words, more = "") => {
    const answer = await verdict.compare(both(init, one, other, more), "A.f", "A.g");
    expect(answer).toMatchObject({ status: "different" });
    expect(explanationOf(answer)).toMatch(words);
  });

  it.each([
    ["a list of the class", "self.n = n", "A.log.append(k)", "pass", "    log = []\n"],
    ["a list of the class, through the object", "self.n = n", "self.log.append(k)", "pass", "    log = []\n"],
    ["an attribute of the class", "self.n = n", "type(self).log = k", "pass", "    log = 0\n"],
    ["what is drawn by lot", "self.n = n", "self.n = random.random()", "self.n = random.random()"],
    [
      "what __getattr__ invents",
      "self.n = n",
      "return self.nothing",
      "return self.nothing + 0",
      "    def __getattr__(self, name):\n        return 0\n",
    ],
    ["what __del__ does", "self.n = n", "return 1", "return 1", "    def __del__(self):\n        pass\n"],
  ])("are never the same for certain if they change %s", async (_, init, one, other, more = "") => {
    const answer = await verdict
      .compare(both(init, one, other, more), "A.f", "A.g", seconds)
      .catch((error) => error.report());
    expect(answer["status"]).not.toBe("equivalent");
    expect(answer["proof"] ?? null).toBeNull();
    if (/lot/.test(_)) expect(answer["status"]).not.toBe("different");
  });

  it("can belong to two classes, whose objects are made alike", async () => {
    const code = `class A:\n    def __init__(self, n: int) -> None:\n        self.n = n\n    def m(self, k: int) -> "A":\n        return A(self.n + k)\n`;
    const second = code.replaceAll("A", "B");
    const test = await verdict.compare(code + second.replace("+ k", "+ abs(k)"), "A.m", "B.m");
    expect(test).toMatchObject({ status: "different" });
    expect(explanationOf(test)).toMatch(
      /^A\(n=.*\)\.m\(k=-.*\) returns <A n=-?\d+>, but B\(n=.*\)\.m\(k=-\d+\) returns <B n=\d+>/,
    );
    const alike = await verdict.compare(code + second, "A.m", "B.m", seconds);
    expect(alike["status"]).not.toBe("different");
    expect(notesOf(alike)).toContain("objects of A and B count as equal if their fields are");
    const { error } = await faultOf(
      verdict.compare(code + second.replace("n: int)", "n: int, m: int)"), "A.m", "B.m", seconds),
    );
    expect(error).toContain("only B.m takes m");
  });
});
