// The embedded engines in warm servers: `npm run bench -- warm`. VERDICT_Z3 names the native Z3; without one its rows are
// left out. The rows about Python and about several SMT engines follow; the latter need a VERDICT_DATA in which `verdict
// setup smt` ran. VERDICT_SERVER names the built server of another version, which has its own rows: both by turns, in one
// run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, connect, median, ms, pause, ratio, row, sorted, timed } from "./measure.mjs";
import { pythonSpeedRows } from "./models.mjs";
import { scripts } from "./scripts.mjs";
import { smtEnginesRows } from "./smt_engines.mjs";
import { bare, burstRow, nativeZ3, scriptFile } from "./smtlib.mjs";

const embedded = { VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm" };
const tiny = "var 1..5: x; constraint x * x = 9; solve satisfy;";

const solveModel = (server, language, model) => server.call("solve", { language, model });

/** Twelve scripts of medium size, each on several servers and on a bare native Z3 by turns. */
async function mediumRow(native, servers) {
  const connected = await connectAll(servers);
  for (const [name, smtlib] of Object.entries(scripts)) {
    const file = scriptFile(name, smtlib);
    const theirs = [];
    for (const each of connected) each.times = [];
    for (let i = 0; i < repeats; i++) {
      for (const { server, times } of connected) {
        await pause(1500);
        times.push((await timed(() => decide(server, name, smtlib))).time);
      }
      theirs.push((await timed(() => bare(native, file))).time);
    }
    for (const { what, times, ratios } of connected) {
      ratios.push(median(times) / median(theirs));
      console.log(
        `    ${name} ${what}: ${ratio(median(times), median(theirs))} (${ms(median(times))} / ${ms(median(theirs))})`,
      );
    }
  }
  for (const { what, target, ratios, server } of connected) {
    await server.client.close();
    const worst = sorted(ratios).at(-1);
    row(
      `12 medium scripts, embedded ${what}, against bare native z3`,
      target ? "median ≤ 2.5, worst ≤ 10" : "reported",
      `median ${median(ratios).toFixed(1)}, worst ${worst.toFixed(1)}`,
      target ? median(ratios) <= 2.5 && worst <= 10 : undefined,
    );
  }
}

async function decide(server, name, smtlib) {
  const answer = await server.call("solve_smtlib", { smtlib, timeout_ms: 300_000, engine: "z3" });
  if (answer.status !== "sat" && answer.status !== "unsat") throw new Error(`${name}: ${JSON.stringify(answer)}`);
}

/** Each with what is measured on it. */
function connectAll(servers) {
  return Promise.all(
    servers.map(async ({ what, env, target, program }) => ({
      ...{ what, target, times: [], ratios: [] },
      server: await connect(env, [], program),
    })),
  );
}

/** A tiny model in one call of `solve`, by each of several servers in turn. */
async function tinyRow(servers) {
  const connected = await connectAll(servers);
  for (const { server } of connected) for (let i = 0; i < 2; i++) await solveModel(server, "minizinc", tiny);
  for (let i = 0; i < 4 * repeats + 1; i++)
    for (const { server, times } of connected) {
      await pause(3000 / connected.length);
      times.push((await timed(() => solveModel(server, "minizinc", tiny))).time);
    }
  for (const { what, target, times, server } of connected) {
    await server.client.close();
    row(
      `a tiny MiniZinc model, embedded ${what}`,
      target ? "≤ 150 ms" : "reported",
      `median ${ms(median(times))}, ${ms(sorted(times)[0])} to ${ms(sorted(times).at(-1))}`,
      target ? median(times) <= 150 : undefined,
    );
  }
}

/** How often each script is solved: `VERDICT_REPEATS`, 3. */
const repeats = Number(process.env.VERDICT_REPEATS ?? 3);

/** All rows of the embedded engines. */
export async function warmRows() {
  const native = nativeZ3();
  const own = process.env.VERDICT_DATA ? undefined : mkdtempSync(join(tmpdir(), "verdict-bench-warm-"));
  const env = { ...embedded, VERDICT_DATA: process.env.VERDICT_DATA ?? own };
  try {
    const other = process.env.VERDICT_SERVER;
    const servers = [
      ...(other ? [{ what: "by the other server", env, program: other }] : []),
      { what: "by this server", env, target: true, program: cli },
    ];
    await tinyRow(servers);
    for (const { what, env, program } of servers) await burstRow(`embedded ${what}`, env, program);
    if (native) await mediumRow(native, servers);
    await pythonSpeedRows();
    await smtEnginesRows();
  } finally {
    if (own) rmSync(own, { recursive: true });
  }
}
