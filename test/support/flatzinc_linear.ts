import { declared, type Instance, instanceOf } from "./flatzinc_instances.ts";
import type { Count } from "./flatzinc_measure.ts";
import type { Signature } from "./flatzinc_signatures.ts";
import type { Driver } from "./minizinc_batch.ts";

/**
 * What a linear solver makes of random instances of a constraint. It gives one solution and no others, so each instance
 * is solved for the least or the largest value of one of its variables.
 */
export async function measureLinear(
  driver: Driver,
  signature: Signature,
  instances: number,
  seed: number,
): Promise<Count> {
  const count: Count = {
    name: signature.name,
    kinds: signature.kinds,
    right: 0,
    unsatisfiable: 0,
    refused: 0,
    wrong: [],
  };
  if (/[SsTU]/.test(signature.kinds)) return { ...count, refused: instances };
  for (let i = 0; i < instances; i++) {
    const instance = instanceOf(signature, seed + i);
    if (instance.variables.length === 0 || instance.variables.some(hasHole)) continue;
    const { said, wanted } = await solve(driver, instance, i);
    if (said === undefined) {
      count.refused++;
      // What it does not know it refuses always.
      if (count.right === 0 && count.refused >= 5) return { ...count, refused: instances };
    } else if (said !== wanted.text && !wanted.values.has(said))
      count.wrong.push(
        `${instance.variables.map(declared).join(" ")} ${instance.constraint} ${wanted.goal}: ${said}, not ${wanted.text}`,
      );
    else if (said === "unsatisfiable") count.unsatisfiable++;
    else count.right++;
  }
  return count;
}

/** The linear solvers get no domains with holes: the compiler makes constraints of them. */
const hasHole = ({ type, values }: Instance["variables"][number]) =>
  type === "int" && values.length !== Number(values.at(-1)) - Number(values[0]) + 1;

async function solve(driver: Driver, { variables, constraint, solutions }: Instance, turn: number) {
  const at = turn % variables.length;
  const { name = "", type } = variables[at] ?? {};
  const least = turn % 2 === 0;
  const goal = type === "int" ? `solve ${least ? "minimize" : "maximize"} ${name};` : "solve satisfy;";
  const column = solutions.map((each) => Number(each[at]));
  const best = least ? Math.min(...column) : Math.max(...column);
  const right = solutions.filter((each) => type !== "int" || each[at] === best);
  const wanted = {
    goal,
    text: solutions.length === 0 ? "unsatisfiable" : `one of ${right.length}`,
    values: new Set(right.map((each) => each.join(" "))),
  };
  const { lines } = await driver.solve(
    [...variables.map(declared), `constraint ${constraint};`, `${goal}\n`].join("\n"),
    false,
  );
  const text = lines.join("\n");
  if (/"status": ?"UNSATISFIABLE"/.test(text)) return { said: "unsatisfiable", wanted };
  const last = lines.findLast((line) => /^\{"type": ?"solution"/.test(line));
  const isDone = /"status": ?"(?:OPTIMAL_SOLUTION|SATISFIED|ALL_SOLUTIONS)"/.test(text);
  if (!last || (type === "int" && !isDone)) return { said: undefined, wanted };
  const { output }: { readonly output: { readonly dzn: string } } = JSON.parse(last);
  const values = new Map([...output.dzn.matchAll(/^(\w+) = (.*);$/gm)].map(([, key = "", value = ""]) => [key, value]));
  const plain = (value: string | undefined) => (value === "true" ? "1" : value === "false" ? "0" : value);
  return { said: variables.map((each) => plain(values.get(each.name))).join(" "), wanted };
}
