// Whether the model says what the text says: checkers on changed answers, and on models that lack a constraint.
import { problems } from "./checked_problems.mjs";
import { dataFilesRows } from "./data_files.mjs";
import { bundled, row } from "./measure.mjs";

const mutants_each = 60;
const solutions_max = 1000;

/** All rows about data and meaning. */
export async function dataRows() {
  await dataFilesRows();
  const { open } = await bundled("bench/checker_parts.ts");
  const parts = open();
  try {
    await mutantsRow(parts);
    await lackingRow(parts);
    await rostersRow(parts);
  } finally {
    parts.close();
  }
}

function asked({ language, model, rules }, more = {}) {
  return { language, items: [...model, ...rules], timeout_ms: 60_000, ...more };
}

function checkerOf({ checker }) {
  return `def violations(values, data):\n    ${checker.replaceAll("\n", "\n    ")}\n`;
}

/** Rosters in which one more person is away: the changes, and the cost with as few, against all rosters one by one. */
async function rostersRow({ solve, roster: { leastOf, planIn, texts, rosters } }) {
  let [least, count] = [0, 0];
  for (const language of Object.keys(texts))
    for (const roster of rosters(4)) {
      const asked = (one, more) => ({ language, items: texts[language](one), timeout_ms: 60_000, ...more });
      const plan = planIn((await solve(asked(roster))).model);
      const ill = { ...roster, away: [...roster.away, [plan[2], 3]] };
      const keep = { on: language === "asp" ? plan.map((person, i) => [i + 1, person]) : plan };
      const { keep: kept, objective } = await solve(asked(ill, { keep }));
      const { changes, cost } = leastOf(ill, plan);
      const is_equal = kept?.least && kept.number === changes * (language === "asp" ? 2 : 1) && objective === cost;
      count++;
      least += is_equal ? 1 : 0;
      if (!is_equal) console.log(`not the least in ${language}: ${JSON.stringify(roster)}`);
    }
  const what = `${count} rosters in ${Object.keys(texts).length} languages with one changed fact: fewest changes, and least cost with as few`;
  row(what, `${count}`, `${least}`, least === count);
}

/** All solutions of a problem: the model itself says which changed answers are wrong. */
async function solutionsOf(parts, problem) {
  const count = problem.language === "asp" ? { max_models: solutions_max } : { all_solutions: true };
  const { solutions = [] } = await parts.solve(asked(problem, { ...count, solver: undefined }));
  if (solutions.length === 0 || solutions.length >= solutions_max) throw new Error(`not enumerated: ${problem.text}`);
  return solutions;
}

async function mutantsRow(parts) {
  let [wrong, noticed, alarms, tried] = [0, 0, 0, 0];
  for (const problem of problems) {
    const solutions = await solutionsOf(parts, problem);
    const right = new Set(solutions.map((each) => JSON.stringify(each)));
    const seen = new Set();
    for (const solution of solutions) {
      for (const { values, is_noticed } of await parts.tested(checkerOf(problem), solution, problem.language)) {
        const text = JSON.stringify(values);
        if (seen.has(text) || seen.size === mutants_each) continue;
        seen.add(text);
        tried++;
        if (right.has(text)) alarms += is_noticed ? 1 : 0;
        else {
          wrong++;
          noticed += is_noticed ? 1 : 0;
          if (!is_noticed) console.log(`not noticed: ${problem.text}\n  ${text}`);
        }
      }
      if (seen.size === mutants_each) break;
    }
  }
  row(
    `${tried} changed answers of ${problems.length} problems: wrong ones that the checkers notice, right ones that they refuse`,
    "≥ 99 %, 0",
    `${noticed} of ${wrong}; ${alarms} of ${tried - wrong}`,
    noticed >= 0.99 * wrong && alarms === 0,
  );
}

/** Each problem without one of its constraints: a model that states another problem. */
async function lackingRow(parts) {
  let [models, first, far] = [0, 0, 0];
  for (const problem of problems)
    for (const rule of problem.rules) {
      const rules = problem.rules.filter((each) => each !== rule);
      const lacking = asked({ ...problem, rules }, { checker: checkerOf(problem) });
      const { checker } = await parts.solve(lacking);
      const { checker: of_five } = await parts.solve({ ...lacking, diverse: 5 });
      models++;
      first += checker.status === "violated" ? 1 : 0;
      if (of_five.status !== "violated") console.log(`not caught: ${problem.text}\n  ${rule}`);
      far += of_five.status === "violated" ? 1 : 0;
    }
  row(
    `${models} models that lack one constraint of the text: caught by the checker on their first answer, on five far apart`,
    "most",
    `${first}, ${far}`,
    far > 0.9 * models,
  );
}
