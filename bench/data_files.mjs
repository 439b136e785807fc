// Data files: how long a large table takes, what it costs, and how many published problems can hand their data over.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { connect, median, row, timed } from "./measure.mjs";

const rows_count = 50_000;
const problems_max = 100;
/** Calls of which the median is shown, after two that warm the server up. */
const calls = 7;

/** All rows about files. The published problems need VERDICT_MIPLIB_NL: a copy of that repository. */
export async function dataFilesRows() {
  await largeTableRows();
  const problems = process.env["VERDICT_MIPLIB_NL"];
  if (problems !== undefined) await problemsRow(resolve(problems, "dataset"));
}

async function largeTableRows() {
  const directory = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const lines = Array.from({ length: rows_count }, (_, i) =>
    [
      i,
      `person ${i % 977}`,
      (i * 7) % 60,
      ((i * 13) % 1000) / 10,
      `2026-${String(1 + (i % 12)).padStart(2, "0")}-05`,
    ].join(),
  );
  const file = join(directory, "large.csv");
  writeFileSync(file, `id,name,hours,cost,since\n${lines.join("\n")}\n`);
  const { client, call, pid } = await connect({}, ["--data-dir", directory]);
  const read = async () => {
    const { time, result } = await timed(() => call("read_data", { files: ["large.csv"] }));
    if (result?.files?.[0]?.summary?.rows !== rows_count) throw new Error(JSON.stringify(result).slice(0, 1_000));
    return time;
  };
  await read();
  await read();
  const before = residentMb(pid);
  const times = [];
  for (let i = 0; i < calls; i++) times.push(await read());
  const grown = residentMb(pid) - before;
  await client.close();
  const seconds = median(times) / 1000;
  row(
    `a table of ${rows_count} rows and five columns, read and summarised`,
    "≤ 1.5 s",
    `${seconds.toFixed(2)} s`,
    seconds <= 1.5,
  );
  const child = childMb(file);
  row("the same: memory of the process that reads it", "≤ 300 MB", `${child} MB`, child <= 300);
  row(`the same: growth of the server over ${calls} calls`, "flat (≤ 30 MB)", `${grown} MB`, grown <= 30);
  rmSync(directory, { recursive: true });
}

/** The memory of a process on Linux. */
function residentMb(pid) {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kb) / 1000);
}

/** The most memory that the reader of tables has had. */
function childMb(file) {
  const { dev, ino } = statSync(file, { bigint: true });
  const told = "process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${told}`, resolve("dist/read_table.mjs")],
    {
      input: JSON.stringify({ path: file, device: String(dev), inode: String(ino), shown: "large.csv" }),
      maxBuffer: 200_000_000,
      encoding: "utf8",
    },
  );
  return Math.round(Number(stderr.trim().split("\n").at(-1)) / 1000);
}

/** Problems of a published set with their data: the data is never in a call. */
async function problemsRow(directory) {
  const { client, call } = await connect({}, ["--data-dir", directory]);
  const names = readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, "data")))
    .sort();
  let [bytes, paths, read] = [0, 0, 0];
  const chosen = names.filter((_, i) => (i * problems_max) % names.length < problems_max).slice(0, problems_max);
  for (const name of chosen) {
    const folder = join(directory, name, "data");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) =>
      /\.(csv|json|txt|tsv|xlsx)$/i.test(each),
    );
    let is_read = true;
    for (let i = 0; i < files.length; i += 20) {
      const args = {
        files: files
          .slice(i, i + 20)
          .map((each, at) => ({ path: relative(directory, join(folder, each)), name: `f${at}` })),
      };
      paths += JSON.stringify(args).length;
      const answer = await call("read_data", args);
      is_read &&= answer?.status === "ok";
      if (answer?.status !== "ok") console.log(`${name}: ${answer?.error}`);
    }
    bytes += files.reduce((sum, each) => sum + statSync(join(folder, each)).size, 0);
    read += is_read ? 1 : 0;
  }
  await client.close();
  const what = `${chosen.length} problems of MIPLIB-NL with ${(bytes / 1e6).toFixed(1)} MB of data`;
  // A path is all that a call has of a file.
  row(`${what}: bytes of data in the calls`, "0", `0, and ${Math.round(paths / 1000)} kB of paths`, true);
  row(`${what}: all files read without a fault`, "100 %", `${read} of ${chosen.length}`, read === chosen.length);
}
