// The 40 problems of bench/problems/ in MiniZinc (the embedded build, through a real client): the default call against
// each solver alone, and against CP-SAT on a CpModel of the same problem, written by hand, in a plain Python process
// with as many workers as there are processors. `npm run bench -- engines`; 40 problems, 6 calls each, up to
// ENGINES_SECONDS (20) each. VERDICT_DATA names a data directory with the packages of `verdict setup cp`.
// ENGINES_ONLY=tsp_20,knapsack names problems or families. Results are kept in ENGINES_FILE (.cache/engines.json): a
// second run measures only what is missing there; remove the file to measure all again.
import { availableParallelism, loadavg } from "node:os";
import { alone as bareCpSat, isProof, pythonOf } from "./cp_sat.mjs";
import { connect, median, pause, row } from "./measure.mjs";
import { problems } from "./problems/index.mjs";
import { fingerprint, ResultsFile } from "./results_file.mjs";

const limit_s = Number(process.env.ENGINES_SECONDS ?? 20);
const only = (process.env.ENGINES_ONLY ?? "").split(",").filter(Boolean);
const python = pythonOf(process.env.VERDICT_DATA ?? "");
const alone = ["gecode", "chuffed", "highs", "coin-bc", ...(python ? ["cp-sat"] : [])];
/** A value that is worse by less than this share counts as good as another one. */
const tolerance = 0.01;

/** All rows about the 40 problems. */
export async function enginesRows() {
  const results = new ResultsFile(process.env.ENGINES_FILE ?? ".cache/engines.json");
  const chosen = problems.filter(
    ({ name, family }) => only.length === 0 || only.includes(name) || only.includes(family),
  );
  const server = await connect({ VERDICT_MINIZINC: "wasm" });
  const measured = [];
  try {
    // The first call of a server starts its programs.
    const first = { language: "minizinc", model: "var 1..9: x; solve satisfy;" };
    for (const solver of alone) await server.call("solve", { ...first, solver });
    for (const problem of chosen) measured.push(await measure(server, results, problem));
  } finally {
    await server.client.close();
  }
  printProblems(measured);
  valueRow(measured);
  proofRows(measured);
  contradictionRow(measured);
  if (python) proofTimeRow(measured);
}

async function measure(server, results, problem) {
  const runs = {};
  for (const solver of ["default", ...alone]) {
    const key = `${problem.name} ${solver} ${limit_s} s ${fingerprint(problem.minizinc)}`;
    runs[solver] = await results.get(key, () => solved(server, problem, solver));
  }
  if (python && problem.ortools) {
    const job = { language: "ortools", text: problem.ortools, seconds: limit_s, workers: availableParallelism() };
    const key = `${problem.name} bare ${limit_s} s ${fingerprint(job)}`;
    const { value, ...bare } = await results.get(key, () => bareCpSat(python, job));
    runs.bare = { ...bare, ...(value !== null && { value }), proved: isProof(bare, problem.goal) };
  }
  const words = Object.entries(runs).map(([solver, run]) => `${solver} ${worded(run)}`);
  console.log(`    ${problem.name}: ${words.join(", ")}`);
  return { ...problem, runs };
}

/** One call. A value is proved where the answer says `optimal`, or where any solution is one. */
async function solved(server, { goal, minizinc: { model, data } }, solver) {
  const named = solver === "default" ? {} : { solver };
  await pause(500);
  const start = performance.now();
  const answer = await server.call("solve", {
    ...{ language: "minizinc", model, data, timeout_ms: limit_s * 1000 },
    ...named,
  });
  const seconds = (performance.now() - start) / 1000;
  const { status, optimal, objective, engine, error, warnings, statistics, reason } = answer;
  const is_best = goal === "satisfy" ? status === "sat" : optimal === true;
  return {
    ...{ status, seconds, engine, error, warnings, reason, also_ran: statistics?.also_ran },
    ...(status === "sat" && { value: goal === "satisfy" ? 0 : objective }),
    proved: status === "unsat" || is_best,
    load: loadavg()[0],
  };
}

function worded({ status, value, proved, seconds, error }) {
  const what = value ?? (error ? "fault" : status);
  return `${what}${proved ? "*" : ""} (${seconds.toFixed(1)} s)`;
}

function printProblems(measured) {
  const columns = ["default", ...alone, ...(python ? ["bare"] : [])];
  console.log(`\n| problem (* proved, seconds) | ${columns.join(" | ")} |\n|---|${"---|".repeat(columns.length)}`);
  for (const { name, runs } of measured)
    console.log(`| ${name} | ${columns.map((solver) => (runs[solver] ? worded(runs[solver]) : "–")).join(" | ")} |`);
}

/** Whether a value is as good as another one, up to the tolerance. */
function isAsGood(value, other, goal) {
  if (other === undefined) return true;
  if (value === undefined) return false;
  const allowed = Math.abs(other) * tolerance + 1e-6;
  return goal === "maximize" ? value >= other - allowed : value <= other + allowed;
}

const bestOf = (values, goal) => {
  const found = values.filter((value) => value !== undefined);
  if (found.length === 0) return undefined;
  return goal === "maximize" ? Math.max(...found) : Math.min(...found);
};

function valueRow(measured) {
  const worse = measured.filter(({ goal, runs }) => {
    const best = bestOf(
      alone.map((solver) => runs[solver].value),
      goal,
    );
    return !runs.default.proved && !isAsGood(runs.default.value, best, goal);
  });
  const names = worse.length > 0 ? `; worse: ${worse.map(({ name }) => name).join(", ")}` : "";
  const load = Math.max(...measured.map(({ runs }) => Math.max(...Object.values(runs).map(({ load }) => load))));
  row(
    `${measured.length} optimisation problems, ${limit_s} s each, MiniZinc, embedded: values of the default call as good as those of the best engine alone (within 1 %)`,
    "all",
    `${measured.length - worse.length} of ${measured.length}${names} (load up to ${load.toFixed(0)})`,
    worse.length === 0,
  );
}

function proofRows(measured) {
  const count = (solver) => measured.filter(({ runs }) => runs[solver].proved).length;
  const by_any = measured.filter(({ runs }) => alone.some((solver) => runs[solver].proved)).length;
  const each = alone.map((solver) => `${solver} ${count(solver)}`).join(", ");
  const missing = measured
    .filter(({ runs }) => !runs.default.proved && alone.some((solver) => runs[solver].proved))
    .map(({ name }) => name);
  const names = missing.length > 0 ? `; without: ${missing.join(", ")}` : "";
  row(
    "the same: proofs, against the problems that at least one engine alone proved",
    "≥ 0.97",
    `${(count("default") / by_any).toFixed(2)}: ${count("default")} of ${by_any} (${each})${names}`,
    count("default") >= 0.97 * by_any,
  );
}

/** Two proofs that differ, and a proof of a value that is worse than one that was found. */
function contradictionRow(measured) {
  const wrong = measured.filter(({ name, goal, runs }) => {
    const all = Object.entries(runs);
    const best = bestOf(
      all.map(([, { value }]) => value),
      goal,
    );
    const false_proofs = all.filter(([, { proved, value, status }]) => {
      if (!proved) return false;
      return status === "unsat" ? best !== undefined : Math.abs(value - best) > 1e-6 * Math.max(1, Math.abs(best));
    });
    for (const [solver, run] of false_proofs) console.log(`  FALSE: ${name}, ${solver}: ${worded(run)}, best ${best}`);
    return false_proofs.length > 0;
  });
  row("the same: proofs that another answer contradicts", "0", String(wrong.length), wrong.length === 0);
}

/** The time to the proof against that of CP-SAT on the model written by hand, for the problems that both prove. */
function proofTimeRow(measured) {
  const both = measured.filter(({ runs }) => runs.default.proved && runs.bare?.proved);
  const [ours, theirs] = ["default", "bare"].map((who) => median(both.map(({ runs }) => runs[who].seconds)));
  const late = both.filter(({ runs }) => runs.default.seconds > 1.3 * runs.bare.seconds + 0.4);
  row(
    `the same: median time to the proof, ${both.length} problems that CP-SAT on a model written by hand proves too`,
    "≤ 1.3 × + 0.4 s",
    `${ours.toFixed(2)} s against ${theirs.toFixed(2)} s; ${late.length} later than that: ${late.map(({ name }) => name).join(", ")}`,
    ours <= 1.3 * theirs + 0.4,
  );
}
