import { afterAll, describe, expect, it } from "vitest";
import { global_calls } from "../support/global_calls.ts";
import { minizinc_builds } from "../support/minizinc.ts";
import { type Driver, embeddedDriver, hasNativeGecode, nativeDriver, solveBatch } from "../support/minizinc_batch.ts";
import type { RandomModel } from "../support/random_minizinc.ts";

/** Each global constraint as a constraint and as a truth value: both have to say the same of every assignment. */
const declarations = ["var -1..4: x1;", "var 0..4: x2;", "var 0..3: x3;"];
const wanted = process.env["SOLVERS"]?.split(",");
const assignments = 6 * 5 * 4;
const native = hasNativeGecode() ? minizinc_builds.find(({ name }) => name === "native")?.minizinc : undefined;
const drivers = [
  { called: "gecode", driver: embeddedDriver("gecode") },
  { called: "chuffed", driver: embeddedDriver("chuffed") },
  ...(native === undefined ? [] : [{ called: "native", driver: nativeDriver(native, ["-G", "std"]) }]),
];

interface Listed {
  readonly holds: ReadonlySet<string>;
  readonly fails: ReadonlySet<string>;
  readonly names: readonly string[];
}

/** All solutions of each constraint, as texts, and the names in its FlatZinc; nothing where it is refused. */
async function listed(driver: Driver, constraints: readonly string[], extra: readonly string[] = []) {
  const models = constraints.map((constraint) => modelOf(constraint, [...declarations, ...extra]));
  const by_model = new Map<string, Listed>();
  const take = async (some: readonly RandomModel[]) => {
    const { words, left } = await solveBatch(driver, some);
    for (const { model, decision, reply, values } of words) {
      if (decision === undefined || typeof reply.compiled !== "object") continue;
      const keys = (truth: boolean) =>
        new Set(values.filter(({ b = 1 }) => (b === 1) === truth).map(({ x1, x2, x3 }) => [x1, x2, x3].join()));
      const names = [...new Set(reply.compiled.constraints.map(({ name }) => name))];
      by_model.set(model.constraints[0] ?? "", { holds: keys(true), fails: keys(false), names });
    }
    if (some.length > 1) for (const model of left) await take([model]);
  };
  for (let at = 0; at < models.length; at += batch_size) await take(models.slice(at, at + batch_size));
  return constraints.map((constraint) => by_model.get(constraint));
}

const batch_size = 8;

function modelOf(constraint: string, declared: readonly string[]): RandomModel {
  return {
    items: [...declared, `constraint ${constraint};`],
    names: declared.map((text) => /(\w+);$/.exec(text)?.[1] ?? ""),
    declarations: declared,
    constraints: [constraint],
    objective: "0",
    objective_type: "int",
    solutions: [],
    goal: "satisfy",
    best: undefined,
    objectiveOf: () => 0,
  };
}

describe.each(drivers.filter(({ called }) => wanted?.includes(called) ?? true))(
  "global constraints on $called",
  ({ called, driver }) => {
    afterAll(() => driver.close());

    it("say the same as a constraint and as a truth value", async () => {
      const plain = await listed(driver, global_calls);
      for (const [i, each] of plain.entries())
        console.info(
          `${called}: ${global_calls[i]} has ${each?.holds.size ?? "no"} solutions, by ${each?.names.join(" ")}`,
        );
      const reified = await listed(
        driver,
        global_calls.map((call) => `b <-> (${call})`),
        ["var bool: b;"],
      );
      const wrong = global_calls.filter((_, i) => {
        const [a, b] = [plain[i], reified[i]];
        if (!a || !b) return false;
        const same = a.holds.size === b.holds.size && [...a.holds].every((key) => b.holds.has(key));
        return !same || b.holds.size + b.fails.size !== assignments || [...b.holds].some((key) => b.fails.has(key));
      });
      expect(wrong).toEqual([]);
    }, 7_200_000);
  },
);
