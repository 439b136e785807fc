/** Random expressions over operations without a model, and what CPython makes of them: types of results, and exceptions. */
import * as z from "zod/v4";
import type { Type } from "../../src/prover/logic/values.ts";

type Below = (bound: number) => number;

const parameters =
  "s: str, t: str, n: int, m: int, x: float, b: bool, xs: list[str], ns: list[int], d: dict[str, int], e: set[int], p: tuple[str, int], o: int | None, q: tuple[int, ...], v: tuple[str, ...]";
const atoms =
  "s t 'a' '' n m (0) (2) x 1.5 b True xs ns [] [s,n] [n,s][0] (s,x) d {} e p () o None q v v q {s,t} {s:n} s.encode() set(xs)".split(
    " ",
  );
/** `_` is an expression; `K` is a keyword argument that the function may not have. */
const forms = [
  ..."_.upper() _.strip(_) _.replace(_,_) _.join(_) _.isdigit() _.count(_) _.find(_,_) _.index(_) _.split(_) _.split(K)".split(
    " ",
  ),
  ..."_.partition(_) _.encode(_) _.center(_) _.startswith(_) _.startswith((_,_),_) _.endswith((_,)) _.get(_) _.get(_,_) _.keys() _.values() _.copy() '{}'.format(_)".split(
    " ",
  ),
  ..."str(_) repr(_) hex(_) chr(_) len(_) int(_) int(_,_) ord(_) float(_) bool(_) abs(_) round(_) round(_,_) divmod(_,_)".split(
    " ",
  ),
  ..."pow(_,_) pow(_,_,_) sum(_) sum(_,_) sorted(_) sorted(_,K) list(_) tuple(_) set(_) frozenset(_) dict(_)".split(
    " ",
  ),
  ..."min(_) max(_,K) min(_,_) max(_,_,K) min(_,K) max(_,key=len,default=_) math.gcd(_,_) math.sqrt(_) math.floor(_) re.sub(_,_,_)".split(
    " ",
  ),
  ..."(_+_) (_-_) (_*_) (_/_) (_%_) (_&_) (_|_) (_^_) (_<<_) (-_) (~_) (_==_) (_<_) (_<=_) (_in_) (_[_]) (_[_:_]) (_[::_]) (q[_]) (v[_]) (q[_:_]) (_@in@v) _.startswith(v) bisect.bisect(q,n) bisect.bisect_left(ns,_)"
    .replace("_in_", "_@in@_")
    .split(" "),
  ..."f'{n:04X}' f'{s:>5}' f'{x:,.2f}' f'{m:05d}' f'{b:5}' f'{o:d}' f'{d:>3}' f'{s:d}' format(_,'_b') format(_,s) format(_,format_spec='d') bool(re.search('a(b)?',_)) re.split('(b)?a',_)".split(
    " ",
  ),
  ..."re.split('(?:b)a',_) re.findall('a|(b)',_) re.findall('(a)|(b)',_) I.findall(_) I.split(_) I.sub(s,_) bool(I.match(_))".split(
    " ",
  ),
  ..."[_,_] (_,_) {_:_} {_,_} {w@for@w@in@_} {w:n@for@w@in@_} [str(w)@for@w@in@_] list(map(str,_)) (_@if@b@else@_) (_@or@_)".split(
    " ",
  ),
].map((form) => form.replaceAll("@", " "));
const keywords =
  "key=len key=str key=lambda@w:(w,n) default=None default=n default=s reverse=b sep=t maxsplit=n ndigits=n".split(" ");

function one<Item>(all: readonly Item[], below: Below, otherwise: Item): Item {
  return all[below(all.length)] ?? otherwise;
}

/** A function that returns such an expression. */
export function randomOperation(below: Below, depth = 0): string {
  if (depth > 2 || (depth > 0 && below(2) === 0)) return one(atoms, below, "s");
  return one(forms, below, "len(_)")
    .replace(/\b_\b|(?<=\W)_(?=\W)/g, () => randomOperation(below, depth + 1))
    .replace(/\bK\b/g, () => one(keywords, below, "key=len").replace("@", " "));
}

export const returning = (operation: string) =>
  `import bisect, math, re\nI = re.compile("A.(b)?", flags=re.S | re.I)\ndef f(${parameters}):\n    return ${operation}\n`;

/** `seen()` says in lines of JSON what comes of some calls. */
export const observer = `
import json, random, warnings
def shape(value):
    parts = list(value) if isinstance(value, (list, tuple, set, frozenset, dict)) else []
    values = list(value.values()) if isinstance(value, dict) else []
    return {"is": type(value).__name__, "parts": [shape(each) for each in parts], "values": [shape(each) for each in values]}
def seen():
    warnings.simplefilter("ignore")
    any_of, found = random.Random(1).choice, set()
    texts, numbers = ["", "a", "ab", "ba", "1", "\\ud800", "ß", " a b"], [0, 1, 2, -1, 3, 16]
    for _ in range(120):
        some = range(any_of([0, 0, 1, 2]))
        args = [any_of(texts), any_of(texts), any_of(numbers), any_of(numbers), any_of([0.0, -0.5, 2.0, 1e308, float("nan")])]
        args += [any_of([True, False]), [any_of(texts) for _ in some], [any_of(numbers) for _ in some]]
        args += [{any_of(texts): 1 for _ in some}, {any_of(numbers) for _ in some}, (any_of(texts), 1), any_of([None, 1])]
        args += [tuple(any_of(numbers) for _ in some), tuple(any_of(texts) for _ in some)]
        try:
            found.add(json.dumps(shape(f(*args))))
        except Exception as error:
            found.add(json.dumps({"raises": [each.__name__ for each in type(error).__mro__]}))
    return "\\n".join(found)
`;

const Shape = z.object({
  is: z.string(),
  get parts() {
    return z.array(Shape);
  },
  get values() {
    return z.array(Shape);
  },
});
export const Seen = z.union([z.object({ raises: z.array(z.string()) }), Shape]);

/** Whether a value that looks like this has the type. */
export function isOf(type: Type, { is, parts, values }: z.infer<typeof Shape>): boolean {
  const all = (of: Type | undefined, items = parts) => items.every((each) => of !== undefined && isOf(of, each));
  if (type.kind === "none") return is === "NoneType";
  if (type.kind === "list") return is === "list" && all(type.item);
  if (type.kind === "tuple")
    return (
      is === "tuple" &&
      parts.length === type.items.length &&
      type.items.every((each, i) => all(each, parts.slice(i, i + 1)))
    );
  if (type.kind === "dict" || type.kind === "set") return is === type.kind && all(type.key) && all(type.value, values);
  if (type.kind !== "opaque") return is === type.kind;
  if (type.of === "value") return true;
  if (type.of === "view") return is.startsWith("dict_");
  const [first, second] = type.items;
  return is === type.of && (!first || is === "bytes" || (all(first) && (!second || all(second, values))));
}
