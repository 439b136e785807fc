// The problems of bench/problems/ in `ortools` and `cpmpy`, against CP-SAT alone with one worker in a plain Python process.
// `npm run bench -- cp_sat`, also a part of `engines`. ENGINES_SECONDS (20) is the limit of each, ENGINES_ONLY names problems
// or families, ENGINES_FILE keeps results as for `engines`. VERDICT_DATA names a data directory with the packages
// (`verdict setup cp`).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { connect, median, pause, row } from "./measure.mjs";
import { problems } from "./problems/index.mjs";
import { fingerprint, ResultsFile } from "./results_file.mjs";

const limit_s = Number(process.env.ENGINES_SECONDS ?? 20);
const only = (process.env.ENGINES_ONLY ?? "").split(",").filter(Boolean);
const languages = ["ortools", "cpmpy"];
/** The target: at most this multiple of the time of CP-SAT alone, plus these seconds. */
const target = { factor: 1.1, seconds: 0.1 };

/** The Python of the environment that has OR-Tools. */
export function pythonOf(data) {
  const places = join(data, "python");
  const notes = existsSync(places) ? readdirSync(places).map((name) => join(places, name)) : [];
  const found = notes.find((place) => {
    const note = join(place, "verdict.json");
    return existsSync(note) && JSON.parse(readFileSync(note, "utf8")).packages?.ortools;
  });
  return found && join(found, process.platform === "win32" ? "Scripts" : "bin", "python");
}

/** All rows about these problems. */
export async function cpSatRows() {
  const python = pythonOf(process.env.VERDICT_DATA ?? "");
  if (!python) {
    console.log(
      "  VERDICT_DATA names no data directory with the packages of `verdict setup cp`: CP-SAT is not compared",
    );
    return;
  }
  const results = new ResultsFile(process.env.ENGINES_FILE ?? ".cache/engines.json");
  const server = await connect();
  const measured = [];
  try {
    for (const language of languages) await server.call("solve", { language, model: first[language] });
    for (const problem of problems.filter(
      ({ name, family }) => only.length === 0 || [name, family].some((each) => only.includes(each)),
    ))
      for (const language of languages)
        if (problem[language]) measured.push(await measure(server, python, results, problem, language));
  } finally {
    await server.client.close();
  }
  print(measured);
}

/** The first call of a server starts its programs. */
const first = {
  ortools: "model = cp_model.CpModel()\nx = model.new_int_var(0, 3, 'x')",
  cpmpy: "x = cp.intvar(0, 3, name='x')\nm = cp.Model(x > 1)",
};

/**
 * CP-SAT alone with 1, 2, 4 and 8 workers on each problem, by turns: `npm run bench -- workers`. A row for each number:
 * proofs, their time, and the values that are worse than the best of the four.
 */
export async function workersRows() {
  const python = pythonOf(process.env.VERDICT_DATA ?? "");
  if (!python) throw new Error("VERDICT_DATA must name a data directory with the packages of `verdict setup cp`.");
  const results = new ResultsFile(process.env.ENGINES_FILE ?? ".cache/engines.json");
  const numbers = [1, 2, 4, 8];
  const measured = [];
  for (const { name, goal, ortools: text } of problems.filter(({ ortools }) => ortools)) {
    const runs = [];
    for (const workers of numbers) {
      const job = { language: "ortools", text, seconds: limit_s, workers };
      runs.push(await results.get(`${name} bare ${limit_s} s ${fingerprint(job)}`, () => alone(python, job)));
    }
    const best = runs.map(({ value }) => value).filter((value) => value !== null);
    measured.push({ name, goal, runs, best: goal === "minimize" ? Math.min(...best) : Math.max(...best) });
    const words = runs.map((run) => `${run.value}${isProof(run, goal) ? "*" : ""} (${run.seconds.toFixed(1)} s)`);
    console.log(`| ${name} | ${words.join(" | ")} |`);
  }
  for (const [i, workers] of numbers.entries()) {
    const proofs = measured.filter(({ goal, runs }) => isProof(runs[i], goal));
    const by_all = measured.filter(({ goal, runs }) => runs.every((run) => isProof(run, goal)));
    const worse = measured.filter(({ goal, runs, best }) => goal !== "satisfy" && runs[i].value !== best);
    const time = by_all.reduce((sum, { runs }) => sum + runs[i].seconds, 0);
    row(
      `CP-SAT alone, ${workers} workers, ${measured.length} problems`,
      "reported",
      `${proofs.length} proofs; ${time.toFixed(1)} s for the ${by_all.length} that all prove; not the best value: ${worse.map(({ name }) => name).join(", ") || "none"}`,
    );
  }
}

async function measure(server, python, results, problem, language) {
  const { name, goal } = problem;
  const text = problem[language];
  const key = (who) => `${name} ${language} ${who} ${limit_s} s ${fingerprint(text)}`;
  const bare = await results.get(key("bare"), () => alone(python, { language, text, seconds: limit_s, workers: 1 }));
  const ours = await results.get(key("verdict"), async () => {
    await pause(500);
    const start = performance.now();
    const answer = await server.call("solve", { language, model: text, timeout_ms: (limit_s + 3) * 1000 });
    const seconds = (performance.now() - start) / 1000;
    const { status, optimal, objective, confirmed_by, unconfirmed, error, statistics } = answer;
    const proved = status === "unsat" || (goal === "satisfy" ? status === "sat" : optimal === true);
    const second_s = statistics?.second_engine_s ?? 0;
    const load = loadavg()[0];
    return { status, value: objective ?? null, proved, seconds, second_s, confirmed_by, unconfirmed, error, load };
  });
  const bare_proved = isProof(bare, goal);
  console.log(
    `    ${name} ${language}: bare ${bare.value}${bare_proved ? "*" : ""} ${bare.seconds.toFixed(2)} s, ` +
      `Verdict ${ours.value}${ours.proved ? "*" : ""} ${ours.seconds.toFixed(2)} s ${ours.error ?? ours.confirmed_by ?? "unconfirmed"}`,
  );
  return { name, language, goal, bare: { ...bare, proved: bare_proved }, ours };
}

/** Whether CP-SAT alone has decided a problem of this goal. */
export const isProof = ({ status }, goal) => status === "OPTIMAL" || (goal === "satisfy" && status === "FEASIBLE");

/** CP-SAT alone on one problem: `{ language, text, seconds, workers }`. */
export function alone(python, job) {
  const { stdout, stderr } = spawnSync(python, ["-I", "bench/cp_sat.py"], {
    input: JSON.stringify([job]),
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return { ...JSON.parse(stdout), load: loadavg()[0] };
}

function print(measured) {
  for (const language of languages) {
    const of = measured.filter((each) => each.language === language);
    if (of.length === 0) continue;
    const worse = of.filter(({ goal, bare, ours }) => {
      if (bare.value === null || goal === "satisfy") return false;
      return ours.value === null || (goal === "minimize" ? ours.value > bare.value : ours.value < bare.value);
    });
    const fewer = of.filter(({ bare, ours }) => bare.proved && !ours.proved);
    const apart = of.filter(
      ({ goal, bare, ours }) => goal !== "satisfy" && bare.proved && ours.proved && bare.value !== ours.value,
    );
    // Where both stop at the limit, the times say nothing.
    const both = of.filter(({ bare, ours }) => bare.proved && ours.proved);
    const more = both.map(({ bare, ours }) => ours.seconds - bare.seconds);
    const slow = both.filter(({ bare }, i) => more[i] > (target.factor - 1) * bare.seconds + target.seconds);
    // The second engine may take 0.2 s for each proof, more than the target: without it, what is left is the rest.
    const rest = both.map(({ ours }, i) => more[i] - (ours.second_s ?? 0));
    const slow_alone = both.filter(({ bare }, i) => rest[i] > (target.factor - 1) * bare.seconds + target.seconds);
    const confirmed = both.filter(({ ours }) => ours.confirmed_by);
    const named = (list) => (list.length > 0 ? ` (${list.map(({ name }) => name).join(", ")})` : "");
    row(
      `${language}: of ${of.length} problems, a worse value than CP-SAT alone`,
      "0",
      `${worse.length}${named(worse)}`,
      worse.length === 0,
    );
    row(
      `${language}: a proof of CP-SAT alone that is missing`,
      "0",
      `${fewer.length}${named(fewer)}`,
      fewer.length === 0,
    );
    row(
      `${language}: two proofs that contradict each other`,
      "0",
      `${apart.length}${named(apart)}`,
      apart.length === 0,
    );
    row(
      `${language}: slower than ${target.factor} × CP-SAT alone + ${target.seconds} s, of ${both.length} proved by both`,
      "0",
      `${slow.length}; the median call takes ${both.length > 0 ? median(more).toFixed(2) : "–"} s longer`,
      slow.length === 0,
    );
    row(
      `${language}: the same without the time of the second engine, which confirmed ${confirmed.length} of ${both.length}`,
      "0",
      `${slow_alone.length}${named(slow_alone)}; the median call takes ${both.length > 0 ? median(rest).toFixed(2) : "–"} s longer`,
      slow_alone.length === 0,
    );
  }
}
