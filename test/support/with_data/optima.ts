/** What the tasks of examples/with_data have as their best answer, found by trying all possibilities: no engine is asked. */

export type Row = Readonly<Record<string, string | number | boolean | null>>;
/** The tables of a task by name, and its JSON values. */
export type Data = Readonly<Record<string, readonly Row[]>>;

const num = (row: Row, column: string, missing = Number.NaN) =>
  row[column] === null ? missing : Number(row[column] ?? Number.NaN);
const text = (row: Row, column: string) => String(row[column]);
const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
const minutes = (clock: string) => Number(clock.split(":")[0]) * 60 + Number(clock.split(":")[1]);

function* permutations<Each>(all: readonly Each[]): Generator<readonly Each[]> {
  if (all.length === 0) yield all;
  for (const [at, each] of all.entries())
    for (const others of permutations(all.toSpliced(at, 1))) yield [each, ...others];
}

function* choices<Each>(lists: readonly (readonly Each[])[]): Generator<readonly Each[]> {
  const [first, ...others] = lists;
  if (!first) return yield [];
  for (const each of first) for (const rest of choices(others)) yield [each, ...rest];
}

/** Day after day, all shifts that are allowed; of equal numbers of shifts the cheapest stays. */
function roster({ staff = [], wishes = [] }: Data): number {
  const people = staff.map((_, at) => at);
  const most = staff.map((row) => num(row, "contract_hours", 16) / 8);
  const weight = (at: number, day: string) =>
    sum(
      wishes.flatMap((wish) =>
        wish["name"] === staff[at]?.["name"] && wish["day"] === day ? [num(wish, "weight")] : [],
      ),
    );
  let states = new Map<string, { readonly cost: number; readonly shifts: readonly number[]; readonly late: number }>();
  states.set("", { cost: 0, shifts: people.map(() => 0), late: -1 });
  for (const day of ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]) {
    const next: typeof states = new Map();
    for (const { cost, shifts, late } of states.values())
      for (const a of people)
        for (const b of people.slice(a + 1)) {
          if (a === late || b === late || ![a, b].some((each) => staff[each]?.["skill"] === "lead")) continue;
          for (const c of people) {
            if (c === a || c === b) continue;
            const now = shifts.map((each, at) => each + Number(at === a || at === b || at === c));
            if (now.some((each, at) => each > (most[at] ?? 0))) continue;
            const spent = cost + weight(a, day) + weight(b, day) + weight(c, day);
            const key = `${now.join()} ${c}`;
            if (spent < (next.get(key)?.cost ?? Number.POSITIVE_INFINITY))
              next.set(key, { cost: spent, shifts: now, late: c });
          }
        }
    states = next;
  }
  return Math.min(...[...states.values()].map(({ cost }) => cost));
}

function deliveryRound({ stops = [] }: Data): number {
  const [depot, ...others] = stops;
  if (!depot) return Number.NaN;
  const way = (a: Row, b: Row) =>
    Math.ceil(
      2 * (Math.abs(num(a, "east_km") - num(b, "east_km")) + Math.abs(num(a, "north_km") - num(b, "north_km"))) - 1e-6,
    );
  const backOf = (order: readonly Row[]): number => {
    let [here, time] = [depot, 480];
    for (const stop of order) {
      time += way(here, stop);
      if (stop["closes"] !== null && time > minutes(text(stop, "closes"))) return Number.POSITIVE_INFINITY;
      if (stop["opens"] !== null) time = Math.max(time, minutes(text(stop, "opens")));
      time += num(stop, "unload_min");
      here = stop;
    }
    return time + way(here, depot);
  };
  return Math.min(...[...permutations(others)].map(backOf));
}

function examHalls({ exams = [], halls = [], slots = [], takes = [] }: Data): number {
  const places = slots.flatMap((slot) => halls.map((hall) => ({ slot, hall })));
  const takenBy = (exam: Row) => takes.filter((each) => each["exam"] === exam["exam"]).map((each) => each["student"]);
  let best = Number.POSITIVE_INFINITY;
  const place = (at: number, used: readonly (typeof places)[number][], rent: number): void => {
    const exam = exams[at];
    if (rent >= best) return;
    if (!exam) {
      best = rent;
      return;
    }
    for (const one of places) {
      const fits = num(one.hall, "seats", 0) >= num(exam, "candidates") && !used.includes(one);
      const is_free = used.every(
        ({ slot }, other) =>
          slot["date"] !== one.slot["date"] ||
          takenBy(exams[other] ?? {}).every((each) => !takenBy(exam).includes(each)),
      );
      if (fits && is_free) place(at + 1, [...used, one], rent + num(one.hall, "rent"));
    }
  };
  place(0, [], 0);
  return best;
}

/** For each set of pieces the fewest bars, and what is used of the last one. */
function cuttingStock({ cuts = [] }: Data): number {
  const pieces = cuts.flatMap((row) =>
    Array<number>(num(row, "pieces")).fill(Math.round(1000 * num(row, "length_m")) + 4),
  );
  const best: (readonly [number, number])[] = [[1, 0]];
  for (let set = 1; set < 2 ** pieces.length; set++)
    best[set] = pieces.reduce<readonly [number, number]>(
      (least, piece, at) => {
        if ((set & (1 << at)) === 0) return least;
        const [bars, used] = best[set ^ (1 << at)] ?? least;
        const now = used + piece <= 6004 ? ([bars, used + piece] as const) : ([bars + 1, piece] as const);
        return now[0] < least[0] || (now[0] === least[0] && now[1] < least[1]) ? now : least;
      },
      [Number.POSITIVE_INFINITY, 0],
    );
  return best[2 ** pieces.length - 1]?.[0] ?? Number.NaN;
}

/** The best corner: each corner has as many limits that are reached as there are channels. */
function budget({ channels = [] }: Data): number {
  const size = channels.length;
  const unit = (at: number, factor: number) => channels.map((_, other) => (other === at ? factor : 0));
  const at = (name: string) => channels.findIndex((row) => row["channel"] === name);
  // Each limit is: the sum of factor times spending is at most the bound.
  const limits = [
    { factors: channels.map(() => 1), bound: 250 },
    { factors: channels.map((row) => (row["experiment"] === true ? 0.7 : -0.3)), bound: 0 },
    { factors: channels.map((_, other) => (other === at("print") ? 0.5 : other === at("radio") ? -1 : 0)), bound: 0 },
    ...channels.map((row, each) => ({ factors: unit(each, -1), bound: -num(row, "least", 0) })),
    ...channels.flatMap((row, each) =>
      row["most"] === null ? [] : [{ factors: unit(each, 1), bound: num(row, "most") }],
    ),
  ];
  const worth = (point: readonly number[]) => sum(channels.map((row, each) => num(row, "brings") * (point[each] ?? 0)));
  let best = Number.NEGATIVE_INFINITY;
  const corner = (from: number, chosen: typeof limits): void => {
    if (chosen.length === size) {
      const point = solved(chosen.map(({ factors, bound }) => [...factors, bound]));
      const fits =
        point && limits.every(({ factors, bound }) => sum(factors.map((f, i) => f * (point[i] ?? 0))) <= bound + 1e-7);
      if (point && fits) best = Math.max(best, worth(point));
      return;
    }
    for (const [step, limit] of limits.slice(from).entries()) corner(from + step + 1, [...chosen, limit]);
  };
  corner(0, []);
  return best;
}

/** The point of a system of linear equations; undefined if there is not exactly one. */
function solved(equations: readonly (readonly number[])[]): number[] | undefined {
  let rows = equations.map((row) => [...row]);
  for (let at = 0; at < rows.length; at++) {
    const pivot = rows.slice(at).toSorted((a, b) => Math.abs(b[at] ?? 0) - Math.abs(a[at] ?? 0))[0];
    if (!pivot || Math.abs(pivot[at] ?? 0) < 1e-9) return undefined;
    const others = rows.filter((row) => row !== pivot);
    const unit = pivot.map((each) => each / (pivot[at] ?? 1));
    rows = others.map((row) => row.map((each, i) => each - (row[at] ?? 0) * (unit[i] ?? 0))).toSpliced(at, 0, unit);
  }
  return rows.map((row) => row.at(-1) ?? Number.NaN);
}

interface Workshop {
  readonly products: Readonly<
    Record<string, { readonly profit: number; readonly parts: Readonly<Record<string, number>> }>
  >;
  readonly assemblies: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly stock: Readonly<Record<string, number>>;
}

export function billOfMaterials({ products, assemblies, stock }: Workshop): number {
  const kinds = Object.values(products);
  const profitOf = (counts: readonly number[]): number => {
    const left = { ...stock };
    const take = (part: string, count: number): boolean => {
      const ready = Math.min(left[part] ?? 0, count);
      left[part] = (left[part] ?? 0) - ready;
      if (ready === count) return true;
      const parts = assemblies[part];
      return (
        parts !== undefined && Object.entries(parts).every(([each, number]) => take(each, number * (count - ready)))
      );
    };
    const can_be_built = kinds.every(({ parts }, at) =>
      Object.entries(parts).every(([part, number]) => take(part, number * (counts[at] ?? 0))),
    );
    return can_be_built ? sum(kinds.map(({ profit }, at) => profit * (counts[at] ?? 0))) : 0;
  };
  const numbers = Array.from({ length: 13 }, (_, count) => count);
  return Math.max(...[...choices(kinds.map(() => numbers))].map(profitOf));
}

/** The number of ways to place all. */
function logicPuzzle({ street = [] }: Data): number {
  const columns = ["name", "job", "drink"].map((column) => [...permutations(street.map((row) => text(row, column)))]);
  return [...choices(columns)].filter((way) => {
    const house = (value: string) => 1 + (way.find((each) => each.includes(value))?.indexOf(value) ?? Number.NaN);
    return (
      house("baker") === house("pilot") + 1 &&
      house("Dora") === house("coffee") &&
      house("Bo") === house("doctor") &&
      house("Ada") === house("teacher") - 1 &&
      [1, 4].includes(house("tea")) &&
      Math.abs(house("tea") - house("water")) === 1 &&
      house("Cem") === house("Dora") - 2 &&
      house("doctor") === house("milk")
    );
  }).length;
}

interface Package {
  readonly name: string;
  readonly version: number;
  readonly needs: Readonly<Record<string, readonly number[]>>;
  readonly conflicts?: readonly (readonly [string, number])[];
}

export function dependencies(packages: readonly Package[]): number {
  const names = [...new Set(packages.map(({ name }) => name))];
  const ways = names.map((name) => [undefined, ...packages.filter((each) => each.name === name)]);
  const costs = [...choices(ways)].flatMap((way) => {
    const installed = way.filter((each) => each !== undefined);
    const version = (name: string) => installed.find((each) => each.name === name)?.version ?? 0;
    const holds = installed.every(
      ({ needs, conflicts = [] }) =>
        Object.entries(needs).every(([name, wanted]) => wanted.includes(version(name))) &&
        conflicts.every(([name, other]) => version(name) !== other),
    );
    const newer = installed.map(
      (one) => packages.filter((each) => each.name === one.name && each.version > one.version).length,
    );
    return holds && version("shop") > 0 ? [sum(newer)] : [];
  });
  return Math.min(...costs);
}

function rooms({ teams = [], rooms: all = [], near = [] }: Data): number {
  const costs = [...permutations(all)].flatMap((order) => {
    const roomOf = (name: unknown) => order[teams.findIndex((row) => row["team"] === name)] ?? {};
    const fits = teams.every((row) => {
      const room = roomOf(row["team"]);
      return num(row, "people") <= num(room, "seats") && (row["quiet"] !== true || room["is_quiet"] === true);
    });
    const floors = teams.filter(
      (row) => row["floor"] !== null && row["floor"] !== roomOf(row["team"])["storey"],
    ).length;
    const apart = near.filter((row) => roomOf(row["one"])["storey"] !== roomOf(row["other"])["storey"]);
    return fits ? [3 * floors + sum(apart.map((row) => num(row, "weight")))] : [];
  });
  return Math.min(...costs);
}

/** All orders of all ways to pair six clubs in five rounds, and for each the cheapest homes, round after round. */
function tournament({ clubs = [], rounds = [] }: Data): number {
  const all = clubs.map((_, at) => at);
  const pairings = pairingsOf(all);
  const blocked = rounds.map(({ date }) => clubs.map((row) => row["taken"] === date || row["also_taken"] === date));
  let best = Number.POSITIVE_INFINITY;
  const round = (at: number, left: readonly (typeof pairings)[number][], costs: ReadonlyMap<string, number>): void => {
    if (at === rounds.length) best = Math.min(best, ...costs.values());
    else
      for (const pairing of left) {
        const next = new Map<string, number>();
        for (const homes of choices(pairing)) {
          if (homes.some((club) => blocked[at]?.[club])) continue;
          const now = all.map((club) => Number(homes.includes(club))).join("");
          for (const [before, cost] of costs) {
            const breaks = before === "" ? 0 : all.filter((club) => before[club] === now[club]).length;
            next.set(now, Math.min(next.get(now) ?? Number.POSITIVE_INFINITY, cost + breaks));
          }
        }
        const others = left.filter((each) => each.every((pair) => !pairing.some((own) => `${own}` === `${pair}`)));
        if (next.size > 0) round(at + 1, others, next);
      }
  };
  round(0, pairings, new Map([["", 0]]));
  return best;
}

/** Every way to divide clubs into pairs. */
function pairingsOf(clubs: readonly number[]): (readonly (readonly number[])[])[] {
  const [first, ...others] = clubs;
  if (first === undefined) return [[]];
  return others.flatMap((second, at) => pairingsOf(others.toSpliced(at, 1)).map((rest) => [[first, second], ...rest]));
}

/** Week after week, all amounts that the hours allow; of equal stores the cheapest stays. */
function production({ orders = [], products = [], weeks = [] }: Data): number {
  const amounts = Array.from({ length: 21 }, (_, count) => count);
  let states = new Map<string, { readonly store: readonly number[]; readonly cost: number }>();
  states.set("", { store: products.map((row) => num(row, "stock")), cost: 0 });
  for (const week of weeks) {
    const due = products.map((row) =>
      sum(
        orders
          .filter(
            (each) =>
              each["product"] === row["product"] &&
              text(each, "due") >= text(week, "from") &&
              text(each, "due") <= text(week, "to"),
          )
          .map((each) => num(each, "pieces")),
      ),
    );
    const next: typeof states = new Map();
    for (const { store, cost } of states.values())
      for (const made of choices(products.map(() => amounts))) {
        const part = (column: string) => sum(products.map((row, at) => ((made[at] ?? 0) > 0 ? num(row, column) : 0)));
        const hours = sum(products.map((row, at) => num(row, "hours") * (made[at] ?? 0))) + part("setup_hours");
        const left = store.map((each, at) => each + (made[at] ?? 0) - (due[at] ?? 0));
        if (hours > num(week, "hours") + 1e-9 || left.some((each) => each < 0)) continue;
        const spent =
          cost + part("setup_cost") + sum(products.map((row, at) => num(row, "store_cost") * (left[at] ?? 0)));
        if (spent < (next.get(left.join())?.cost ?? Number.POSITIVE_INFINITY))
          next.set(left.join(), { store: left, cost: spent });
      }
    states = next;
  }
  return Math.min(...[...states.values()].map(({ cost }) => cost));
}

/** The fewest children that can't come. */
function leastChange({ limits = [], costs = [] }: Data): number {
  const limit = (name: string) => num(limits.find((row) => row["limit"] === name) ?? {}, "amount");
  const cost = (column: string, item: string) => num(costs.find((row) => row["item"] === item) ?? {}, column, 0);
  const wanted = limit("promised");
  return Array.from({ length: wanted + 1 }, (_, away) => away).findIndex((away) => {
    const children = wanted - away;
    const carers = Math.ceil(children / limit("children_a_carer"));
    const spent =
      sum(costs.map((row) => num(row, "fixed", 0))) +
      children * (cost("per_child", "meals") + cost("per_child", "trips")) +
      carers * cost("per_carer", "wages");
    return carers <= limit("carers_max") && spent <= limit("budget") + 1e-9;
  });
}

/** By the names of the tasks whose data are tables. */
export const optima: Readonly<Record<string, (data: Data) => number>> = {
  budget,
  cutting_stock: cuttingStock,
  delivery_round: deliveryRound,
  exam_halls: examHalls,
  least_change: leastChange,
  logic_puzzle: logicPuzzle,
  production,
  rooms,
  roster,
  tournament,
};
