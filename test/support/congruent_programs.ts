/** Random functions over operations without a model, each with a second one: the same, or changed here and there. */

type Below = (bound: number) => number;

const kinds = ["str", "int", "texts"] as const;
type Kind = (typeof kinds)[number];

/** Expressions of each kind; `S`, `N` and `X` stand for a variable of the kind str, int and texts. */
const forms: Readonly<Record<Kind, readonly string[]>> = {
  str: [
    ..."S.lower() S.upper() S.strip() S.title() S[::-1] S[N:] S+S".split(" "),
    ...[
      "S.replace('a', S)",
      "f'{S}{N}'",
      "f'{N:>3}'",
      "str(N)",
      "'-'.join(X)",
      "max(X)",
      "repr(S)",
      "X[N]",
      "S.encode(S).hex()",
    ],
    ...["(S if N < N else S)", "S.zfill(N)", "S % N", "S * 2", "S.center(N, S)", "hex(N)", "S.partition(S)[0]"],
  ],
  int: [
    ..."len(S) len(X) int(S) S.count(S) S.find(S) S.index(S) ord(S) N+N N*N N**2 N%N N^N N|N".split(" "),
    ...["d.get(S, N)", "d[S]", "len(set(X))", "sum(map(len, X))", "(1 if S in X else N)", "X.index(S)", "int(S, 16)"],
    ...[
      "len({w.lower() for w in X})",
      "len({w: N for w in X})",
      "(N if S.isdigit() else N)",
      "N // N",
      "abs(N)",
      "len(d)",
    ],
  ],
  texts: [
    ...["S.split()", "S.split(S)", "sorted(X)", "sorted(X, key=len)", "X[N:]", "[w.strip() for w in X]", "list(X)"],
    ...["[w for w in X if w.isalpha()]", "sorted(X, key=lambda w: (len(w), w))", "X[::-1]", "list(map(str, X))"],
    ...["sorted(set(X))", "[f'{w}{N}' for w in X]", "S.splitlines()", "sorted(X, reverse=True)", "list(S)", "list(d)"],
  ],
};

const parameters = "s: str, t: str, n: int, m: int, xs: list[str], d: dict[str, int]";
const first: Readonly<Record<Kind, readonly string[]>> = { str: ["s", "t"], int: ["n", "m"], texts: ["xs"] };

interface Step {
  readonly kind: Kind;
  readonly name: string;
  readonly form: string;
  /** How its value is used: as it is, under a condition, in a handler, or in a loop. */
  readonly shape: number;
}

function filled(form: string, known: Readonly<Record<Kind, string[]>>, below: Below): string {
  const pick = (kind: Kind) => known[kind][below(known[kind].length)] ?? "";
  return form
    .replace(/\bS\b/g, () => pick("str"))
    .replace(/\bN\b/g, () => (below(4) === 0 ? String(below(4)) : pick("int")))
    .replace(/\bX\b/g, () => pick("texts"));
}

function steps(below: Below): Step[] {
  const known = { str: [...first.str], int: [...first.int], texts: [...first.texts] };
  return Array.from({ length: 2 + below(4) }, (_, i) => {
    const kind = kinds[below(kinds.length)] ?? "str";
    const form = filled(forms[kind][below(forms[kind].length)] ?? "", known, below);
    const step = { kind, name: `v${i}`, form, shape: below(6) };
    known[kind].push(step.name);
    return step;
  });
}

const otherwise: Readonly<Record<Kind, string>> = { str: "s", int: "0", texts: "xs" };

function linesOf({ kind, name, form, shape }: Step): string[] {
  if (shape === 0) return [`if n > m:`, `    ${name} = ${form}`, `else:`, `    ${name} = ${otherwise[kind]}`];
  if (shape === 1)
    return ["try:", `    ${name} = ${form}`, "except (ValueError, KeyError):", `    ${name} = ${otherwise[kind]}`];
  if (shape === 2 && kind === "int") return [`${name} = 0`, "for w in xs:", `    ${name} += ${form}`];
  if (shape === 2 && kind === "texts") return [`${name} = []`, "for w in xs:", `    ${name}.append(w.join(${form}))`];
  return [`${name} = ${form}`];
}

/** The same in other words. */
function reworded({ kind, name, form, shape }: Step, below: Below): string[] {
  if (below(2) === 0) return linesOf({ kind, name, form, shape });
  if (shape === 0) return [`if not n > m:`, `    ${name} = ${otherwise[kind]}`, `else:`, `    ${name} = ${form}`];
  if (shape === 1)
    return [
      "try:",
      `    ${name} = ${form}`,
      "except KeyError:",
      `    ${name} = ${otherwise[kind]}`,
      "except ValueError:",
      `    ${name} = ${otherwise[kind]}`,
    ];
  if (shape === 2 && kind === "int")
    return [`${name} = 0`, "for i in range(len(xs)):", "    w = xs[i]", `    ${name} = ${name} + (${form})`];
  if (shape === 2 && kind === "texts") return [`${name} = [w.join(${form}) for w in xs]`];
  return [`part = ${form}`, `${name} = part`];
}

/** Changes that mostly matter: the order of two steps, another operand, another operation. */
function changed(all: readonly Step[], below: Below): Step[] {
  const at = below(all.length);
  const step = all[at];
  if (!step) return [...all];
  const how = below(3);
  if (how === 0 && at > 0) return all.map((each, i) => (i === at ? (all[at - 1] ?? each) : i === at - 1 ? step : each));
  const forms_of_kind = forms[step.kind];
  const form =
    how === 1
      ? step.form.replace(/\b[stnm]\b/, (name) => ({ s: "t", t: "s", n: "m", m: "n" })[name] ?? name)
      : filled(
          forms_of_kind[below(forms_of_kind.length)] ?? "",
          { str: ["s", "t"], int: ["n", "m"], texts: ["xs"] },
          below,
        );
  return all.map((each, i) => (i === at ? { ...step, form } : each));
}

function definition(name: string, lines: readonly string[], result: string): string {
  return `def ${name}(${parameters}) -> str:\n${lines.map((line) => `    ${line}\n`).join("")}    return ${result}\n`;
}

/** Two functions `f` and `g`, and whether they were meant to be the same. */
export function randomPair(below: Below): { readonly code: string; readonly same: boolean } {
  const all = steps(below);
  const same = below(2) === 0;
  const result = `f"${all.map(({ name }) => `{${name}}`).join(" ")}"`;
  const body = all.flatMap(linesOf);
  const other = (same ? all : changed(all, below)).flatMap((step) => reworded(step, below));
  return { code: definition("f", body, result) + definition("g", other, result), same };
}

/** Calls of both functions on many inputs: `differs()` says whether one shows a difference, and `raised()` what `f` raised. */
export const driver = `
import itertools

def end(h, args):
    try:
        return repr(h(*args))
    except Exception as error:
        return type(error)

def inputs():
    texts = ["", "a", "B1", " x ", "12", "-3", "ab a", "utf8", "ß", "a%db"]
    lists = [[], ["a"], ["b", "a", "b"], ["1", "x2", " "], ["10", "7"]]
    numbers = [0, 1, -1, 2, 5]
    tables = [{}, {"a": 1}, {"12": 3, "": 0}]
    for s, t, (n, m), xs, d in itertools.product(texts, texts, zip(numbers, [1, 0, 2, -1, 5]), lists, tables):
        yield lambda: (s, t, n, m, list(xs), dict(d))

def differs():
    return any(end(f, args()) != end(g, args()) for args in inputs())

def raised():
    ends = {end(f, args()) for args in inputs()}
    return " ".join({each.__name__ for own in ends if isinstance(own, type) for each in own.__mro__})
`;
