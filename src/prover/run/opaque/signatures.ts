/**
 * The signatures of methods and functions that only read data of Python's own types and whose results depend only on
 * their arguments. All others are rejected: they could change an argument, or depend on other data.
 */

import { type Plain, STR, type Type } from "../../logic/values.ts";
import type { Machine } from "../machine.ts";
import type { State } from "../parts.ts";
import { stringOf } from "../sequences.ts";
import { INTEGER, type Known, TRUTH } from "./functions.ts";

const TEXTS: Type = { kind: "list", item: STR, view: "whole" };
const PARTS: Type = { kind: "tuple", items: [STR, STR, STR] };
const FLOAT: Type = { kind: "float" };
const BYTES: Type = { kind: "opaque", of: "bytes", items: [], floats: false };

/** What a call raises, by argument types. A call with any other types can raise anything. */
type Calls = Readonly<Record<string, NonNullable<Known["raises"]>>>;
interface Signature {
  readonly result: Type;
  readonly calls: Calls;
}

function all(names: string, result: Type, calls: Calls = {}): [string, Signature][] {
  return names.split(" ").map((name) => [name, { result, calls }]);
}

const nothing = "nothing";

/**
 * String methods, with the types of their results and what they raise apart from the errors in `checkOfText`.
 */
const of_texts: ReadonlyMap<string, Signature> = new Map([
  ...all("lower upper title capitalize casefold swapcase", STR, { "": nothing }),
  ...all("strip lstrip rstrip", STR, { "": nothing, str: nothing }),
  ...all("removeprefix removesuffix", STR, { str: nothing }),
  ...all("replace", STR, { "str, str": nothing, "str, str, int": nothing }),
  ...all("center ljust rjust zfill", STR, { int: nothing }),
  ...all("translate", STR, { "dict[int, str]": nothing, "dict[int, none]": nothing }),
  ...all("expandtabs format", STR),
  ...all("join", STR, { "list[str]": nothing, str: nothing }),
  ...all(
    "isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper",
    TRUTH,
    {
      "": nothing,
    },
  ),
  ...all("startswith endswith", TRUTH, { str: nothing, "str, int": nothing, "str, int, int": nothing }),
  ...all("count find rfind", INTEGER, { str: nothing, "str, int": nothing, "str, int, int": nothing }),
  ...all("index rindex", INTEGER, { str: "ValueError", "str, int": "ValueError", "str, int, int": "ValueError" }),
  ...all("split rsplit", TEXTS, {
    "": nothing,
    none: nothing,
    str: nothing,
    "none, int": nothing,
    "str, int": nothing,
  }),
  ...all("splitlines", TEXTS, { "": nothing, bool: nothing }),
  ...all("partition rpartition", PARTS, { str: nothing }),
  ...all("encode", BYTES, { "": "UnicodeEncodeError" }),
]);

/**
 * Methods that only read, whichever of Python's own types has them. Methods that compare items are listed separately.
 */
const reading: ReadonlySet<string> = new Set([
  ...of_texts.keys(),
  ..."decode hex bit_length bit_count is_integer as_integer_ratio conjugate copy".split(" "),
  ..."group groups groupdict start end span fullmatch match search findall sub".split(" "),
]);
const comparing: ReadonlySet<string> = new Set(
  (
    "count index get keys values items union intersection difference symmetric_difference issubset issuperset " +
    "isdisjoint"
  ).split(" "),
);

export function isReading(method: string): boolean {
  return reading.has(method) || comparing.has(method);
}

/** Whether a call can depend on the identity of a NaN among its arguments. */
export function isComparing(name: string): boolean {
  return comparing.has(name) || comparing_functions.has(name);
}

/** Raises what string methods raise for an empty separator, or for a number with more than 64 bits. */
export function checkOfText(m: Machine, state: State, name: string, operands: readonly Plain[], line: number): void {
  const { t } = m;
  const [first] = operands;
  const last = operands.at(-1);
  if (with_number.has(name) && last?.kind === "int") {
    const limit = t.int(2n ** 63n);
    m.raise(state, t.or(t.le(limit, last.term), t.lt(last.term, t.neg(limit))), "OverflowError", line);
  }
  const separator = with_separator.has(name) && first ? stringOf(first) : undefined;
  if (separator) m.raise(state, t.eq(separator.length, t.zero), "ValueError", line);
}

const with_separator: ReadonlySet<string> = new Set("split rsplit partition rpartition".split(" "));
const with_number: ReadonlySet<string> = new Set("split rsplit replace center ljust rjust zfill".split(" "));

/** Returns the signature of a string method for arguments of these types. */
export function methodOfText(name: string, types: string): Known | undefined {
  // These methods also accept a tuple of strings in place of a string.
  const is_choice =
    (name === "startswith" || name === "endswith") && /^tuple\[(str(, str)*(, \.\.\.)?)?\](?=$|,)/.test(types);
  return knownBy(of_texts.get(name), is_choice ? types.replace(/^tuple\[.*?\]/, "str") : types);
}

const any_number: Calls = { int: nothing, float: nothing, bool: nothing };
const printed: Calls = { bool: nothing, float: nothing, none: nothing, int: "ValueError" };

const builtins: ReadonlyMap<string, Signature> = new Map([
  ...all("str repr ascii", STR, { ...printed, str: nothing }),
  ...all("format bin hex oct chr", STR),
  ...all("len", INTEGER),
  ...all("int", INTEGER, { str: "ValueError", "str, int": "ValueError" }),
  ...all("ord", INTEGER, { str: "TypeError" }),
  ...all("float", FLOAT, { str: "ValueError", float: nothing }),
  ...all("bool", TRUTH, any_number),
]);
/** Builtins whose results can have several types. */
const open_builtins: ReadonlySet<string> = new Set(
  "abs round divmod pow sum sorted min max tuple list set frozenset dict".split(" "),
);
const comparing_functions: ReadonlySet<string> = new Set("sorted min max set frozenset dict".split(" "));
/** The open builtins whose result can be a float although no argument is a float. */
const float_makers: ReadonlySet<string> = new Set(["pow", "round", "divmod"]);

/** Whether a builtin function only reads, and never creates a float from anything else. */
export function isReadingFunction(name: string): boolean {
  return (builtins.has(name) && name !== "float") || (open_builtins.has(name) && !float_makers.has(name));
}

/**
 * Returns the signature of a builtin function, whose result type can be open. Returns undefined for a function that is
 * not known to only read.
 */
export function builtinFunction(
  name: string,
  types: string,
): { known: Known | undefined; makes_floats: boolean } | undefined {
  const known = knownBy(builtins.get(name), types);
  if (known) return { known, makes_floats: false };
  return open_builtins.has(name) ? { known: undefined, makes_floats: float_makers.has(name) } : undefined;
}

const real: Calls = { float: nothing };
const imported: ReadonlyMap<string, Signature> = new Map([
  ...all("math.gcd math.lcm", INTEGER, { "int, int": nothing }),
  ...all("math.comb math.perm math.factorial math.isqrt", INTEGER),
  ...all("math.atan math.degrees math.radians math.tanh math.asinh math.cbrt math.erf math.erfc", FLOAT, real),
  // copysign is omitted: a NaN has a sign, which the terms do not represent.
  ...all("math.atan2 math.hypot", FLOAT, { "float, float": nothing }),
  ...all(
    "math.sqrt math.log math.log2 math.log10 math.log1p math.exp math.exp2 math.expm1 math.sin math.cos math.tan math.asin " +
      "math.acos math.sinh math.cosh math.acosh math.atanh math.pow math.fmod math.dist math.fabs math.gamma math.lgamma",
    FLOAT,
  ),
  ...all("math.isnan math.isinf math.isfinite math.isclose", TRUTH),
  ...all("math.floor math.ceil math.trunc", INTEGER),
  ...all("re.sub re.escape textwrap.dedent unicodedata.normalize html.escape html.unescape json.dumps", STR),
  ...all("os.path.join os.path.basename os.path.dirname os.path.normpath", STR),
  ...all("bisect.bisect bisect.bisect_left bisect.bisect_right", INTEGER, {
    "list[int], int": nothing,
    "tuple[int, ...], int": nothing,
  }),
]);
const open_imported: ReadonlySet<string> = new Set(
  "math.prod re.findall re.split re.match re.fullmatch re.search re.compile".split(" "),
);
/** Functions whose results are compared by identity, like a NaN. A product can be a float. */
const identical: ReadonlySet<string> = new Set("math.prod re.match re.fullmatch re.search".split(" "));

/** Returns the signature of a module's function. */
export function importedFunction(
  name: string,
  types: string,
): { known: Known | undefined; has_identity: boolean } | undefined {
  const known = knownBy(imported.get(name), types);
  const has_identity = identical.has(name);
  return known || open_imported.has(name) ? { known, has_identity } : undefined;
}

function knownBy(signature: Signature | undefined, types: string): Known | undefined {
  if (!signature) return undefined;
  return {
    result: signature.result,
    raises: Object.hasOwn(signature.calls, types) ? signature.calls[types] : undefined,
  };
}
