/** Random calls of the constraints that Verdict's library for MiniZinc defines, each with its meaning. */

import type { Chance } from "./chance.ts";
import { isCircuit, neverAbove, total } from "./global_meanings.ts";

export type Value = number | boolean | null | readonly number[];
export type Values = Readonly<Record<string, Value>>;

export interface Variable {
  readonly declaration: string;
  readonly name: string;
  readonly domain: readonly Value[];
}

export interface Call {
  readonly variables: readonly Variable[];
  readonly text: string;
  readonly holds: (values: Values) => boolean;
}

export function range(low: number, high: number): number[] {
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
}

export const upTo = (count: number) => range(1, count);

export function whole(name: string, low: number, high: number): Variable {
  return { name, declaration: `var ${low}..${high}: ${name};`, domain: range(low, high) };
}

export function optional(name: string, low: number, high: number): Variable {
  return { name, declaration: `var opt ${low}..${high}: ${name};`, domain: [null, ...range(low, high)] };
}

export function truth(name: string): Variable {
  return { name, declaration: `var bool: ${name};`, domain: [false, true] };
}

function setOf(name: string, low: number, high: number): Variable {
  const elements = range(low, high);
  const domain = range(0, 2 ** elements.length - 1).map((mask) => elements.filter((_, i) => (mask >> i) % 2 === 1));
  return { name, declaration: `var set of ${low}..${high}: ${name};`, domain };
}

export const listed = (items: readonly unknown[]) => `[${items.join()}]`;
export const namesOf = (variables: readonly Variable[]) => listed(variables.map(({ name }) => name));
const setText = (items: readonly unknown[]) => `{${items.join()}}`;
export const numberOf = (value: Value | undefined) => Number(value);
export const numbersOf = (values: Values, variables: readonly Variable[]) =>
  variables.map(({ name }) => numberOf(values[name]));

export type Generate = (chance: Chance) => Call;

const windows =
  (isCounting: boolean): Generate =>
  (chance) => {
    const xs = upTo(chance.between(isCounting ? 1 : 0, 4)).map((i) =>
      whole(`x${i}`, chance.between(-1, 0), chance.between(0, 2)),
    );
    const low = chance.between(-1, 2);
    const [up, size, chosen] = [low + chance.between(0, 2), chance.between(1, 3), chance.some([0, 1, 2])];
    const name = isCounting ? "sliding_among" : "sliding_sum";
    return {
      variables: xs,
      text: `${name}(${low},${up},${size},${namesOf(xs)}${isCounting ? `,${setText(chosen)}` : ""})`,
      holds: (values) => {
        const terms = numbersOf(values, xs).map((x) => (isCounting ? Number(chosen.includes(x)) : x));
        return range(0, terms.length - size).every((i) => {
          const sum = total(terms.slice(i, i + size));
          return low <= sum && sum <= up;
        });
      },
    };
  };

const roots: Generate = (chance) => {
  const xs = upTo(chance.between(1, 3)).map((i) => whole(`x${i}`, chance.between(0, 1), 2));
  const [s, t] = [setOf("s", 1, xs.length), setOf("t", chance.between(-1, 1), 2)];
  return {
    variables: [...xs, s, t],
    text: `roots(${namesOf(xs)},s,t)`,
    holds: (values) => {
      const [chosen, allowed] = [values["s"], values["t"]];
      const isIn = (value: Value | undefined, x: number) => Array.isArray(value) && value.includes(x);
      return numbersOf(values, xs).every((x, i) => isIn(chosen, i + 1) === isIn(allowed, x));
    },
  };
};

const sumSet: Generate = (chance) => {
  const values = upTo(chance.between(1, 3)).map(() => chance.between(1, 4));
  const weights = values.map(() => chance.between(-2, 3));
  const [s, amount] = [setOf("s", 1, chance.between(2, 4)), whole("t", -2, 3)];
  return {
    variables: [s, amount],
    text: `sum_set(${listed(values)},${listed(weights)},s,t)`,
    holds: ({ s: chosen, t }) =>
      Array.isArray(chosen) && t === total(values.map((value, i) => (chosen.includes(value) ? (weights[i] ?? 0) : 0))),
  };
};

const symmetric: Generate = (chance) => {
  const count = chance.between(1, 3);
  const xs = upTo(count).map((i) => whole(`x${i}`, chance.between(0, 1), count + chance.between(-1, 1)));
  return {
    variables: xs,
    text: `symmetric_all_different(${namesOf(xs)})`,
    holds: (values) => upTo(count).every((i) => values[`x${numberOf(values[`x${i}`])}`] === i),
  };
};

const spanning =
  (isAlternative: boolean): Generate =>
  (chance) => {
    const parts = upTo(chance.between(1, 2)).map((i) => optional(`x${i}`, 0, chance.between(0, 2)));
    const durations = parts.map(() => chance.between(0, 2));
    return {
      variables: [optional("s", chance.between(0, 1), 2), whole("d", 0, 2), ...parts],
      text: `${isAlternative ? "alternative" : "span"}(s,d,${namesOf(parts)},${listed(durations)})`,
      holds: (values) => {
        const there = parts.flatMap(({ name }, i) =>
          values[name] === null ? [] : [[numberOf(values[name]), durations[i] ?? 0]],
        );
        if (values["s"] === null) return there.length === 0 && values["d"] === 0;
        if (there.length === 0 || (isAlternative && there.length > 1)) return false;
        const end = Math.max(...there.map((part) => total(part)));
        return (
          values["s"] === Math.min(...there.map(([start = 0]) => start)) &&
          numberOf(values["s"]) + numberOf(values["d"]) === end
        );
      },
    };
  };

const chain: Generate = (chance) => {
  const xs = upTo(chance.between(0, 4)).map((i) => {
    const low = chance.between(-3, 0);
    return whole(`x${i}`, low, chance.between(0, 1) ? chance.between(low, 0) : chance.between(0, 3));
  });
  return {
    variables: xs,
    text: `seq_precede_chain(${namesOf(xs)})`,
    holds: (values) => numbersOf(values, xs).every((x, i, all) => x <= 1 + Math.max(0, ...all.slice(0, i))),
  };
};

const chainOfSets: Generate = (chance) => {
  const xs = upTo(chance.between(1, 3)).map((i) => setOf(`x${i}`, chance.between(-1, 1), 2));
  const has = (values: Values, name: string, value: number) => {
    const set = values[name];
    return Array.isArray(set) && set.includes(value);
  };
  return {
    variables: xs,
    text: `seq_precede_chain(${namesOf(xs)})`,
    holds: (values) =>
      xs.every(({ name }, i) => !has(values, name, 2) || xs.slice(0, i).some((each) => has(values, each.name, 1))),
  };
};

interface Edge {
  readonly from: number;
  readonly labels: readonly number[];
  readonly to: number;
  readonly cost: number;
}

const diagram =
  (hasCosts: boolean): Generate =>
  (chance) => {
    const depth = chance.between(1, 3);
    let nodes = 1;
    const levels = upTo(depth).map((level) => (level === 1 ? [1] : upTo(chance.between(1, 2)).map(() => ++nodes)));
    const level = levels.flatMap((each, i) => each.map(() => i + 1));
    const edges = levels.flatMap((each, i) => {
      const below: readonly [number, ...number[]] = [levels[i + 1]?.[0] ?? 0, ...(levels[i + 1] ?? []).slice(1)];
      const one = (from: number, labels: readonly number[]): Edge => ({
        from,
        labels,
        to: chance.of(below),
        cost: chance.between(-3, 3),
      });
      // With costs, no two edges of a node have a label in common.
      return each.flatMap((from) =>
        hasCosts
          ? chance.some([0, 1, 2]).map((label) => one(from, [label]))
          : upTo(3).map(() => one(from, chance.some([0, 1, 2]))),
      );
    });
    if (edges.length === 0) edges.push({ from: 1, labels: [0], to: levels[1]?.[0] ?? 0, cost: 1 });
    const xs = upTo(depth).map((i) => whole(`x${i}`, 0, 2));
    const costs = (values: Values, node: number, at: number): number[] => {
      if (at > depth) return node === 0 ? [0] : [];
      const out = edges.filter(({ from, labels }) => from === node && labels.includes(numberOf(values[`x${at}`])));
      return out.flatMap(({ to, cost }) => costs(values, to, at + 1).map((rest) => rest + cost));
    };
    const parts = [
      namesOf(xs),
      nodes,
      listed(level),
      edges.length,
      listed(edges.map(({ from }) => from)),
      listed(edges.map(({ labels }) => setText(labels))),
      ...(hasCosts ? [listed(edges.map(({ cost }) => cost))] : []),
      listed(edges.map(({ to }) => to)),
      ...(hasCosts ? ["c"] : []),
    ];
    return {
      variables: hasCosts ? [...xs, whole("c", -4, 4)] : xs,
      text: `${hasCosts ? "cost_mdd" : "mdd_nondet"}(${parts.join()})`,
      holds: (values) => {
        const found = costs(values, 1, 1);
        return hasCosts ? found.includes(numberOf(values["c"])) : found.length > 0;
      },
    };
  };

const argSort: Generate = (chance) => {
  const count = chance.between(1, 2);
  const xs = upTo(count).map((i) => whole(`x${i}`, 0, chance.between(0, 2)));
  const ps = upTo(count).map((i) => whole(`p${i}`, chance.between(0, 1), count + chance.between(0, 1)));
  return {
    variables: [...xs, ...ps],
    text: `arg_sort(${namesOf(xs)},${namesOf(ps)})`,
    holds: (values) => {
      const valueAt = (i: number) => numberOf(values[`x${i}`]);
      const order = upTo(count).sort((i, j) => valueAt(i) - valueAt(j) || i - j);
      return order.every((i, at) => values[`p${at + 1}`] === i);
    },
  };
};

const dag: Generate = (chance) => {
  const nodes = upTo(chance.between(1, 3)).map((i) => truth(`n${i}`));
  const edges = upTo(chance.between(1, 4)).map((i) => truth(`e${i}`));
  const end = () => edges.map(() => chance.between(1, nodes.length));
  const [from, to] = [end(), end()];
  return {
    variables: [...nodes, ...edges],
    text: `dag(${listed(from)},${listed(to)},${namesOf(nodes)},${namesOf(edges)})`,
    holds: (values) => {
      const taken = edges.flatMap(({ name }, i) =>
        values[name] === true ? [[from[i] ?? 0, to[i] ?? 0] as const] : [],
      );
      if (taken.some((ends) => ends.some((node) => values[`n${node}`] !== true))) return false;
      let reached = new Set(upTo(nodes.length));
      for (const _ of nodes) reached = new Set(taken.flatMap(([a, b]) => (reached.has(a) ? [b] : [])));
      return reached.size === 0;
    },
  };
};

const regular: Generate = (chance) => {
  const xs = upTo(chance.between(1, 3)).map((i) => whole(`x${i}`, chance.between(-1, 1), chance.between(1, 4)));
  const [states, letters, first] = [chance.between(1, 3), chance.between(1, 2), chance.of([1, 1, 0, 2])];
  const next = upTo(states * letters).map(() => chance.between(0, states));
  const [start, final] = [chance.between(1, states), chance.some(upTo(states))];
  const last = first + letters - 1;
  const alphabet = first === 1 && chance.between(0, 1) === 1 ? letters : `${first}..${last}`;
  return {
    variables: xs,
    text: `regular(${namesOf(xs)},${states},${alphabet},array2d(1..${states},${first}..${last},${listed(next)}),${start},${setText(final)})`,
    holds: (values) => {
      let state = start;
      for (const x of numbersOf(values, xs))
        state = state === 0 || x < first || x > last ? 0 : (next[(state - 1) * letters + x - first] ?? 0);
      return final.includes(state);
    },
  };
};

const subcircuit: Generate = (chance) => {
  const count = chance.between(0, 4);
  const low = chance.between(0, 1);
  const spread = () => (count > 3 ? 0 : chance.between(-1, 1));
  const xs = upTo(count).map((i) => whole(`x${i}`, low + spread(), Math.max(low + 1, low + count - 1 + spread())));
  return {
    variables: xs,
    text: `subcircuit(array1d(${low}..${low + count - 1},${namesOf(xs)}))`,
    holds: (values) => isCircuit(numbersOf(values, xs), low, true),
  };
};

const cardinality =
  (isClosed: boolean, hasBounds: boolean): Generate =>
  (chance) => {
    const xs = upTo(chance.between(1, 3)).map((i) => whole(`x${i}`, 0, chance.between(1, 3)));
    const cover = chance.of([[1], [1, 1], [1, 2], [2, 1], [1, 2, 1], [2, 2]]);
    const counts = hasBounds ? [] : cover.map((_, i) => whole(`c${i}`, 0, 2));
    const low = cover.map(() => chance.between(0, 1));
    const up = low.map((each) => each + chance.between(0, 1));
    const name = `global_cardinality${isClosed ? "_closed" : ""}`;
    return {
      variables: [...xs, ...counts],
      text: `${name}(${namesOf(xs)},${listed(cover)},${hasBounds ? `${listed(low)},${listed(up)}` : namesOf(counts)})`,
      holds: (values) => {
        const all = numbersOf(values, xs);
        if (isClosed && all.some((x) => !cover.includes(x))) return false;
        return cover.every((value, i) => {
          const count = all.filter((x) => x === value).length;
          return hasBounds ? (low[i] ?? 0) <= count && count <= (up[i] ?? 0) : values[`c${i}`] === count;
        });
      },
    };
  };

const packing =
  (hasLoads: boolean): Generate =>
  (chance) => {
    const items = upTo(chance.between(1, 3)).map((i) => optional(`x${i}`, chance.between(0, 1), chance.between(1, 3)));
    const weights = items.map(() => chance.between(0, 2));
    const bins = upTo(chance.between(1, 2));
    const loads = hasLoads ? bins.map((i) => whole(`l${i}`, 0, 3)) : [];
    const capacities = bins.map(() => chance.between(0, 3));
    return {
      variables: [...items, ...loads],
      text: `bin_packing_${hasLoads ? "load" : "capa"}(${hasLoads ? namesOf(loads) : listed(capacities)},${namesOf(items)},${listed(weights)})`,
      holds: (values) => {
        const places = items.map(({ name }) => values[name]);
        if (places.some((place) => place !== null && !bins.includes(numberOf(place)))) return false;
        return bins.every((bin, i) => {
          const load = total(places.map((place, item) => (place === bin ? (weights[item] ?? 0) : 0)));
          return hasLoads ? values[`l${bin}`] === load : load <= (capacities[i] ?? 0);
        });
      },
    };
  };

const cumulative =
  (isOptional: boolean): Generate =>
  (chance) => {
    const step = chance.of([1, 6000]);
    const count = chance.between(1, 2);
    const from = (name: string, domain: readonly number[], opt: string): Variable => ({
      name,
      declaration: `var ${opt}${setText(domain)}: ${name};`,
      domain: opt === "" ? domain : [null, ...domain],
    });
    const starts = upTo(count).map((i) => from(`x${i}`, [0, step, 2 * step], isOptional ? "opt " : ""));
    const durations = upTo(count).map((i) => from(`d${i}`, chance.of([[0, 1], [0, step + 1], [1, 2], [0]]), ""));
    const [needs, capacity] = [starts.map(() => chance.between(0, 3)), chance.between(0, 3)];
    return {
      variables: [...starts, ...durations],
      text: `cumulative(${namesOf(starts)},${namesOf(durations)},${listed(needs)},${capacity})`,
      holds: (values) => {
        const tasks = starts.flatMap(({ name }, i) =>
          values[name] === null
            ? []
            : [{ start: numberOf(values[name]), size: numberOf(values[`d${i + 1}`]), need: needs[i] ?? 0 }],
        );
        return neverAbove(tasks, capacity);
      },
    };
  };

const writes: Generate = (chance) => {
  const count = chance.between(1, 2);
  const xs = upTo(count).map((i) => whole(`x${i}`, 0, chance.between(0, 1)));
  const ps = upTo(chance.between(0, 2)).map((i) => whole(`p${i}`, chance.between(0, 1), count + chance.between(0, 1)));
  const [written, at] = [ps.map(() => chance.between(0, 2)), chance.between(1, count)];
  return {
    variables: [...xs, ...ps, whole("o", 0, 2)],
    text: `writes(${namesOf(xs)},${namesOf(ps)},${listed(written)})[${at}] = o`,
    holds: (values) => {
      const places = numbersOf(values, ps);
      const isTwice = places.some((place, i) =>
        places.some((other, j) => place === other && written[i] !== written[j]),
      );
      if (isTwice || places.some((place) => place < 1 || place > count)) return false;
      const last = places.lastIndexOf(at);
      return values["o"] === (last < 0 ? values[`x${at}`] : written[last]);
    },
  };
};

const cardinalityFunction: Generate = (chance) => {
  const xs = upTo(chance.between(1, 3)).map((i) => whole(`x${i}`, 0, 3));
  const cover = [1, 2].slice(0, chance.between(1, 2));
  return {
    variables: [...xs, whole("o", 0, 2)],
    text: `global_cardinality_closed(${namesOf(xs)},${listed(cover)})[1] = o`,
    holds: (values) => {
      const all = numbersOf(values, xs);
      return all.every((x) => cover.includes(x)) && values["o"] === all.filter((x) => x === 1).length;
    },
  };
};

const argVal: Generate = (chance) => {
  const xs = upTo(chance.between(1, 3)).map((i) => whole(`x${i}`, 0, 2));
  return {
    variables: [...xs, whole("v", 0, 3), whole("o", 0, 3)],
    text: `arg_val(${namesOf(xs)},v) <= o`,
    holds: (values) => {
      const at = numbersOf(values, xs).indexOf(numberOf(values["v"]));
      return at >= 0 && at + 1 <= numberOf(values["o"]);
    },
  };
};

/** A constraint with a call, and whether it holds for the truth of the call and of `b`. */
export type Context = readonly [text: (call: string) => string, holds: (call: boolean, b: boolean) => boolean];

export const contexts: readonly [Context, ...Context[]] = [
  [(call) => call, (holds) => holds],
  [(call) => `not (${call})`, (holds) => !holds],
  [(call) => `b <-> (${call})`, (holds, b) => holds === b],
  [(call) => `b -> (${call})`, (holds, b) => !b || holds],
  [(call) => `(${call}) -> b`, (holds, b) => !holds || b],
  [(call) => `b xor (${call})`, (holds, b) => holds !== b],
  [(call) => `bool2int(b) + bool2int(${call}) = 1`, (holds, b) => holds !== b],
  [(call) => `exists([b, ${call}])`, (holds, b) => holds || b],
  [(call) => `if b then ${call} else not (${call}) endif`, (holds, b) => holds === b],
];

export const mended_calls: readonly Generate[] = [
  windows(false),
  windows(true),
  roots,
  sumSet,
  symmetric,
  spanning(false),
  spanning(true),
  chain,
  chainOfSets,
  diagram(false),
  diagram(true),
  argSort,
  dag,
  regular,
  subcircuit,
  cardinality(false, false),
  cardinality(true, false),
  cardinality(false, true),
  cardinality(true, true),
  packing(true),
  packing(false),
  cumulative(false),
  cumulative(true),
  writes,
  cardinalityFunction,
  argVal,
];
