import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { LeanRepl } from "../../src/engines/lean_repl/index.ts";
import { isProof, ReplyReader } from "../../src/engines/lean_repl/read.ts";
import { Deadline } from "../../src/kernel/deadline.ts";
import { Children } from "../../src/kernel/process/child.ts";
import { judge } from "../../src/tools/lean/outcome.ts";
import { drive } from "../../src/tools/lean/search/drive.ts";
import { ReplChecker } from "../../src/tools/lean/search/repl_checker.ts";
import { beginSearch } from "../../src/tools/lean/search/search.ts";
import { removeDirectory } from "../support/directories.ts";
import { faultOf } from "../support/faults.ts";
import { freePort } from "../support/ports.ts";
import { gone_ms_max, until } from "../support/processes.ts";
import { openTools } from "../support/tools.ts";

/**
 * The talk with Lean's REPL, on dialogues written from the protocol's documented form and replayed: no Lean runs
 * here, and nothing here is proved. The last test runs a real one, where lake is on PATH.
 */
const theorem = "theorem t (p q : Prop) : p ∧ q → q";
const pos = { line: 1, column: 0 };
const sorry = { severity: "warning", data: "declaration uses 'sorry'", pos, endPos: pos };
const stated = {
  request: { cmd: `${theorem} := by sorry` },
  reply: {
    sorries: [{ proofState: 0, pos, endPos: pos, goal: "p q : Prop\n⊢ p ∧ q → q" }],
    messages: [sorry],
    env: 0,
  },
};
const tactic = (text: string, proofState: number, reply: unknown) => ({ request: { tactic: text, proofState }, reply });
const intro = tactic("intro h", 0, {
  proofState: 1,
  proofStatus: "Incomplete: open goals remain",
  goals: ["p q : Prop\nh : p ∧ q\n⊢ q"],
});
const done = tactic("exact h.2", 1, { proofState: 2, proofStatus: "Completed", goals: [] });
const compiled = { request: { cmd: `${theorem} := by\n  intro h\n  exact h.2` }, reply: { env: 1 } };
const axioms = (data: string) => ({
  request: { cmd: "#print axioms t", env: 1 },
  reply: { env: 2, messages: [{ severity: "info", data, pos, endPos: pos }] },
});
const clean = axioms("'t' does not depend on any axioms");

let project: string;
let children: Children;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "verdict-lake-"));
  children = new Children(process.env, tmpdir());
});
afterEach(() => {
  children.stopAll();
  removeDirectory(project);
});

const job = (left_ms = 120_000, signal = new AbortController().signal) => new Deadline(left_ms, signal);

function replayed(...dialogue: unknown[]): LeanRepl {
  writeFileSync(join(project, "dialogue.json"), JSON.stringify(dialogue));
  const PATH = `${resolve("test/fixtures/lean")}${delimiter}${process.env["PATH"] ?? ""}`;
  const config = readConfig({}, { ...process.env, PATH, VERDICT_LEAN_PROJECT: project });
  return new LeanRepl({ config, children });
}

const asked = () =>
  readFileSync(join(project, "asked"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the talk with Lean's REPL (replayed)", () => {
  it("states a theorem, tries tactics from its state, and reports goals and failures", async () => {
    const fails = tactic("omega", 0, { message: "Lean error:\nomega could not prove the goal" });
    const checker = await ReplChecker.open(replayed(stated, intro, done, fails), `${theorem} := by`, job());
    expect(checker.root).toBe("p q : Prop\n⊢ p ∧ q → q");
    const items = await checker.attempt([], ["intro h", "omega"], job());
    if (items === "expired") throw new Error("expired");
    expect(items.map((item) => judge(item, checker.root))).toMatchObject([
      { tactic: "intro h", verdict: "progress", state: "p q : Prop\nh : p ∧ q\n⊢ q" },
      { tactic: "omega", verdict: "failed", message: "Lean error:\nomega could not prove the goal" },
    ]);
    expect(await checker.attempt(["intro h"], ["exact h.2"], job())).toMatchObject([{ proof_status: "Completed" }]);
    checker.close();
  });

  it("imports once, and puts several lines into brackets", async () => {
    const imports = { request: { cmd: "import Mathlib\nimport Aesop" }, reply: { env: 7 } };
    const within = { ...stated, request: { ...stated.request, env: 7 } };
    const both = tactic("(\n  intro h\n  exact h.2\n)", 0, { proofState: 1, proofStatus: "Completed", goals: [] });
    const text = `import Mathlib\nimport Aesop\n${theorem}`;
    const checker = await ReplChecker.open(replayed(imports, within, both), text, job());
    expect(await checker.attempt([], ["intro h\nexact h.2"], job())).toMatchObject([{ proof_status: "Completed" }]);
    expect(asked()).toHaveLength(3);
    checker.close();
  });

  it("ends a tactic that never ends, and goes on in a new process, from the same place", async () => {
    const stuck = tactic("decide", 1, "hang");
    const checker = await ReplChecker.open(replayed(stated, intro, stuck, done), theorem, job());
    await checker.attempt([], ["intro h"], job());
    expect(await checker.attempt(["intro h"], ["decide"], job(300))).toBe("expired");
    expect(await checker.attempt(["intro h"], ["exact h.2"], job())).toMatchObject([{ proof_status: "Completed" }]);
    // The new process got the theorem and the path again.
    expect(asked().slice(-3)).toEqual([stated.request, intro.request, done.request]);
    checker.close();
  });

  it("looks at the axioms of the last theorem", async () => {
    const before = `theorem a : True := trivial\n\n${theorem}`;
    const other = { cmd: `${before} := by\n  intro h\n  exact h.2` };
    const dialogue = [{ ...stated, request: { cmd: `${before} := by sorry` } }, { ...compiled, request: other }, clean];
    const checker = await ReplChecker.open(replayed(...dialogue), before, job());
    expect(await checker.confirm(["intro h", "exact h.2"], job())).toBe(true);
    expect(asked().at(-1)).toEqual(clean.request);
    checker.close();
  });

  it("is a fault when the process dies, with its last words", async () => {
    const checker = await ReplChecker.open(replayed(stated, tactic("simp", 0, "die")), theorem, job());
    const fault = await faultOf(checker.attempt([], ["simp"], job()));
    expect(fault).toMatchObject({ code: "engine_failed", error: "Lean's REPL ended: killed." });
    checker.close();
  });

  it.each([
    ["floods", "flood"],
    ["answers one request twice", [done.reply, done.reply]],
    ["says what is not a reply", ["no object"]],
  ])("ends a process that %s, and proves nothing by it", async (_, reply) => {
    const checker = await ReplChecker.open(replayed(stated, tactic("simp", 0, reply), done), theorem, job());
    const tried = () => checker.attempt([], ["simp"], job());
    // A reply that came before the one too many may be heard; the next request finds no process.
    const fault = await faultOf(tried().then(tried));
    expect(fault.code).toBe("engine_failed");
    expect(await until(() => children.count === 0, gone_ms_max)).toBe(true);
    checker.close();
  });

  it("ends its process with the call that is given up", async () => {
    const checker = await ReplChecker.open(replayed(stated, tactic("simp", 0, "hang")), theorem, job());
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 50);
    expect(await faultOf(checker.attempt([], ["simp"], job(120_000, cancel.signal)))).toMatchObject({
      code: "cancelled",
    });
    expect(await until(() => children.count === 0, gone_ms_max)).toBe(true);
    checker.close();
  });

  it.each([
    'run_tac IO.println "x"',
    "exact foo\naxiom foo : False",
    "simp\n#eval 1",
    "open Foo in simp",
    "have : IO.FS.Stream := default",
    'have : include_str "/etc/passwd" = "" := by decide',
    "run_elab skip",
  ])("does not try what could do more than prove: %s", async (text) => {
    const checker = await ReplChecker.open(replayed(stated), theorem, job());
    const [item] = (await checker.attempt([], [text], job())) ?? [];
    if (item === undefined || typeof item === "string") throw new Error("no item");
    expect(judge(item, checker.root).verdict).toBe("failed");
    expect(await checker.confirm([text], job())).toBe(false);
    expect(asked()).toHaveLength(1);
    checker.close();
  });

  it.each([
    `#eval IO.println "x"\n${theorem}`,
    `run_cmd logInfo "x"\n${theorem}`,
    `elab "#print" "axioms" ident : command => pure ()\n${theorem}`,
    'theorem t : include_str "/etc/passwd" = ""',
    "theorem t : (by run_tac pure (); exact True)",
  ])("starts no Lean for a statement that could do more than state: %s", async (text) => {
    const fault = await faultOf(ReplChecker.open(replayed(), text, job()));
    expect(fault).toMatchObject({ code: "invalid_input", error: expect.stringContaining("it was not sent") });
    expect(children.count).toBe(0);
  });

  it("refuses text that states no theorem, and a statement that Lean does not take", async () => {
    expect(await faultOf(ReplChecker.open(replayed(), "p → p", job()))).toMatchObject({ code: "invalid_input" });
    const error = { severity: "error", data: "unknown identifier 'p'", pos, endPos: pos };
    const repl = replayed({ request: stated.request, reply: { env: 0, messages: [error] } });
    const fault = await faultOf(ReplChecker.open(repl, theorem, job()));
    expect(fault.error).toBe("Lean rejects the theorem: unknown identifier 'p'.");
    const [open] = stated.reply.sorries;
    const second = replayed({
      request: stated.request,
      reply: { env: 0, sorries: [open, { ...open, proofState: 1 }] },
    });
    expect((await faultOf(ReplChecker.open(second, theorem, job()))).error).toContain("a sorry before its end");
    // A Lean that is not needed any more is ended.
    expect(await until(() => children.count === 0, gone_ms_max)).toBe(true);
  });
});

describe("a search in Lean (replayed)", () => {
  const draw = async (state: string) =>
    (state.includes("h : p ∧ q\n") ? ["exact h.2"] : ["intro h"]).map((text) => ({ tactic: text, score: -1 }));
  const budget = { nodes_max: 10, depth_max: 5, depth_reward: 0 };
  const search = async (repl: LeanRepl) => {
    const checker = await ReplChecker.open(repl, theorem, job());
    try {
      return await drive(beginSearch(checker.root, budget), { checker, draw, onStep: async () => {} }, job());
    } finally {
      checker.close();
    }
  };

  it("counts a proof only after the whole theorem was compiled, with its axioms looked at", async () => {
    const { verdict, search: after } = await search(replayed(stated, intro, done, compiled, clean));
    const script = ["intro h", "exact h.2"];
    expect(verdict).toEqual({ kind: "proven", proof: { script } });
    expect(after.ends).toEqual([{ script, confirmed: true }]);
    expect(asked().at(-1)).toEqual({ cmd: "#print axioms t", env: 1 });
  });

  it.each([
    ["it stands on sorryAx", compiled, axioms("'t' depends on axioms: [propext, sorryAx]")],
    ["it trusts the compiler", compiled, axioms("'t' depends on axioms: [propext, Lean.ofReduceBool]")],
    ["the axioms are another theorem's", compiled, axioms("'u' does not depend on any axioms")],
    [
      "the whole does not compile",
      { ...compiled, reply: { env: 1, messages: [{ severity: "error", data: "unsolved goals", pos, endPos: pos }] } },
      clean,
    ],
    [
      "it uses sorry in other words",
      { ...compiled, reply: { env: 1, messages: [{ ...sorry, data: "declaration `t` uses `sorry`" }] } },
      clean,
    ],
    ["it uses sorry", { ...compiled, reply: { env: 1, messages: [sorry] } }, clean],
  ])("does not, when %s", async (_, whole, printed) => {
    const { verdict } = await search(replayed(stated, intro, done, whole, printed));
    expect(verdict).toMatchObject({ kind: "undecided", cause: "incomplete" });
  });
});

it("bfs_search_step proves a theorem with the server's own Lean (replayed), and says that it did", async () => {
  const port = await freePort();
  const reply = `${JSON.stringify({ tactics: ["exact h.2", "intro h"], time: 0.1, status: "success" })}\n`;
  const daemon = createServer((socket) => void socket.on("error", () => {}).once("data", () => socket.end(reply)));
  await new Promise<void>((up) => daemon.listen(port, "127.0.0.1", up));
  const fails = { message: "Lean error:\nunknown identifier 'h'" };
  const again = tactic("intro h", 1, { message: "Lean error:\nno binder" });
  replayed(stated, tactic("exact h.2", 0, fails), intro, done, again, compiled, clean);
  const PATH = `${resolve("test/fixtures/lean")}${delimiter}${process.env["PATH"] ?? ""}`;
  const own = {
    PATH,
    VERDICT_LEAN_PROJECT: project,
    VERDICT_LEAN_MODEL: "",
    VERDICT_DATA: project,
    TACTIC_SERVER_PORT: String(port),
  };
  const tools = openTools(readConfig({ tools: "lean" }, { ...process.env, ...own }));
  const silent = openTools(readConfig({ tools: "lean" }, { ...process.env, ...own, TACTIC_SERVER_PORT: "1" }));
  try {
    // A fault in the middle names the search, which goes on where it was.
    const fault = await faultOf(silent.call("bfs_search_step", { theorem, nodes_max: 9 }));
    expect(fault).toMatchObject({ status: "daemon_down", search_id: expect.stringMatching(/^[0-9a-f]{12}$/) });
    const again = { theorem, search_id: fault["search_id"] };
    expect(await tools.call("bfs_search_step", again)).toMatchObject({
      ...{ search_id: fault["search_id"] },
      confirmed: true,
    });
    const answer = await tools.call("bfs_search_step", { theorem });
    expect(answer).toMatchObject({ status: "proof_found", confirmed: true, script: "intro h\nexact h.2", expanded: 2 });
  } finally {
    tools.close();
    silent.close();
    daemon.close();
  }
});

describe("what the REPL prints", () => {
  it("is read in any pieces", () => {
    const text = `${JSON.stringify(stated.reply, null, 1)}\n\n${JSON.stringify(intro.reply, null, 2)}\r\n\r\n`;
    for (const size of [1, 7, 1000]) {
      const reader = new ReplyReader();
      const replies = [];
      for (let at = 0; at < text.length; at += size) replies.push(...reader.take(text.slice(at, at + size)));
      expect(replies).toEqual([stated.reply, intro.reply]);
    }
  });

  it("is a proof with the usual axioms, whose list may be broken into lines", () => {
    const reply = (data: string) => ({ messages: [{ severity: "info", data }] });
    expect(isProof("t", {}, reply("'t' depends on axioms: [propext,\n Classical.choice,\n Quot.sound]"))).toBe(true);
    expect(isProof("t", {}, {})).toBe(false);
    expect(isProof("t", { message: "Unknown environment." }, reply("'t' does not depend on any axioms"))).toBe(false);
  });
});

const lake = (process.env["PATH"] ?? "").split(delimiter).some((place) => existsSync(join(place, "lake")));
const real_project = process.env["VERDICT_LEAN_PROJECT"];

// Only where there is a Lean with a built REPL; elsewhere this is named here and nowhere called proved.
if (lake && real_project) {
  describe("a real Lean", () => {
    it("proves and refuses", { timeout: 300_000 }, async () => {
      const checker = await ReplChecker.open(new LeanRepl({ config: readConfig({}), children }), theorem, job(200_000));
      expect(await checker.attempt([], ["intro h"], job())).toMatchObject([
        { goals: [expect.stringContaining("⊢ q")] },
      ]);
      expect(await checker.confirm(["intro h", "exact h.2"], job())).toBe(true);
      expect(await checker.confirm(["intro h", "exact h.1"], job())).toBe(false);
      checker.close();
    });
  });
} else console.log("A real Lean was not run: no lake on PATH, or no project in VERDICT_LEAN_PROJECT.");
