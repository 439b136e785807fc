// The programs of DCP-Bench-Open, as language models wrote them: `DCP_BENCH=directory npm run bench -- dcp`.
// `DCP_PYTHON` is a Python with cpmpy and ortools, for programs that Verdict does not answer. `DCP_PART=1/10` takes a tenth,
// `DCP_ROW=run` or `compare` only one of the two rows.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connect, row } from "./measure.mjs";
import { ResultsFile } from "./results_file.mjs";

const languages = ["cpmpy", "ortools", "minizinc"];
const timeout_ms = Number(process.env.DCP_TIMEOUT_MS ?? 20_000);
const wrong_badges = ["solution_not_valid", "solution_valid_not_optimal"];
const right_badges = ["solution_valid", "solution_valid_and_optimal"];

/** Each program with its problem, its language, and what the benchmark's own evaluation said of it. */
function programsIn(directory) {
  const part = (process.env.DCP_PART ?? "1/1").split("/").map(Number);
  const models = join(directory, "generated_models");
  const all = readdirSync(models)
    .sort()
    .flatMap((problem) =>
      languages.flatMap((language) => {
        const folder = join(models, problem, language);
        return (existsSync(folder) ? readdirSync(folder).sort() : []).map((author) => {
          const place = join(folder, author);
          const file = readdirSync(place).find((name) => name.startsWith("model."));
          const { verdict = {} } = JSON.parse(readFileSync(join(place, "metrics_passed.json"), "utf8"));
          const text = readFileSync(join(place, file), "utf8");
          return {
            key: `${problem}/${language}/${author}`,
            problem,
            language,
            text,
            badge: verdict.badge,
            file: join(place, file),
          };
        });
      }),
    );
  // The programs that the benchmark calls wrong are always all taken.
  return all.filter(({ badge }, i) => wrong_badges.includes(badge) || i % part[1] === part[0] - 1);
}

/** A call that can have become a job. */
async function answerOf(call, name, args) {
  let answer = await call(name, args);
  while (answer.status === "running") answer = await call("get_job", { job_id: answer.job_id, wait_s: 25 });
  return answer;
}

/** Whether plain Python runs a program to its end. */
function runsPlainly({ language, file }) {
  const { DCP_PYTHON: python } = process.env;
  if (language === "minizinc" || python === undefined) return false;
  const { status, stdout } = spawnSync(python, [file], { encoding: "utf8", timeout: timeout_ms });
  return status === 0 && stdout.includes("{");
}

async function programRow(call, programs, results) {
  const [counts, lost, cureless] = [{}, [], []];
  for (const program of programs) {
    const result = await results.get(`run ${program.key}`, async () => {
      const answer = await answerOf(call, "solve", { language: program.language, items: [program.text], timeout_ms });
      const { status, error, code, remedy = [] } = answer;
      const is_open = ["error", "unknown", "timeout"].includes(status);
      // A program without a model prints an answer that is typed in.
      const is_lost = is_open && !/made 0 models/.test(error) && runsPlainly(program);
      return { status, error, code, remedy, is_lost };
    });
    counts[result.status] = (counts[result.status] ?? 0) + 1;
    if (result.is_lost) lost.push(program.key);
    if (result.status === "error" && !result.is_lost && !hasCure(result)) cureless.push(program.key);
  }
  console.log(JSON.stringify({ counts, lost, cureless }, undefined, 1));
  const what = `${programs.length} programs of DCP-Bench-Open, unchanged: lost although plain Python runs them; faults without a step that names the cure`;
  row(
    what,
    "≤ 3; ≤ 10",
    `${lost.length}; ${cureless.length} of ${counts.error ?? 0}`,
    lost.length <= 3 && cureless.length <= 10,
  );
}

/** Steps that fit each fault name no cure. */
function hasCure({ remedy }) {
  const steps = Array.isArray(remedy) ? remedy : [remedy];
  return steps.some((step) => !/^correct the item|^check the (?:range|spelling)/.test(step));
}

async function compareRow(call, directory, programs, results) {
  const counts = { wrong: {}, right: {} };
  const truths = new Map();
  const ofKind = (kind, badges) =>
    programs.filter(({ badge }) => badges.includes(badge)).map((program) => ({ kind, program }));
  for (const { kind, program } of [...ofKind("wrong", wrong_badges), ...ofKind("right", right_badges)]) {
    const { said } = await results.get(`compare ${program.key}`, () => comparedWith(call, directory, program, truths));
    counts[kind][said] = (counts[kind][said] ?? 0) + 1;
    if (said === "apart" ? kind === "right" : kind === "wrong") console.log(`${kind}, ${said}: ${program.key}`);
  }
  console.log(JSON.stringify(counts));
  const of = (kind) => Object.values(counts[kind]).reduce((sum, each) => sum + each, 0);
  const [wrong, right] = [counts.wrong, counts.right].map((each) => each.apart ?? 0);
  const [unlike, refused] = [counts.wrong, counts.right].map((each) => each["outputs do not correspond"] ?? 0);
  const what =
    "the same against their ground truth by compare_models: wrong ones told apart by a solution, by the form of their outputs; right ones called different, refused";
  const measured = `${wrong} and ${unlike} of ${of("wrong")}; ${right} and ${refused} of ${of("right")}`;
  row(what, "≥ 90 of 95; 0 of 773", measured, wrong + unlike >= 90 && right + refused === 0);
}

/** What the ground truth says of a program: `apart` where the program has an answer that it excludes, or a worse one. */
async function comparedWith(call, directory, { problem, language, text }, truths) {
  if (!truths.has(problem)) {
    const truth = readFileSync(join(directory, "dataset", problem, `${problem}.cpmpy.py`), "utf8");
    truths.set(problem, await answerOf(call, "solve", { language: "cpmpy", items: [truth], timeout_ms }));
  }
  const { status: solved, error: fault, model_id } = truths.get(problem);
  if (solved === "error") return { said: "truth not solved", error: fault };
  const args = { model: text, language, model_id, timeout_ms };
  const { status, message, reason, error, differences, warnings } = await answerOf(call, "compare_models", args);
  const is_apart = ["different", "excludes_more"].includes(status);
  const is_refused = status === "error" && /do not correspond|no values with the same name/.test(error);
  const said = is_apart ? "apart" : is_refused ? "outputs do not correspond" : status;
  return { said, status, message, reason, error, differences, warnings };
}

/** Both rows; without the benchmark there is nothing to measure. */
export async function dcpRows() {
  const { DCP_BENCH: directory } = process.env;
  if (!directory) throw new Error("DCP_BENCH must name a directory with DCP-Bench-Open.");
  const programs = programsIn(directory);
  const results = new ResultsFile(resolve(process.env.DCP_RESULTS ?? ".cache/dcp.json"));
  const { client, call } = await connect();
  try {
    const { DCP_ROW: only } = process.env;
    if (only !== "compare") await programRow(call, programs, results);
    if (only !== "run") await compareRow(call, directory, programs, results);
  } finally {
    await client.close();
  }
}
