// Forty problems of working size, of fifteen kinds. Each kind is a file: sizes with their seeds, a generator of plain
// data (JSON; numbers of things count from 0), and the same model in one or more languages.
import { bin_packing } from "./bin_packing.mjs";
import { car_sequencing } from "./car_sequencing.mjs";
import { equal_groups } from "./equal_groups.mjs";
import { flexible_job_shop } from "./flexible_job_shop.mjs";
import { in_python } from "./in_python.mjs";
import { job_shop } from "./job_shop.mjs";
import { knapsack } from "./knapsack.mjs";
import { lot_sizing } from "./lot_sizing.mjs";
import { nonogram } from "./nonogram.mjs";
import { nurse_roster } from "./nurse_roster.mjs";
import { rcpsp } from "./rcpsp.mjs";
import { still_life } from "./still_life.mjs";
import { strip_packing } from "./strip_packing.mjs";
import { tsp } from "./tsp.mjs";
import { vrptw } from "./vrptw.mjs";
import { warehouse } from "./warehouse.mjs";

const families = [
  ...[job_shop, flexible_job_shop, rcpsp, vrptw, tsp, knapsack, bin_packing, warehouse, lot_sizing],
  ...[nurse_roster, strip_packing, car_sequencing, nonogram, still_life, equal_groups],
];

/** A Python text that reads its data from the name `data`, a dict. */
const withData = (text, data) =>
  text && `import json\ndata = json.loads(${JSON.stringify(JSON.stringify(data))})\n${text}`;

/**
 * The problems: `{ name, family, goal, data, minizinc: { model, data } }`. A family that has a text `ortools` or `cpmpy`
 * gives that too, with the data put before it as the dict `data`.
 */
export const problems = families.flatMap(({ family, goal, sizes, data: make, minizinc, ...python }) =>
  sizes.map((size) => {
    const data = make(size);
    const { ortools, cpmpy } = { ...in_python[family], ...python };
    return {
      ...{ name: size.name, family, goal, data, minizinc: { model: minizinc, data } },
      ...(ortools && { ortools: withData(ortools, data) }),
      ...(cpmpy && { cpmpy: withData(cpmpy, data) }),
    };
  }),
);
