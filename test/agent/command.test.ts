import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cli } from "../support/client.ts";
import { command } from "../support/command_line.ts";
import { type FakeServer, fakeServer, sendJson } from "../support/completions.ts";
import { scratchDirectory } from "../support/directories.ts";
import { quickest_z3 } from "../support/engines.ts";
import { serveHttp } from "../support/http.ts";
import { runs_all, some } from "../support/runs_all.ts";

const directory = scratchDirectory();

const smtlib = "(declare-const x Int)(assert (and (> x 3) (< x 5)))(check-sat)";
const question = "Which integer lies between 3 and 5?";
const solved = [
  { tool: "solve_smtlib", input: { smtlib } },
  { tool: "answer", input: { verdict: "sat", answer: "It is \u001b[31m4.", values: [{ name: "number", from: "x" }] } },
];
const agent = solved.map((call) => ({ calls: [call] }));
const script = join(directory, "script.json");
writeFileSync(
  script,
  JSON.stringify({ router: [{ calls: [{ tool: "route", input: { language: "smtlib", why: "numbers" } }] }], agent }),
);

/** Of the machine the tests use no key and no model. */
const keyless = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /_API_KEY$|^VERDICT_MODEL|^OLLAMA/.test(name))
    .map((name) => [name, undefined]),
);

/** `verdict ask` in the process of the test. */
async function verdictAsk(words: readonly string[], options: { env?: Record<string, string>; input?: string } = {}) {
  const { status, stdout, stderr } = await command(["ask", ...words], {
    ...options,
    env: { ...keyless, ...options.env },
  });
  return { code: status, stdout, stderr };
}

interface Pipe {
  readonly input?: string;
  /** Whether stdin stays open. */
  readonly is_open?: boolean;
  /** Ctrl-C, once this is on stderr or the time is over. */
  readonly interrupt?: RegExp;
  readonly interrupt_after_ms?: number;
}

/** The same in a process of its own, in a pipe. */
function askInPipe(args: readonly string[], pipe: Pipe) {
  const { input = "", is_open = false, interrupt = /$^/, interrupt_after_ms } = pipe;
  const env = { ...process.env, ...keyless, VERDICT_Z3: quickest_z3 };
  const child = spawn(process.execPath, [cli, "ask", ...args], { env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => {
    stderr += text;
    if (interrupt.test(stderr)) child.kill("SIGINT");
  });
  if (interrupt_after_ms !== undefined) setTimeout(() => child.kill("SIGINT"), interrupt_after_ms);
  if (is_open) child.stdin.write(input);
  else child.stdin.end(input);
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.on("close", (code) => done({ code, stdout, stderr })),
  );
}

describe("verdict ask", () => {
  const folder = join(directory, "kept");
  let kept_run: ReturnType<typeof verdictAsk> | undefined;
  /** One run, whatever of it a test looks at. */
  const savedAsJson = () => {
    kept_run ??= verdictAsk([question, "--model", `scripted:${script}`, "--json", "--no-review", "--save", folder]);
    return kept_run;
  };

  it("prints one object with --json, and nothing else on stdout", async () => {
    const { code, stdout } = await savedAsJson();
    expect(JSON.parse(stdout)).toMatchObject({
      status: "solved",
      verdict: { word: "sat" },
      values: { number: 4 },
      language: "smtlib",
      review: null,
    });
    expect(Object.keys(JSON.parse(stdout).statistics)).toEqual(
      expect.arrayContaining(["steps", "repairs", "tools", "tokens", "seconds"]),
    );
    expect(code).toBe(0);
  });

  it("prints plain text in a pipe, with calls on stderr, and no control characters of a model", async () => {
    const { stdout, stderr } = await askInPipe(["--model", `scripted:${script}`, "--no-review"], { input: question });
    expect(stdout).toContain("Decided: sat\nThe model's words:\n  | It is \\u001b[31m4.\n  number = 4\n");
    expect(stderr).toMatch(/solve_smtlib \d+ ms {2}; sat/);
    expect(stderr).toMatch(/tokens, agent/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(stdout + stderr).not.toMatch(/\u001b/);
  });

  it("hands data files to the tools by their names, and nothing beside them", async () => {
    const place = join(directory, "data");
    mkdirSync(place);
    writeFileSync(join(place, "staff.csv"), "name;hours\nAnna;38\nBen;20\n");
    writeFileSync(join(place, "secret.csv"), "key\nhush\n");
    const model = "1 { pick(N) : staff(N,_) } 1. #maximize { H : pick(N), staff(N,H) }. #show pick/1.";
    const turns = [
      { tool: "read_data", input: { files: ["secret.csv"] } },
      { tool: "read_data", input: { files: ["staff.csv"] } },
      { tool: "solve", input: { model, data_files: ["staff.csv"] } },
      { tool: "answer", input: { verdict: "optimal", answer: "Anna.", values: [{ name: "picked", from: "pick" }] } },
    ];
    const own = join(directory, "with_data.json");
    const route = (language: string) => ({ calls: [{ tool: "route", input: { language, why: "x" } }] });
    const agent = turns.map((call) => ({ calls: [call] }));
    writeFileSync(own, JSON.stringify({ router: [route("smtlib"), route("asp")], agent }));
    const words = ["Who works most?", "--file", join(place, "staff.csv"), "--model", `scripted:${own}`];
    const { code, stdout, stderr } = await verdictAsk([...words, "--no-review", "--json", "--verbose"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ status: "solved", language: "asp", values: { picked: [["Anna"]] } },
      model: expect.stringContaining('% data_files: ["staff.csv"]'),
      statistics: { tools: { read_data: { calls: 2, faults: 1 } } },
    });
    expect([code, stderr.includes("hush")]).toEqual([0, false]);
    // A command gets the file, too; a server that can't have it says so before any work.
    const named = (command: string) => [...words, "--no-review", "--json", "--language", "asp", "--mcp", command];
    writeFileSync(own, JSON.stringify({ agent: agent.slice(1) }));
    const by_command = await verdictAsk(named(`"${process.execPath}" "${cli}" serve`));
    expect(JSON.parse(by_command.stdout)).toMatchObject({ status: "solved", values: { picked: [["Anna"]] } });
    const elsewhere = `"${process.execPath}" "${cli}" serve --data-dir "${join(directory, "nowhere")}"`;
    const unread = await verdictAsk(named(elsewhere));
    expect([unread.code, unread.stderr]).toEqual([2, expect.stringContaining("can't read the data files")]);
    expect(JSON.parse(unread.stdout)).toMatchObject({ status: "failed", statistics: { steps: 0 } });
    const by_http = await verdictAsk(named("http://127.0.0.1:9/mcp"));
    expect([by_http.code, by_http.stderr]).toEqual([2, expect.stringContaining("did not accept staff.csv")]);
    const refused = await verdictAsk([...words, "--language", "smtlib"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("can't be read in smtlib")]);
    const missing = await verdictAsk(["x", "--file", join(place, "none.xlsx"), "--model", `scripted:${own}`]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("none.xlsx can't be read")]);
  });

  it("does not wait for ever for a problem on a pipe that stays open", async () => {
    const { code, stderr } = await askInPipe(["--model", `scripted:${script}`, "--timeout", "1"], {
      input: question,
      is_open: true,
    });
    expect(code).toBe(2);
    expect(stderr).toContain("The problem did not arrive on stdin");
  });

  it("is quiet with --quiet, and prints everything with --verbose", async () => {
    const quiet = await verdictAsk([question, "--model", `scripted:${script}`, "--no-review", "--quiet"]);
    expect(quiet.stderr).toBe("");
    const verbose = await verdictAsk([question, "--model", `scripted:${script}`, "--no-review", "--verbose"]);
    expect(verbose.stderr).toContain("(declare-const x Int)");
  });

  it("keeps the transcript, the model, the answer and the statistics with --save", async () => {
    await savedAsJson();
    expect(readdirSync(folder).toSorted()).toEqual([
      "answer.json",
      "model.smt2",
      "models",
      "question.md",
      "statistics.json",
      "transcript.jsonl",
    ]);
    for (const model of ["model.smt2", "models/1.smt2"])
      expect(readFileSync(join(folder, model), "utf8")).toBe(`${smtlib}\n`);
    const events = readFileSync(join(folder, "transcript.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(events).toEqual(expect.arrayContaining(["route", "call", "step"]));
  });

  it("uses the server that --mcp names", async () => {
    const named = `"${process.execPath}" "${cli}" serve`;
    const { stdout } = await verdictAsk([
      question,
      "--model",
      `scripted:${script}`,
      "--no-review",
      "--json",
      "--mcp",
      named,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved", values: { number: 4 } });
  });

  it("gives a command of --mcp no variables but the usual ones and those that --mcp-env names", async () => {
    const seen = join(directory, "variables.json");
    const program = join(directory, "server.mjs");
    writeFileSync(
      program,
      `import { writeFileSync } from "node:fs";
       writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));
       process.argv.splice(1, Infinity, ${JSON.stringify(cli)}, "serve", "--tools", "smtlib");
       await import(${JSON.stringify(cli)});`,
    );
    const { stdout } = await verdictAsk(
      [
        ...[question, "--model", `scripted:${script}`, "--no-review", "--json"],
        ...["--mcp", `"${process.execPath}" "${program}"`, "--mcp-env", "VERDICT_Z3", "--mcp-env", "ABSENT"],
      ],
      { env: { DATABASE_PASSWORD: "x", MY_CREDENTIAL: "x", OPENAI_API_KEY: "x" } },
    );
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved" });
    const variables = JSON.parse(readFileSync(seen, "utf8"));
    expect(variables).toMatchObject({ VERDICT_Z3: quickest_z3, PATH: process.env["PATH"] });
    for (const name of ["DATABASE_PASSWORD", "MY_CREDENTIAL", "OPENAI_API_KEY", "ABSENT"])
      expect(variables).not.toHaveProperty(name);
  });

  it("uses a server over HTTP with the token of VERDICT_MCP_TOKEN", async () => {
    const tokens = join(directory, "tokens.json");
    const token = `vt_${randomBytes(32).toString("base64url")}`;
    const sha256 = createHash("sha256").update(token).digest("hex");
    writeFileSync(tokens, JSON.stringify({ tokens: [{ name: "agent", scopes: ["solve"], sha256 }] }), { mode: 0o600 });
    const server = await serveHttp(["--tools", "smtlib", "--tokens", tokens], { VERDICT_Z3: quickest_z3 });
    const args = [question, "--model", `scripted:${script}`, "--no-review", "--json", "--mcp", server.url.href];
    const known = await verdictAsk(args, { env: { VERDICT_MCP_TOKEN: token } });
    const unknown = await verdictAsk(args, { env: { VERDICT_MCP_TOKEN: `${token}x` } });
    await server.end();
    expect(JSON.parse(known.stdout)).toMatchObject({ status: "solved", values: { number: 4 } });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("can't be reached")]);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ status: "failed", verdict: null });
    expect(unknown.stderr).not.toContain(token);
  });

  it("sends data files to a server over HTTP, with the token", async () => {
    const tokens = join(directory, "senders.json");
    const token = `vt_${randomBytes(32).toString("base64url")}`;
    const sha256 = createHash("sha256").update(token).digest("hex");
    writeFileSync(tokens, JSON.stringify({ tokens: [{ name: "agent", scopes: ["solve"], sha256 }] }), { mode: 0o600 });
    const csv = join(directory, "crew.csv");
    writeFileSync(csv, "name,hours\nAnna,38\nBen,20\n");
    const own = join(directory, "sent.json");
    const model = "1 { pick(N) : crew(N,_) } 1. #maximize { H : pick(N), crew(N,H) }. #show pick/1.";
    const turns = [
      { tool: "solve", input: { model, data_files: ["crew.csv"] } },
      { tool: "answer", input: { verdict: "optimal", answer: "Anna.", values: [{ name: "picked", from: "pick" }] } },
    ];
    writeFileSync(own, JSON.stringify({ agent: turns.map((call) => ({ calls: [call] })) }));
    const server = await serveHttp(["--tools", "model", "--tokens", tokens]);
    const args = ["Who works most?", "--file", csv, "--model", `scripted:${own}`, "--language", "asp", "--no-review"];
    const all = [...args, "--json", "--mcp", server.url.href];
    const known = await verdictAsk(all, { env: { VERDICT_MCP_TOKEN: token } });
    const unknown = await verdictAsk(all, { env: { VERDICT_MCP_TOKEN: `${token}x` } });
    await server.end();
    expect(JSON.parse(known.stdout)).toMatchObject({ status: "solved", values: { picked: [["Anna"]] } });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("did not accept crew.csv: HTTP 401")]);
  });

  const refused: [string, string[], string][] = [
    ["no problem", [], "There is no problem"],
    ["a file that is not there", ["--file", "nowhere.md"], "can't be read"],
    ["no model", ["x"], "ANTHROPIC_API_KEY"],
    ["an unknown provider", ["x", "--model", "antropic:a"], "write anthropic if you meant that"],
    [
      "a budget too small",
      ["x", "--model", `scripted:${script}`, "--budget-tokens", "20"],
      "is too small for the first step",
    ],
    [
      "no program as server",
      ["x", "--model", `scripted:${script}`, "--language", "z3", "--mcp", "/nowhere/at-all"],
      "can't be reached",
    ],
    ["an empty file", ["--file", "/dev/null"], "There is no problem"],
    ["no key", ["x", "--model", "openai:a"], "OPENAI_API_KEY is not set"],
    ["no address", ["x", "--model", "compatible:a"], "VERDICT_MODEL_URL"],
    [
      "no server",
      ["x", "--model", `scripted:${script}`, "--language", "z3", "--mcp", "http://127.0.0.1:9/mcp"],
      "can't be reached",
    ],
    ["a place where nothing can be saved", ["x", "--model", `scripted:${script}`, "--save", "/dev/null/x"], "--save"],
  ];
  it.each(some(refused, 6))("says what is wrong with %s, in one sentence, with exit code 2", async (_, args, words) => {
    const { code, stdout, stderr } = await verdictAsk(args);
    expect(stderr).toContain(words);
    expect(stderr.trim().split("\n")).toHaveLength(2);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("prints an object with --json whatever is wrong", async () => {
    const { code, stdout } = await verdictAsk([question, "--model", "compatible:a", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ status: "failed", reason: expect.stringContaining("address"), verdict: null, answer: null, model: null },
      statistics: { steps: 0 },
    });
    expect(code).toBe(2);
  });

  it("ends at Ctrl-C while it reads the problem", async () => {
    const run = (interrupt_after_ms: number) =>
      askInPipe(["--model", `scripted:${script}`, "--json"], { input: question, is_open: true, interrupt_after_ms });
    let interrupted = await run(1_000);
    // A process that has not come so far as to listen is ended by the signal itself.
    for (const wait_ms of [4_000, 16_000, 60_000]) if (interrupted.code === null) interrupted = await run(wait_ms);
    const { code, stdout } = interrupted;
    expect(JSON.parse(stdout)).toMatchObject({ status: "interrupted" });
    expect(code).toBe(130);
  });

  const unread: [string, string, (path: string) => void][] = [
    ["a pipe without a writer", "is a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a text in another encoding", "UTF-8", (path) => writeFileSync(path, Buffer.from("x > \u00bd", "latin1"))],
    ["a binary file", "not UTF-8 text", (path) => writeFileSync(path, Buffer.from([0x50, 0x4b, 0, 3, 0xff]))],
  ];
  it.each(some(unread, 2))("refuses %s as its file", async (name, words, make) => {
    const path = join(directory, name);
    make(path);
    const { code, stderr } = await verdictAsk(["--file", path, "--model", `scripted:${script}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it("prints its answer though it can't be saved, and says so", async () => {
    const folder = join(directory, "occupied");
    mkdirSync(join(folder, "answer.json"), { recursive: true });
    const args = [question, "--model", `scripted:${script}`, "--no-review", "--json", "--save", folder];
    const { code, stdout, stderr } = await verdictAsk(args);
    expect(JSON.parse(stdout)).toMatchObject({ status: "solved" });
    expect([code, stderr]).toEqual([1, expect.stringContaining("Not everything was saved")]);
  });

  // The server over HTTP above is asked in the same way.
  if (runs_all)
    it("leaves no session at a server over HTTP", async () => {
      const tokens = join(directory, "admin.json");
      const token = `vt_${randomBytes(32).toString("base64url")}`;
      const sha256 = createHash("sha256").update(token).digest("hex");
      const scopes = ["solve", "admin"];
      writeFileSync(tokens, JSON.stringify({ tokens: [{ name: "agent", scopes, sha256 }] }), { mode: 0o600 });
      const server = await serveHttp(["--tools", "smtlib", "--tokens", tokens], { VERDICT_Z3: quickest_z3 });
      const { stdout } = await verdictAsk(
        [question, "--model", `scripted:${script}`, "--no-review", "--json", "--mcp", server.url.href],
        { env: { VERDICT_MCP_TOKEN: token } },
      );
      const headers = { authorization: `Bearer ${token}` };
      const metrics = await (await fetch(new URL("/metrics", server.url), { headers })).text();
      await server.end();
      expect(JSON.parse(stdout)).toMatchObject({ status: "solved" });
      expect(metrics).toMatch(/^verdict_sessions 0$/m);
    });

  it("shows how to do without a key", async () => {
    expect((await verdictAsk(["x"])).stderr).toContain("ollama pull");
  });

  it("refuses a giant file without reading it whole", async () => {
    const giant = join(directory, "giant.md");
    writeFileSync(giant, "x".repeat(5_000_000));
    const { code, stderr } = await verdictAsk(["--file", giant, "--model", `scripted:${script}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("characters")]);
  });
});

describe("verdict ask with a provider", () => {
  const answered: FakeServer[] = [];
  afterAll(() => {
    for (const server of answered) server.close();
  });
  const serving = async (answer: Parameters<typeof fakeServer>[0]) => {
    const server = await fakeServer(answer);
    answered.push(server);
    return {
      server,
      args: [
        question,
        "--model",
        "compatible:test",
        "--model-url",
        `${server.url}/v1`,
        "--language",
        "smtlib",
        "--no-review",
        "--json",
      ],
    };
  };

  it("speaks chat completions with tools, sends the key of the environment, and counts tokens", async () => {
    let at = 0;
    const { server, args } = await serving((_, __, response) => {
      const { tool, input } = solved[at++] ?? { tool: "answer", input: {} };
      const call = { id: `c${at}`, type: "function", function: { name: tool, arguments: JSON.stringify(input) } };
      sendJson(response, {
        ...{ id: "1", created: 1, model: "test", object: "chat.completion" },
        choices: [
          { index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: [call] } },
        ],
        usage: {
          prompt_tokens: 70,
          completion_tokens: 7,
          total_tokens: 77,
          prompt_tokens_details: { cached_tokens: 30 },
        },
      });
    });
    const { stdout } = await verdictAsk(args, { env: { VERDICT_MODEL_KEY: "secret-key" } });
    expect(JSON.parse(stdout)).toMatchObject({
      status: "solved",
      values: { number: 4 },
      statistics: { tokens: { agent: { input: 140, output: 14, cached: 60 } }, tokens_estimated: false },
    });
    expect(server.headers[0]?.["authorization"]).toBe("Bearer secret-key");
    expect(stdout).not.toContain("secret-key");
  });

  const failures: [string, number][] = [
    ["429 for ever", 429],
    ["an answer that breaks off", 200],
    ["500 for ever", 500],
  ];
  it.each(some(failures, 2))("ends in a clear state at %s", async (_, status) => {
    const { args } = await serving((__, ___, response) => {
      if (status !== 200) return void response.writeHead(status, { "retry-after-ms": "5" }).end("{}");
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
      response.write('{"id": "1", "choices": [');
      setTimeout(() => response.destroy(), 20);
    });
    const { code, stdout } = await verdictAsk(args);
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", verdict: null, answer: null });
    expect(code).toBe(2);
  });

  it("shows what the provider says, and not the key that it quotes", async () => {
    const { args } = await serving((_, __, response) =>
      sendJson(response, { error: { message: "no such option for secret-key" } }, 400),
    );
    const { stdout } = await verdictAsk(args, { env: { VERDICT_MODEL_KEY: "secret-key" } });
    expect(JSON.parse(stdout).reason).toContain("no such option for (the key)");
  });

  it("gives up on an answer without an end", async () => {
    let sent = 0;
    const { args } = await serving((_, __, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = " ".repeat(1_000_000);
      const send = () => {
        while (!response.destroyed && sent < 200_000_000 && response.write(piece)) sent += piece.length;
      };
      response.on("drain", send);
      send();
    });
    const { stdout } = await verdictAsk(args);
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", verdict: null });
    expect(sent).toBeLessThan(100_000_000);
  });

  it("ends at Ctrl-C, and prints what is known", async () => {
    const { args } = await serving((_, { messages }, response) => {
      if (Array.isArray(messages) && messages.length > 2) return;
      const call = {
        id: "c",
        type: "function",
        function: { name: "solve_smtlib", arguments: JSON.stringify({ smtlib }) },
      };
      sendJson(response, {
        ...{ id: "1", created: 1, model: "test", object: "chat.completion" },
        choices: [
          { index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: [call] } },
        ],
      });
    });
    const { code, stdout } = await askInPipe(args, { interrupt: /solve_smtlib \d+ ms/ });
    expect(JSON.parse(stdout)).toMatchObject({ status: "interrupted", verdict: null, last_result: { status: "sat" } });
    expect(code).toBe(130);
  });
});

describe("verdict bench-agent", () => {
  const run = (args: readonly string[]) => command(["bench-agent", ...args], { env: keyless });
  const out = join(directory, "results.jsonl");
  const common = ["--model", "scripted:test/fixtures/conversations", "--out", out, "--only", "smtlib_"];

  it("asks the problems of a folder, prints a table, and goes on where it stopped", async () => {
    const first = await run(["problems", ...common, "--no-review"]);
    expect(first.stdout).toMatch(/smtlib\s+4\/4\s+4\/4\s+1\/1/);
    expect(first.status).toBe(0);
    const [line = "", ...others] = readFileSync(out, "utf8").trim().split("\n");
    expect(others).toHaveLength(3);
    // One result was kept whole, the next one was cut off when the run was killed.
    writeFileSync(out, `${line}\n${others[0]?.slice(0, 30)}`);
    const second = await run(["problems", ...common, "--no-review"]);
    expect(second.stderr.match(/^smtlib_\w+: solved/gm)).toHaveLength(3);
    expect(second.stdout).toMatch(/all\s+4\/4\s+4\/4/);
  });

  it("asks again where the provider failed, and where a setting is another one", async () => {
    const [line = "", ...others] = readFileSync(out, "utf8").trim().split("\n");
    writeFileSync(out, `${[line.replace('"status":"solved"', '"status":"failed"'), ...others].join("\n")}\n`);
    const again = await run(["problems", ...common, "--no-review"]);
    expect(again.stderr.match(/^smtlib_\w+: solved/gm)).toHaveLength(1);
    if (!runs_all) return;
    const other = await run(["problems", ...common, "--no-review", "--max-steps", "25"]);
    expect(other.stderr.match(/^smtlib_\w+: solved/gm)).toHaveLength(4);
  });

  it("says what is wrong with a folder", async () => {
    const { status, stderr } = await run([directory, ...common]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("can't be used")]);
  });
});
