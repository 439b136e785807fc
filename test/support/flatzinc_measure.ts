import { declared, type Instance, instanceOf, predicateOf } from "./flatzinc_instances.ts";
import type { Plain, Signature } from "./flatzinc_signatures.ts";
import type { Driver } from "./minizinc_batch.ts";

/** How often a solver gave all solutions of a constraint, and how often it did not. */
export interface Count {
  readonly name: string;
  readonly kinds: string;
  right: number;
  unsatisfiable: number;
  refused: number;
  readonly wrong: string[];
}

/** The number of instances that are solved at once. */
const batch_size = 60;

/** Solves random instances of a constraint for all solutions, and counts. */
export async function measureConstraint(
  driver: Driver,
  signature: Signature,
  instances: number,
  seed: number,
): Promise<Count> {
  const { name, kinds } = signature;
  const count: Count = { name, kinds, right: 0, unsatisfiable: 0, refused: 0, wrong: [] };
  const all = Array.from({ length: instances }, (_, i) => instanceOf(signature, seed + i)).filter(
    ({ variables }) => variables.length > 0,
  );
  const satisfiable = all.filter(({ solutions }) => solutions.length > 0);
  const impossible = all.filter(({ solutions }) => solutions.length === 0).slice(0, Math.ceil(instances / 30));
  const predicate = predicateOf(signature);
  const [first] = satisfiable;
  for (let at = 0; at < satisfiable.length; at += batch_size) {
    const batch = satisfiable.slice(at, at + batch_size);
    const measurement = await solve(driver, predicate, batch);
    if (measurement !== "refused" && agrees(batch, measurement)) {
      judge(batch, measurement, count);
      continue;
    }
    if (at === 0 && first && (await solve(driver, predicate, [first])) === "refused")
      return { ...count, refused: all.length };
    const before = count.wrong.length;
    for (const each of batch) judge([each], await solve(driver, predicate, [each]), count);
    // Wrong together and right alone is wrong, too.
    if (measurement !== "refused" && count.wrong.length === before)
      count.wrong.push(`${batch.length} instances in one model`);
  }
  for (const each of impossible) judge([each], await solve(driver, predicate, [each]), count);
  return count;
}

function judge(batch: readonly Instance[], found: readonly Set<string>[] | "refused", count: Count) {
  for (const [i, instance] of batch.entries()) {
    if (found === "refused") {
      count.refused++;
      continue;
    }
    const missed = instance.solutions.filter((each) => !found[i]?.has(keyOf(each)));
    const own = found[i]?.size ?? 0;
    if (missed.length > 0 || own !== instance.solutions.length)
      count.wrong.push(
        `${instance.variables.map(declared).join(" ")} ${instance.constraint}: ${own} solutions, not ${instance.solutions.length}`,
      );
    else if (own === 0) count.unsatisfiable++;
    else count.right++;
  }
}

const agrees = (batch: readonly Instance[], found: readonly Set<string>[]) =>
  batch.every(
    ({ solutions }, i) => found[i]?.size === solutions.length && solutions.every((each) => found[i]?.has(keyOf(each))),
  );

const keyOf = (values: readonly Plain[]) =>
  values.map((each) => (typeof each === "number" ? each : `{${each}}`)).join(" ");

/**
 * The solutions of each instance. Several instances are one model: `pick` says whose values are free, those of the
 * others are fixed to one of their solutions.
 */
async function solve(
  driver: Driver,
  predicate: string,
  batch: readonly Instance[],
): Promise<readonly Set<string>[] | "refused"> {
  const many = batch.length > 1;
  const fresh: string[] = [];
  const guards: string[] = [];
  const clause = (yes: string, no: string) => guards.push(`constraint bool_clause([${yes}], [${no}]);`);
  const flag = () => {
    fresh.push(`var bool: e${fresh.length};`);
    return `e${fresh.length - 1}`;
  };
  for (const [i, { variables, solutions }] of many ? batch.entries() : []) {
    const own = flag();
    guards.push(`constraint int_eq_reif(pick, ${i}, ${own});`);
    for (const [j, { name, type }] of variables.entries()) {
      const value = solutions[solutions.length >> 1]?.[j] ?? 0;
      if (type === "bool") value === 1 ? clause(`${own}, b${i}_${name}`, "") : clause(own, `b${i}_${name}`);
      else {
        const same = flag();
        const text = typeof value === "number" ? value : `{${value.join(", ")}}`;
        guards.push(`constraint ${type}_eq_reif(b${i}_${name}, ${text}, ${same});`);
        clause(`${own}, ${same}`, "");
      }
    }
  }
  const named = (text: string, i: number) => text.replaceAll(/\bv(\d+)\b/g, `b${i}_v$1`);
  const lines = [
    predicate,
    ...(many ? [`var 0..${batch.length - 1}: pick:: output_var;`] : []),
    ...batch.flatMap(({ variables }, i) => variables.map((each) => named(declared(each), i))),
    ...fresh,
    ...batch.map(({ constraint }, i) => `constraint ${named(constraint, i)};`),
    ...guards,
    "solve satisfy;\n",
  ];
  const { lines: said } = await driver.solve(lines.join("\n"), true);
  const text = said.join("\n");
  const ended = /"status": ?"(ALL_SOLUTIONS|UNSATISFIABLE)"|=====UNSATISFIABLE=====/.test(text);
  return ended ? found(said, batch) : "refused";
}

function found(lines: readonly string[], batch: readonly Instance[]): Set<string>[] {
  const all = batch.map(() => new Set<string>());
  for (const line of lines) {
    if (!/^\{"type": ?"solution"/.test(line)) continue;
    const { output }: { readonly output: { readonly dzn: string } } = JSON.parse(line);
    const values = new Map(
      [...output.dzn.matchAll(/^(\w+) = (.*);$/gm)].map(([, name = "", text = ""]) => [name, plainText(text)]),
    );
    const pick = Number(values.get("pick") ?? 0);
    const own = batch[pick]?.variables.map(({ name }) => values.get(`b${pick}_${name}`)) ?? [];
    all[pick]?.add(own.join(" "));
  }
  return all;
}

/** A value as `keyOf` writes it. */
function plainText(text: string): string {
  if (text === "true" || text === "false") return text === "true" ? "1" : "0";
  const [, low, high] = /^(-?\d+)\.\.(-?\d+)$/.exec(text) ?? [];
  if (low !== undefined) {
    const size = Math.max(0, Number(high) - Number(low) + 1);
    return `{${Array.from({ length: size }, (_, i) => Number(low) + i)}}`;
  }
  return text.replaceAll(" ", "");
}
