// The prover's numbers over test/fixtures/proofs/, through the tools of the built server. `VERDICT_DATA` may name a
// directory that is set up already; `PROVER_QUESTIONS` bounds the questions of each set.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf } from "../test/support/proofs.mjs";
import { bundled, cli, connect, median, ms, row, timed } from "./measure.mjs";

const seconds = 10;
const patience = 4;
const most = Number(process.env.PROVER_QUESTIONS ?? 60);

/** All rows of the prover. */
export async function proverRows() {
  const own = process.env.VERDICT_DATA ? undefined : mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const env = { VERDICT_DATA: own ?? process.env.VERDICT_DATA };
  try {
    const { status } = spawnSync(process.execPath, [cli, "setup"], { env: { ...process.env, ...env } });
    if (status !== 0) return console.log("no Python: the rows of the prover are left out");
    const server = await connect(env);
    await exampleRow(server);
    const asked = await setRows(server);
    await server.client.close();
    await firstDecisionRow(asked, env);
  } finally {
    if (own) rmSync(own, { recursive: true, force: true });
  }
}

const safe_div = "def f(a: int, b: int) -> float:\n    if b == 0:\n        return 0.0\n    return a / b\n";
const validated_sqrt = "def f(x: float) -> float:\n    if x < 0:\n        return 0.0\n    return x ** 0.5\n";
const loop_sum =
  "def f(items: list[int]) -> int:\n    total = 0\n    for item in items:\n        total += item\n    return total\n\ndef g(items: list[int]) -> int:\n    return sum(items)\n";

async function exampleRow(server) {
  const questions = [
    raises(safe_div, "f", "ZeroDivisionError"),
    raises(validated_sqrt, "f", "ValueError"),
    differ(loop_sum, "g"),
  ];
  const shown = [];
  let met = true;
  for (const question of questions) {
    await ask(server, question);
    const { time, result } = await timed(() => ask(server, question));
    met &&= isProven(result) && time <= 2_000;
    shown.push(`${result.status} in ${ms(time)}`);
  }
  row("safe_div, validated_sqrt, and a loop that is sum()", "proven, each in ≤ 2 s warm", shown.join("; "), met);
}

async function setRows(server) {
  const pairs = blocksOf("pairs");
  const functions = blocksOf("exceptions");
  const equal = await tally(server, "equal pairs", pairs, ({ code }) => differ(code, "g"));
  setRow("pairs equal by construction", "proven", 45, equal);
  const near = await tally(server, "near misses", pairs, ({ code }) => differ(code, "h"));
  setRow("near misses of those", "refuted", 57, near);
  const safe = await tally(server, "can't raise", functions, ({ code, note }) => raises(code, "f", note));
  setRow("functions that can't raise", "proven", 30, safe);
  const unsafe = await tally(server, "can raise", functions, ({ code, note }) => raises(code, "g", note));
  setRow("functions that can", "refuted", 38, unsafe);
  const given = await tally(server, "invariants", blocksOf("invariants"), ({ code }) => keeps(code));
  setRow("functions with their invariants as asserts", "proven", 33, given);
  const wrong = await tally(server, "wrong invariants", blocksOf("invariants", "!"), ({ code }) => keeps(code));
  setRow("with wrong code or a false invariant", "refuted", 36, wrong, "a replayed input, or a state that breaks it");
  return [...equal.asked, ...near.asked, ...safe.asked, ...unsafe.asked];
}

/** A proof of a false claim is wrong. A refutation is an input that was replayed, so it is right. */
function setRow(what, wanted, target, sum, by = "refuted by a replayed input") {
  const right = sum[wanted].length;
  const wrong = wanted === "refuted" ? sum.proven.length : 0;
  const others = { proven: sum.proven, refuted: sum.refuted, open: sum.open };
  delete others[wanted];
  const left = Object.entries(others).flatMap(([kind, titles]) => titles.map((title) => `${kind}: ${title}`));
  const claim = wanted === "proven" ? "proven" : by;
  row(
    `${sum.times.length} ${what}, ${seconds} s each: ${claim}`,
    wanted === "proven" ? `≥ ${target}` : `≥ ${target}, 0 proven`,
    [right, `median ${ms(median(sum.times))}`, ...left].join("; "),
    right >= target && wrong === 0,
  );
}

/** Asks about every block of a set; progress goes to stderr. */
async function tally(server, set, blocks, questionOf) {
  const sum = { proven: [], refuted: [], open: [], times: [], asked: [] };
  for (const block of blocks.slice(0, most)) {
    const question = questionOf(block);
    const { time, result } = await timed(() => ask(server, question));
    const refuted =
      ["different", "found", "counterexample"].includes(result.status) ||
      result.obligations?.open.some(({ state }) => state);
    sum[isProven(result) ? "proven" : refuted ? "refuted" : "open"].push(block.title);
    sum.times.push(time);
    sum.asked.push({ question, time });
    console.error(`${set} ${sum.times.length}/${blocks.length}: ${result.status} after ${ms(time)}: ${block.title}`);
  }
  return sum;
}

/**
 * The same questions to the exploration alone, in this process. It is stopped after `patience` times the time of the
 * tools, or a second, whichever is more: the true ratio is then smaller than the printed one.
 */
async function firstDecisionRow(asked, env) {
  const { openExplorer } = await bundled("bench/explorer_alone.mjs");
  const explorer = openExplorer(env);
  const ratios = [];
  let decided = 0;
  try {
    await explorer.decides(asked[0].question, seconds);
    for (const { question, time } of asked) {
      const longest = Math.min(seconds, Math.max(1, (patience * time) / 1000));
      const alone = await timed(() => explorer.decides(question, longest));
      if (alone.result) decided++;
      ratios.push(time / alone.time);
      console.error(`alone ${ratios.length}/${asked.length}: ${alone.result} after ${ms(alone.time)}, ${ms(time)}`);
    }
  } finally {
    explorer.close();
  }
  const value = median(ratios);
  const quicker = ratios.filter((each) => each > 1).length;
  row(
    `time to the first decision of these ${asked.length} questions, against the exploration alone: median ratio`,
    "≤ 0.5",
    `${value.toFixed(2)}; alone it decided ${decided} before it had ${patience} times as long, ${quicker} of them first`,
    value <= 0.5,
  );
}

function isProven({ status }) {
  return ["equivalent", "unreachable", "verified"].includes(status);
}

const differ = (code, other) => ({ task: "compare", code, functions: ["f", other] });
const keeps = (code) => ({ task: "check", code, functions: ["f"] });
const raises = (code, name, exception) => ({ task: "raises", code, functions: [name], exception });

/** Puts a question to the tool that it is for. */
function ask(server, { task, code, functions: [first, second], exception }) {
  const common = { code, timeout_seconds: seconds };
  if (task === "check") return server.call("symbolic_check", { ...common, function_name: first });
  return task === "compare"
    ? server.call("compare_functions", { ...common, function_a: first, function_b: second })
    : server.call("find_path_to_exception", { ...common, function_name: first, exception_type: exception });
}
