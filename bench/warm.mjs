// The embedded engines with and without compiled code, in one run: `npm run bench -- warm`. VERDICT_Z3 names the native
// Z3; without one its rows are left out. The code is made first, as a server makes it: in a new data directory, unless
// VERDICT_DATA names one that has it already. The rows about Python and about several SMT engines follow; the latter need
// a VERDICT_DATA in which `verdict setup smt` ran. VERDICT_SERVER names the built server of another version, which
// has its own rows: both by turns, in one run.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, connect, median, ms, pause, ratio, row, sorted, timed } from "./measure.mjs";
import { pythonSpeedRows } from "./models.mjs";
import { scripts, trivial } from "./scripts.mjs";
import { smtEnginesRows } from "./smt_engines.mjs";
import { bare, burstRow, nativeZ3, scriptFile } from "./smtlib.mjs";

const embedded = { VERDICT_Z3: "wasm", VERDICT_MINIZINC: "wasm", VERDICT_CLINGO: "wasm", CI: "" };
const tiny = "var 1..5: x; constraint x * x = 9; solve satisfy;";
const rules = "1 { a; b } 1.";

/** How long it may take to make the code of an engine, on a busy machine. */
const code_ms_max = 600_000;

const solveModel = (server, language, model) => server.call("solve", { language, model });

/** Uses each engine until its code is there; gives the sizes of the files. */
async function makeCode(data) {
  const server = await connect({ ...embedded, VERDICT_DATA: data, VERDICT_CODE_CACHE: "on" });
  const uses = {
    z3: () => server.call("solve_smtlib", { smtlib: trivial }),
    minizinc: () => solveModel(server, "minizinc", tiny),
    clingo: () => solveModel(server, "asp", rules),
  };
  const directory = join(data, "compiled");
  for (const [name, use] of Object.entries(uses)) {
    let size = 0;
    const { time } = await timed(async () => {
      for (let i = 0; i < 3; i++) await use();
      const code = () =>
        existsSync(directory) && readdirSync(directory).find((file) => /^\w+-\w+$/.test(file) && file.startsWith(name));
      const end = performance.now() + code_ms_max;
      while (!code()) {
        if (performance.now() > end) throw new Error(`no code of ${name} after ${code_ms_max / 1000} s`);
        await pause(200);
      }
      size = statSync(join(directory, code())).size;
    });
    row(
      `code of ${name}: from its first call until it is there`,
      "reported",
      `${ms(time)}, ${(size / 1024 ** 2).toFixed(1)} MB`,
    );
  }
  await server.client.close();
}

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

/** All rows of compiled code. */
export async function warmRows() {
  const native = nativeZ3();
  const own = process.env.VERDICT_DATA ? undefined : mkdtempSync(join(tmpdir(), "verdict-bench-code-"));
  const data = own ?? process.env.VERDICT_DATA;
  const without = { ...embedded, VERDICT_DATA: data, VERDICT_CODE_CACHE: "off" };
  const with_code = { ...embedded, VERDICT_DATA: data, VERDICT_CODE_CACHE: "on" };
  try {
    await makeCode(data);
    const other = process.env.VERDICT_SERVER;
    const servers = [
      { what: "without code", env: without, program: cli },
      ...(other ? [{ what: "with code, by the other server", env: with_code, program: other }] : []),
      { what: "with code", env: with_code, target: true, program: cli },
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
