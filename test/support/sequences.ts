/** Parts of random programs with lists and strings as wholes: see programs.ts for the names in them. */

type Several = readonly [string, ...string[]];

export const sequence_tests: Several = [
  "xs == ys",
  "ys != xs[1:]",
  "xs == xs[::-1]",
  "s == s[::-1]",
  "s[a:] == s[:b]",
  "s + 'a' == 'a' + s",
  "s + s[1:] != s[1:] + s",
  "s < s[::-1]",
  "s[1:] <= s",
  "xs < ys",
  "xs >= xs[1:]",
  "'a' <= s",
  "s[:1] > 'a'",
  "'b' in s",
  "s[a:b] in s",
  "s[a:] not in s[1:]",
  "s.startswith(s[a:])",
  "s.endswith('ab')",
  "s[::-1].startswith('a')",
  "sorted(xs) == xs",
  "sorted(xs, reverse=True) == xs[::-1]",
  "xs + xs[::-1] == xs[::-1] + xs",
  "xs[::2] == xs[1::2]",
  "s[a::3] == s[:b:2]",
];

export function sequenceInts(number: string): Several {
  return [
    `sorted(xs)[${number}]`,
    `sorted(ys, reverse=True)[${number}]`,
    `sorted(c % 3 for c in xs)[${number}]`,
    `xs.count(${number})`,
    `xs.index(${number})`,
    `ys.index(${number})`,
    "s.find('b')",
    "s.find(s[a:])",
    "s.index(s[a:b])",
    `sum(xs, ${number})`,
    `max(xs, default=${number})`,
    `min(ys, default=${number})`,
    `round(${number})`,
    "len(xs + xs[a:])",
    `(xs + xs[::-1])[${number}]`,
    `(xs[b:] + xs)[${number}]`,
    `ord((s + s[::-1])[${number}])`,
    "xs[a:].copy()[0]",
    `xs[a:b:2][${number}]`,
    `sorted((a, ${number}, b))[1]`,
    `max((c for c in xs if c > ${number}), default=-1)`,
    `min((c for c in ys), default=a)`,
    `sum((c for c in ys), -a)`,
    `sum((c for c in ys), b)`,
  ];
}

export const sequence_values: Several = [
  "xs + xs[::-1]",
  "xs[a:] + xs[:b]",
  "xs[::-1] + [a]",
  "sorted(xs)",
  "sorted(xs, reverse=True)",
  "sorted(range(b))",
  "s[a:] + s[:b]",
  "'-' + s[::-1]",
  "xs.copy()",
  "xs[b::2]",
  "s[::2]",
  "[xs[a:b], xs[:a], ys]",
  "[xs[c:] for c in range(2)]",
  "[s[c:b] for c in range(2)]",
];

/** Changes of a list that the function made. */
export function sequenceChanges(list: string, number: string): Several {
  return [
    `${list}.pop()`,
    `u = ${list}.pop()`,
    `t = ${list}.pop(0)`,
    `${list} += [${number}]`,
    `${list}.extend(xs[a:])`,
    `${list} = xs.copy()`,
    `${list} = sorted(xs)`,
    `${list}[0], ${list}[-1] = ${list}[-1], ${list}[0]`,
    `t, ${list}[t] = ${list}[${number}], t`,
    `${list}.append(${list}[-1] if ${list} else ${number})`,
    `if not ${list} or ${list}[0] > ${number}: ${list}.append(a)`,
  ];
}
