// Measures Verdict against bare programs, as ratios taken in one run: `npm run bench`, or
// `npm run bench -- models` for one part.
import { agentRows } from "./agent.mjs";
import { aspRows } from "./asp.mjs";
import { cpSatRows, workersRows } from "./cp_sat.mjs";
import { dataRows } from "./data.mjs";
import { dcpRows } from "./dcp.mjs";
import { enginesRows } from "./engines.mjs";
import { loadRows } from "./http.mjs";
import { jobsRows } from "./jobs.mjs";
import { leanRows } from "./lean.mjs";
import { printMachine, printTable } from "./measure.mjs";
import { minizincRows } from "./minizinc.mjs";
import { modelRows } from "./models.mjs";
import { proverRows } from "./prover.mjs";
import { queueRows } from "./queue.mjs";
import { smtEnginesRows } from "./smt_engines.mjs";
import { smtlibRows } from "./smtlib.mjs";
import { symbolicRows } from "./symbolic.mjs";
import { warmRows } from "./warm.mjs";

const parts = {
  ...{ smtlib: smtlibRows, models: modelRows, minizinc: minizincRows, asp: aspRows },
  ...{ symbolic: symbolicRows, prover: proverRows, lean: leanRows, smt_engines: smtEnginesRows, warm: warmRows },
  ...{ jobs: jobsRows, agent: agentRows, data: dataRows },
};
/** These run only where they are named: they take more than an hour, or as long as is asked for, or need a Redis or a benchmark. */
const long_parts = {
  load: () => loadRows(),
  queue: queueRows,
  cp_sat: cpSatRows,
  dcp: dcpRows,
  workers: workersRows,
  async engines() {
    await enginesRows();
    await cpSatRows();
  },
};
const wanted = process.argv.slice(2);
printMachine();
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure();
}
for (const [name, measure] of Object.entries(long_parts)) {
  if (wanted.includes(name)) await measure();
}
printTable();
