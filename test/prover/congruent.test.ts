import { beforeAll, describe, expect, it } from "vitest";
import type { Goal } from "../../src/prover/index.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { blocksOf } from "../support/proofs.mjs";
import { equal, meets, never, prove_ms_max, type Run, runInPython, shareProver } from "../support/prover.ts";

const imports = "import math\nimport re\nimport string\n";

/** Whether the two functions end differently in CPython. */
function shown(code: string, args: string): string {
  return `${imports}${code}
def end(h, *args):
    try:
        value = h(*args)
        return type(value).__name__ + repr(value)
    except Exception as error:
        return type(error)

def shows():
    return end(f, *${args}) != end(g, *${args})
`;
}

describe.skipIf(!has_python)("operations without a model", () => {
  const bench = fixture(shareProver);
  const compare = (code: string, ms?: number) => bench.prove(imports + code, equal, ms);

  it.each(blocksOf("congruent").map(({ title, code }) => [title, code]))(
    "are the same function on both sides: %s",
    async (_, code = "") => {
      const verdict = await withEnoughTime(
        (ms) => compare(code, ms),
        ({ kind }) => kind === "proven",
        prove_ms_max,
      );
      expect(verdict).toMatchObject({
        kind: "proven",
        proof: { assumptions: expect.arrayContaining([expect.stringContaining("operation without a model")]) },
      });
    },
  );

  describe("prove nothing that CPython refutes", () => {
    const wrong = blocksOf("congruent_wrong");
    let runs: Run[];
    beforeAll(async () => {
      const calls = [{ function: "shows", args: [] }];
      runs = await runInPython(wrong.map(({ code, note }) => ({ code: shown(code, note), calls })));
    });

    it.each(wrong.map(({ title, code }, i) => ({ title, code, i })))("$title", async ({ code, i }) => {
      expect(runs[i]?.outcomes).toEqual([JSON.stringify({ kind: "value", value: { type: "bool", value: true } })]);
      expect((await compare(code)).kind).toBe("undecided");
    });
  });

  it.each<[string, Goal, string]>([
    [
      "the digits of a text are not more than its characters",
      meets,
      'def f(s: str) -> int:\n    """post: 0 <= _ <= len(s)"""\n    n = 0\n    for i, c in enumerate(s):\n        assert 0 <= n <= i\n        if c.isdigit():\n            n += 1\n    return n',
    ],
    [
      "some of the words",
      meets,
      'def f(s: str) -> list[str]:\n    """post: all(w in s.split() for w in _)"""\n    out: list[str] = []\n    ws = s.split()\n    for w in ws:\n        assert all(v in ws for v in out)\n        if w.isalpha():\n            out.append(w)\n    return out',
    ],
    [
      "methods that raise nothing",
      never("ValueError"),
      'def f(s: str) -> str:\n    return s.upper().replace("A", "b")',
    ],
    ["an f-string", never("KeyError"), 'def f(n: int, s: str) -> str:\n    return f"{n} {s.strip()}"'],
    [
      "a compiled pattern",
      never("Exception"),
      'import re\nWORD = re.compile("[a-z]+")\ndef f(s: str) -> list[str]:\n    return WORD.split(re.sub("x", "-", s)) if WORD.match(s) else []',
    ],
    ["a separator that is not empty", never("ValueError"), 'def f(s: str) -> list[str]:\n    return s.split("-", 1)'],
    [
      "a separator that a condition excludes",
      never("Exception"),
      "def f(s: str, t: str) -> list[str]:\n    return s.rsplit(t) if t else [s]",
    ],
    ["widths", never("Exception"), 'def f(s: str) -> str:\n    return s.replace("a", "b", 1).zfill(4).center(7)'],
    [
      "membership in a tuple of any length",
      never("Exception"),
      "def f(x: str, t: tuple[str, ...]) -> bool:\n    return x in t",
    ],
    [
      "a text that the codec may not know",
      never("Exception"),
      'def f(s: str) -> bool:\n    try:\n        s.encode("ascii")\n        return True\n    except UnicodeEncodeError:\n        return False',
    ],
    [
      "another exception of int()",
      never("KeyError"),
      "def f(s: str) -> int:\n    try:\n        return int(s)\n    except ValueError:\n        return 0",
    ],
  ])("are unknown functions in one function, too: %s", async (_, goal, code) => {
    const verdict = await withEnoughTime(
      (ms) => bench.prove(code, goal, ms),
      ({ kind }) => kind === "proven",
      prove_ms_max,
    );
    expect(verdict).toMatchObject({
      kind: "proven",
      proof: { assumptions: expect.arrayContaining([expect.stringContaining("operation without a model")]) },
    });
  });

  it.each<[string, Goal, string, string]>([
    ["an empty separator", never("ValueError"), "def f(s: str) -> list[str]:\n    return s.split(s)", "ValueError"],
    ["a large width", never("OverflowError"), "def f(s: str) -> str:\n    return s.zfill(2**63)", "OverflowError"],
    [
      "a large number of parts",
      never("OverflowError"),
      "def f(s: str) -> list[str]:\n    return s.split(None, 2**63)",
      "OverflowError",
    ],
    [
      "a character without a code",
      never("ValueError"),
      'def f(s: str) -> str:\n    return (s + "é").encode("ascii").hex()',
      "UnicodeEncodeError",
    ],
    [
      "a group that did not match",
      never("AttributeError"),
      'import re\nPART = re.compile("(a)|b")\ndef f(s: str) -> str:\n    return PART.split(s + "b")[1].upper()',
      "AttributeError",
    ],
    [
      "None instead of a match",
      never("AttributeError"),
      'import re\nWORD = re.compile("[a-z]+")\ndef f(s: str) -> str:\n    return WORD.match(s).group()',
      "AttributeError",
    ],
    [
      "a replacement that refers to a missing group",
      never("IndexError"),
      'import re\nWORD = re.compile("a*")\ndef f(s: str) -> str:\n    return WORD.sub("\\\\g<x>", s)',
      "IndexError",
    ],
    ["int() of a text", never("ValueError"), "def f(s: str) -> int:\n    return int(s.upper())", "ValueError"],
    [
      "an exception of any class",
      never("LookupError"),
      'def f(s: str) -> str:\n    return s.encode("x").hex()',
      "LookupError",
    ],
    [
      "one that a handler lets through",
      never("LookupError"),
      'def f(s: str) -> str:\n    try:\n        return s.encode("x").hex()\n    except ValueError:\n        return s',
      "LookupError",
    ],
    [
      "an index that only a longer text has",
      never("IndexError"),
      "def f(s: str) -> str:\n    return s.strip()[0]",
      "IndexError",
    ],
    ["a word that is not there", never("IndexError"), "def f(s: str) -> str:\n    return s.split()[0]", "IndexError"],
    [
      "a failing assert",
      never("AssertionError"),
      "def f(s: str) -> str:\n    t = s + '.'\n    assert t.strip() != '.'\n    return t",
      "AssertionError",
    ],
    [
      "a method that the value lacks, before the arguments raise",
      never("AttributeError"),
      "def f(s: str) -> int:\n    return len(s).get([][0])",
      "AttributeError",
    ],
    [
      "a change that a dict lacks, before the arguments raise",
      never("AttributeError"),
      "def f(s: str) -> int:\n    d = {1: s}\n    d.append(1 // 0)\n    return 1",
      "AttributeError",
    ],
    [
      "a set in reverse",
      never("TypeError"),
      "def f(s: str) -> int:\n    n = 0\n    for x in reversed({len(s)}):\n        n += x\n    return n",
      "TypeError",
    ],
    [
      "a view of a list",
      never("AttributeError"),
      "def f(s: str) -> int:\n    xs = [s]\n    for x in xs.items():\n        return 1\n    return 0",
      "AttributeError",
    ],
    [
      "None instead of an item",
      never("TypeError"),
      "def f(s: str) -> int:\n    try:\n        w = max(s.split(), key=len, default=None)\n    except Exception:\n        return 0\n    return len(w)",
      "TypeError",
    ],
    [
      "one of two lists, not of their items",
      never("TypeError"),
      "def f(s: str) -> str:\n    try:\n        v = min(s.split(), s.split(), key=len)\n    except Exception:\n        return s\n    return v + s",
      "TypeError",
    ],
    [
      "the address of a method in a text",
      meets,
      "def f(s: str) -> str:\n    t, u, v = f'{s}xy', f'{s}xy', s + '{0.upper}'\n    try:\n        a, b = v.format(t), v.format(u)\n    except Exception:\n        return s\n    assert a == b\n    return a",
      "AssertionError",
    ],
    [
      "a key without a hash",
      never("TypeError"),
      "def f(s: str) -> int:\n    return len({set(s): s.upper()})",
      "TypeError",
    ],
    [
      "a dict that another function changes",
      meets,
      "def h(d: dict[str, int]) -> None:\n    try:\n        d |= {'b': 1}\n    except Exception:\n        return\n\n\ndef f(s: str) -> int:\n    d = {s: 1}\n    h(d)\n    assert len(d) == 1\n    return 1",
      "AssertionError",
    ],
    [
      "a contract",
      meets,
      "def f(s: str) -> str:\n    t = s.title()\n    assert len(t) != len(s)\n    return t",
      "AssertionError",
    ],
  ])("prove nothing of one function that CPython refutes: %s", async (_, goal, code, exception) => {
    const [run] = await runInPython([{ code, calls: [{ function: "f", args: [{ type: "str", codes: [] }] }] }]);
    expect(run?.outcomes).toEqual([expect.stringContaining(exception)]);
    expect((await bench.prove(code, goal, 3_000)).kind).toBe("undecided");
  });

  it("leave obligations open, without a state that some meaning of them allows", async () => {
    const code =
      'def f(s: str) -> int:\n    """post: _ <= len(s)"""\n    n = 0\n    for i, c in enumerate(s):\n        assert n <= i\n        if c.isupper():\n            n += 2\n    return n';
    const verdict = await withEnoughTime(
      (ms) => bench.prove(code, meets, ms),
      (each) => "obligations" in each,
      prove_ms_max,
    );
    const open = [{ kind: "kept", line: 5, source: "n <= i", state: null, reachable: null }];
    expect(verdict).toMatchObject({
      kind: "undecided",
      cause: "incomplete",
      obligations: { open, unmodelled: { line: 6 } },
    });
  });
});
