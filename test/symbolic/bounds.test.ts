import { describe, expect, it } from "vitest";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { shareSymbolic } from "../support/symbolic.ts";

const verdict = fixture(shareSymbolic);

const imports = `from typing import Annotated, Optional
from annotated_types import Ge, Gt, Len, Lt
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import Field, PositiveInt, conint, conlist
Percent = Annotated[int, Field(ge=0, le=100)]
`;

/** Conditions that are read, by what states them: parameters, or a decorator with the parameters of its function. */
const conditions: [written: string, given: string, read: string][] = [
  ["x: Annotated[int, Gt(0), Lt(5)]", "", "x > 0 and x < 5"],
  ["x: Percent", "", "x >= 0 and x <= 100"],
  ["x: conint(ge=1, multiple_of=3)", "", "x >= 1 and x % 3 == 0"],
  ["x: PositiveInt", "", "x > 0"],
  ["x: Optional[Annotated[int, Ge(2)]]", "", "x is None or x >= 2"],
  ["x: list[Annotated[int, Ge(2)]]", "", "all((each >= 2 for each in x))"],
  ["x: Annotated[list[int], Len(1, 2)]", "", "len(x) >= 1 and len(x) <= 2"],
  ["x: conlist(int, min_length=1)", "", "len(x) >= 1"],
  ["x: Annotated[int, 'a remark', Field(gt=3, description='large')]", "", "x > 3"],
  ["x", "st.integers(0, 9)", "x >= 0 and x <= 9"],
  ["x, y", "st.integers(max_value=3)", "y <= 3"],
  ["x, y", "st.booleans(), y=st.integers(min_value=-2)", "y >= -2"],
  ["x", "st.lists(st.integers(1), min_size=1)", "len(x) >= 1 and all((each >= 1 for each in x))"],
  ["x", "st.floats(0, 1)", "x >= 0 and x <= 1 and -1.7976931348623157e+308 <= x <= 1.7976931348623157e+308"],
  ["x", "st.none() | st.integers(4)", "x is None or x >= 4"],
  ["x", "st.tuples(st.booleans(), st.integers(4))", "x[1] >= 4"],
  ["x", "st.sampled_from(['a', 'b'])", "x in ('a', 'b')"],
];

describe.skipIf(!has_python)("bounds that libraries state", () => {
  it.each(conditions)("%s, @given(%s)", async (parameters, given, read) => {
    const named = given.includes("y=") ? given.replace("st.booleans()", "x=st.booleans()") : given;
    const decorator = given ? `@given(${named})\n@settings(max_examples=9)\n` : "";
    const typed = given ? parameters.replace("x, y", "x: bool, y") : parameters;
    const { notes } = await verdict.check(`${imports}${decorator}def f(${typed}) -> int:\n    return 1\n`, "f");
    expect(String(notes)).toContain(`Verified for all inputs with ${read}: f ends`);
  });

  it("exclude inputs, for all tools", async () => {
    const code = `${imports}
def f(x: Annotated[int, Gt(0)]) -> int:
    return 10 // x
def g(x: Annotated[int, Gt(0)]) -> int:
    return 10 // abs(x)
def h(x: Annotated[int, Ge(0)]) -> int:
    return 10 // x
`;
    expect(await verdict.check(code, "f")).toMatchObject({ status: "verified" });
    expect(await verdict.raises(code, "f", "ZeroDivisionError")).toMatchObject({ status: "unreachable" });
    expect(await verdict.check(code, "h")).toMatchObject({ counterexamples: [{ args: { x: 0 } }] });
    // Both admit only positive numbers, for which they are the same.
    expect((await verdict.compare(code, "f", "g"))["status"]).not.toBe("different");
  });

  it("the asserts of a test are what it tests, also the first one; its docstring and its assumptions count", async () => {
    const code = `${imports}
@given(st.integers())
def test(n):
    """A test.

    pre: n < 100
    """
    assert n != 7
@given(st.integers())
def fine(n):
    assume(n != 7)
    assert n != 7
`;
    expect(await verdict.check(code, "test")).toMatchObject({ counterexamples: [{ args: { n: 7 } }] });
    expect(await verdict.check(code, "fine")).toMatchObject({ status: "verified" });
  });

  it("a decorator that checks them in each call is not left out", async () => {
    const code =
      "from pydantic import PositiveInt, validate_call\n@validate_call\ndef f(x: PositiveInt) -> int:\n    return x\n";
    await expect(verdict.check(code, "f")).rejects.toMatchObject({
      message: expect.stringContaining("import of pydantic"),
    });
  });

  it.each([
    ["x", "@given(st.datetimes())\n", "the strategy `st.datetimes()` of f can't be read"],
    ["x", "@given(st.integers(0, 9).map(abs))\n", "the strategy `st.integers(0, 9).map(abs)`"],
    ["x", "@given(st.integers(n, 9))\n", "`st.integers(n, 9)` of f can't be read"],
    ["x: Annotated[str, Field(pattern='a+')]", "", "`Field(pattern='a+')` of f can't be read"],
    ["x: Annotated[int, Gt(0)] | Annotated[str, Len(1)]", "", "of f can't be read"],
    ["x: Annotated[Optional[int], Gt(0)]", "", "`Gt(0)` of f can't be read"],
    ["x: Annotated[float, Field(multiple_of=0.1)]", "", "`Field(multiple_of=0.1)` of f can't be read"],
    ["x", "s = st.integers(0, 9)\ns = st.integers(0, 3)\n@given(s)\n", "the strategy `s` of f can't be read"],
  ])("what is not read is refused by name: %s %s", async (parameters, decorator, message) => {
    const code = `${imports}n = 3\n${decorator}def f(${parameters}) -> int:\n    return 1\ndef other(x: int) -> int:\n    return x\n`;
    await expect(verdict.check(code, "f")).rejects.toMatchObject({ message: expect.stringContaining(message) });
    expect(await verdict.check(code, "other")).toMatchObject({ status: "verified" });
  });
});
