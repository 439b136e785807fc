// The Lean tactic daemon on the toy model, against llama.cpp called in this process.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { cli, connect, median, ms, pause, row, timed } from "./measure.mjs";

const data = resolve(".cache/test-lean");
const model_file = resolve(".cache/toy_model/tactics.gguf");
const long_state = `${Array.from({ length: 60 }, (_, i) => `h${i} : p → q ∧ r`).join("\n")}\n⊢ p → r`;
const states = Array.from(
  { length: 40 },
  (_, i) => `h1 : p\nh2 : q → r\n⊢ ${"p → ".repeat(1 + (i % 8))}q ∧ ${"r ∨ ".repeat(i % 5)}p`,
);

/** All rows of the Lean tools. */
export async function leanRows() {
  if (!existsSync(model_file)) execFileSync(process.execPath, ["test/support/toy_model.mjs", model_file]);
  const env = {
    VERDICT_DATA: data,
    VERDICT_LEAN_MODEL: model_file,
    VERDICT_LEAN_THREADS: "1",
    TACTIC_SERVER_PORT: String(await freePort()),
    TACTIC_SERVER_TIMEOUT: "300",
  };
  const port = Number(env.TACTIC_SERVER_PORT);
  const stop = () => spawnSync(process.execPath, [cli, "daemon", "stop"], { env: { ...process.env, ...env } });
  const server = await connect(env, ["--tools", "lean"]);
  try {
    // Installs llama.cpp, the first time on a machine.
    await server.call("bfs_suggest_tactics", { proof_state: "⊢ p" });
    await startRows(server, port, stop);
    const direct = await openDirect();
    await overheadRow(server, direct);
    await cachedRow(server);
    await sharedRow(port, direct);
    await direct.close();
    await cancelRows(port);
  } finally {
    await server.client.close();
    stop();
  }
}

async function startRows(server, port, stop) {
  const times = [];
  const over = [];
  for (let i = 0; i < 5; i++) {
    stop();
    await pause(300);
    const asked = { proof_state: "h1 : p\n⊢ p", num_suggestions: 1 };
    times.push((await timed(() => server.call("bfs_suggest_tactics", asked))).time);
    const { memory_bytes } = await ask(port, { method: "status", params: {} });
    over.push((memory_bytes - statSync(model_file).size) / 1e6);
  }
  const start = median(times);
  row("no daemon: start to first tactic, through the tool", "≤ 1.5 s", ms(start), start <= 1500);
  const memory = median(over);
  row("memory of the daemon beyond the size of the model", "≤ 150 MB", `${memory.toFixed(0)} MB`, memory <= 150);
}

/** The same work, a greedy sample and its score, through everything and in this process. */
async function overheadRow(server, direct) {
  const ours = [];
  const theirs = [];
  for (const proof_state of states) {
    const asked = { proof_state, num_suggestions: 1, temperature: 0, goals: "all" };
    ours.push((await timed(() => server.call("bfs_suggest_tactics", asked))).time);
    theirs.push((await timed(() => direct.greedy(proof_state))).time);
  }
  const over = median(ours.map((time, i) => time - theirs[i]));
  const shown = `${over.toFixed(2)} ms (${median(ours).toFixed(1)} against ${median(theirs).toFixed(1)})`;
  row(
    "one request through client, server and daemon, minus the time of llama.cpp in one process",
    "≤ 3 ms",
    shown,
    over <= 3,
  );
}

async function cachedRow(server) {
  const asked = { proof_state: "h1 : p\n⊢ p ∧ p", num_suggestions: 5 };
  await server.call("bfs_suggest_tactics", asked);
  const times = [];
  for (let i = 0; i < 101; i++) times.push((await timed(() => server.call("bfs_suggest_tactics", asked))).time);
  const value = median(times);
  row("the same request again, through the tool", "≤ 2 ms", `${value.toFixed(2)} ms`, value <= 2);
}

async function sharedRow(port, direct) {
  const ours = [];
  const naive = [];
  for (let i = 0; i < 9; i++) {
    // Another first line each time, so that nothing was read before.
    const proof_state = `x${i} : p\n${long_state}`;
    const params = { proof_state, num_suggestions: 8, temperature: 2, max_tokens: 24, seed: i };
    ours.push((await timed(() => ask(port, { method: "generate", params }))).time);
    naive.push((await timed(() => direct.naive(proof_state, 8))).time);
  }
  const ratio = median(ours) / median(naive);
  const shown = `${ratio.toFixed(2)} (${ms(median(ours))} against ${ms(median(naive))})`;
  row(
    "8 samples of one state with their scores, against 8 naive parallel samples without scores",
    "≤ 0.5",
    shown,
    ratio <= 0.5,
  );
}

async function cancelRows(port) {
  const wide = { proof_state: "h1 : p\n⊢ p → q", max_tokens: 1500, temperature: 2, num_suggestions: 32 };
  const deep = (i) => ({ proof_state: `x${i} : p\n${long_state}\n\n${long_state}`, goals: "all", max_tokens: 8 });
  for (const [what, paramsOf] of [
    ["while the model generates", (i) => ({ ...wide, seed: i * 1000 })],
    ["while the model reads the prompt", deep],
  ]) {
    const times = [];
    for (let i = 0; i < 15; i++) {
      const time = await cancelled(port, paramsOf(i));
      if (time !== undefined) times.push(time);
    }
    const value = median(times);
    row(
      `a cancel ${what}, until the model is free (${times.length} of 15 were in time)`,
      "≤ 200 ms",
      ms(value),
      value <= 200,
    );
  }
}

/** How long the daemon goes on after its client has left; undefined when it was done before. */
async function cancelled(port, params) {
  const socket = createConnection({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  socket.write(`${JSON.stringify({ method: "generate", params })}\n`);
  const running = async () => (await ask(port, { method: "status", params: {} })).queue.running;
  for (let i = 0; i < 50 && !(await running()); i++);
  if (!(await running())) return undefined;
  const start = performance.now();
  socket.resetAndDestroy();
  while (await running());
  return performance.now() - start;
}

function ask(port, request) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: "127.0.0.1", port, noDelay: true });
    socket.on("error", reject);
    createInterface({ input: socket }).once("line", (line) => {
      socket.destroy();
      resolve(JSON.parse(line));
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
}

/** llama.cpp in this process, as its own documentation has it. */
async function openDirect() {
  const installed = readdirSync(join(data, "lean")).find((name) => /^llama-\w+$/.test(name));
  const entry = join(data, "lean", installed, "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama } = await import(pathToFileURL(entry).href);
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, progressLogs: false, maxThreads: 1 });
  const model = await llama.loadModel({ modelPath: model_file });
  const context = await model.createContext({ contextSize: 2048, sequences: 8, threads: 1, batchSize: 512 });
  const sequences = Array.from({ length: 8 }, () => context.getSequence());
  const draw = async (sequence, tokens, temperature, seed) => {
    await sequence.clearHistory();
    const drawn = [];
    const options = { temperature, topK: 64, topP: 1, minP: 0, seed, yieldEogToken: true };
    for await (const { token } of sequence.evaluateWithMetadata(tokens, {}, options)) {
      if (model.isEogToken(token) || drawn.push(token) >= 24) break;
    }
    return drawn;
  };
  const greedy = async (state) => {
    const [sequence] = sequences;
    const prompt = model.tokenize(`${state}:::`);
    const full = [...prompt, ...(await draw(sequence, prompt, 0, 1)), model.tokens.eos];
    await sequence.adaptStateToTokens(full.slice(0, prompt.length - 1), false);
    const probes = full.slice(prompt.length - 1, -1).map((token, i) => {
      const filter = { tokens: [full[prompt.length + i]], includeSelected: true };
      return [token, { generateNext: { totalLogitWeight: true, options: { temperature: 0 }, logits: { filter } } }];
    });
    await sequence.controlledEvaluate(probes);
  };
  const naive = (state, count) => {
    const tokens = model.tokenize(`${state}:::`);
    return Promise.all(sequences.slice(0, count).map((sequence, i) => draw(sequence, tokens, 2, i)));
  };
  return { greedy, naive, close: () => llama.dispose() };
}

function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}
