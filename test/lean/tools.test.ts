import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { lean_limits } from "../../src/tools/lean/limits.ts";
import { connect } from "../support/client.ts";
import { faultOf } from "../support/faults.ts";
import { fixture } from "../support/fixture.ts";
import { generate, openHome, plainClient } from "../support/lean.ts";
import { openTools } from "../support/tools.ts";
import { multiAttempt } from "../support/toy_checker.ts";

const state = "h1 : p\n⊢ p → q → p";

const home = fixture(openHome);
const tools = fixture(() => openTools(home.config));

const Step = z.looseObject({
  search_id: z.string(),
  status: z.string(),
  snippets: z.array(z.string()),
  script: z.string().nullable(),
});
const Suggested = z.looseObject({ tactics: z.array(z.string()) });
const Drawn = z.looseObject({
  suggestions: z.array(z.looseObject({ tactic: z.string(), failed_before: z.boolean().optional() })),
});

describe("bfs_suggest_tactics", () => {
  it("starts the daemon by itself, and answers with the source's fields", async () => {
    expect(await tools.call("bfs_daemon_status")).toMatchObject({ status: "stopped", port: home.port, pid: null });
    const answer = await tools.call("bfs_suggest_tactics", {
      proof_state: state,
      num_suggestions: 5,
      temperature: 0.7,
      max_tokens: 128,
      format: "json",
    });
    expect(answer).toMatchObject({
      generation_time: expect.any(Number),
      daemon_status: "running",
      model_info: "toy tactics",
      timed_out: false,
    });
    expect(Suggested.parse(answer).tactics.length).toBeGreaterThan(0);
    expect(await tools.call("bfs_daemon_status")).toMatchObject({
      status: "running",
      port: home.port,
      pid: expect.any(Number),
      uptime_seconds: expect.any(Number),
      model_loaded: true,
    });
  });

  it("takes what lean_goal answers, and begins each tactic with the given prefix", async () => {
    const proof_state = { line_context: "sorry", goals: [state, "⊢ q"], status: "goals" };
    const { tactics } = Suggested.parse(
      await tools.call("bfs_suggest_tactics", { proof_state, prefix: "intro h", temperature: 1.3 }),
    );
    expect(tactics.length).toBeGreaterThan(0);
    expect(tactics.filter((tactic) => !tactic.startsWith("intro h"))).toEqual([]);
  });

  it("is about the first goal unless all are wanted", async () => {
    const asked = { proof_state: state, seed: 31 };
    const two = { proof_state: [`case inl\n${state}`, "case inr\n⊢ q"], seed: 31 };
    const first = await tools.call("bfs_suggest_tactics", asked);
    // The same question as before, so that it is answered out of the memory.
    expect(await tools.call("bfs_suggest_tactics", two)).toMatchObject({ cached: true, tactics: first["tactics"] });
    expect(await tools.call("bfs_suggest_tactics", { ...two, goals: "all" })).toMatchObject({ cached: false });
    const plain = await plainClient(home.port, generate({ proof_state: `${state}\n\n⊢ q`, seed: 31 }));
    expect(plain).toMatchObject({ cached: true, tactics: first["tactics"] });
  });

  it("answers for more states in the same call, and says which one is none", async () => {
    const answer = await tools.call("bfs_suggest_tactics", { proof_state: state, more_states: ["⊢ p ∧ q", ""] });
    expect(answer["more"]).toMatchObject([{ tactics: expect.any(Array) }, { tactics: [], error: expect.any(String) }]);
  });

  it.each([
    [{ proof_state: "" }, "Proof state must be a non-empty string"],
    [{ proof_state: 5 }, "Invalid proof state format"],
    [{}, "Invalid proof state format"],
    [{ proof_state: state, num_suggestions: 0 }, "num_suggestions must be a whole number from 1 to 32."],
    [{ proof_state: state, temperature: 2.1 }, "temperature must be a number from 0 to 2."],
    [{ proof_state: state, prompt: "gpt" }, "prompt must be one of bfs-prover, llmstep, chat."],
    [{ proof_state: state, n: 5 }, 'Unknown argument "n"'],
    [{ proof_state: `⊢ ${"p ∧ ".repeat(2000)}q` }, "more than the 2048 of the context"],
  ])("is invalid_input with a suggestion for %j", async (args, words) => {
    const fault = await faultOf(tools.call("bfs_suggest_tactics", args));
    expect(fault).toMatchObject({ status: "invalid_input", code: "invalid_input", suggestion: expect.any(String) });
    expect(fault.error).toContain(words);
  });

  it("is given up with its call", async () => {
    const cancel = new AbortController();
    const args = { proof_state: state, max_tokens: 1500, temperature: 2, num_suggestions: 32, seed: 99 };
    const progress = (message: string) => void (message.includes("is working") && setImmediate(() => cancel.abort()));
    const asked = tools.call("bfs_suggest_tactics", args, { signal: cancel.signal, progress });
    expect(await faultOf(asked)).toMatchObject({ code: "cancelled" });
  });
});

describe("bfs_evaluate_tactic", () => {
  it("scores a tactic alone and among rivals", async () => {
    const answer = await tools.call("bfs_evaluate_tactic", {
      proof_state: state,
      tactic: "intro h2",
      rivals: ["constructor", "zzz zzz zzz"],
    });
    expect(answer).toMatchObject({ tactic: "intro h2", rank: 1, scores: "exact", model_info: "toy tactics" });
    const alone = await tools.call("bfs_evaluate_tactic", { proof_state: state, tactic: "intro h2" });
    expect(alone["confidence_score"]).toBeCloseTo(Number(answer["confidence_score"]), 4);
    // By token, so that a long tactic is not worth less for its length; the probability is of all of it.
    const [logprob, tokens] = [Number(alone["logprob"]), Number(alone["tokens"])];
    expect(tokens).toBeGreaterThan(1);
    expect(alone["confidence_score"]).toBeCloseTo(Math.exp(logprob / tokens), 5);
    expect(alone["probability"]).toBeCloseTo(Math.exp(logprob), 9);
    const last = await tools.call("bfs_evaluate_tactic", {
      proof_state: state,
      tactic: "zzz zzz zzz",
      rivals: ["intro h2", "constructor"],
    });
    expect(last["rank"]).toBe(3);
    expect(alone["note"]).toContain("Only Lean shows");
  });

  it.each([[{ proof_state: state }], [{ proof_state: state, tactic: " " }], [{ proof_state: "", tactic: "simp" }]])(
    "is invalid_input for %j",
    async (args) => {
      expect(await faultOf(tools.call("bfs_evaluate_tactic", args))).toMatchObject({ code: "invalid_input" });
    },
  );
});

describe("without a daemon", () => {
  it("and without a model the answer is how to get one", async () => {
    const config = { ...home.config, tactics: { ...home.config.tactics, model: undefined, port: 1 } };
    const alone = openTools(config);
    const fault = await faultOf(alone.call("bfs_suggest_tactics", { proof_state: state }));
    expect(fault).toMatchObject({
      status: "daemon_down",
      code: "daemon_down",
      suggestion: "Run 'verdict daemon start' to start the daemon",
    });
    expect(fault.remedy).toContain("BFS-Prover-V2-7B");
    expect(fault.remedy).toContain("VERDICT_LEAN_MODEL");
    expect(await alone.call("bfs_daemon_status")).toMatchObject({ status: "stopped" });
    alone.close();
  });

  it("of this server's model, the one that runs is told apart", async () => {
    await tools.call("bfs_suggest_tactics", { proof_state: state });
    expect((await tools.call("bfs_daemon_status"))["note"]).toBeUndefined();
    const alone = openTools({ ...home.config, tactics: { ...home.config.tactics, model: "/other.gguf" } });
    expect((await alone.call("bfs_daemon_status"))["note"]).toContain("was started with other settings");
    alone.close();
  });

  it("a host that is not this machine is reported, and none is started for it", async () => {
    const config = { ...home.config, tactics: { ...home.config.tactics, host: "192.0.2.1", timeout_ms: 500 } };
    const alone = openTools(config);
    const fault = await faultOf(alone.call("bfs_suggest_tactics", { proof_state: state }));
    expect(fault.code).toBe("daemon_down");
    alone.close();
  });

  it("a missing model file is reported when it is needed", async () => {
    const other = await openHome({ VERDICT_LEAN_MODEL: "/nowhere/model.gguf" });
    const alone = openTools(other.config);
    const fault = await faultOf(alone.call("bfs_suggest_tactics", { proof_state: state }));
    expect(fault).toMatchObject({ status: "error", code: "engine_missing", suggestion: expect.any(String) });
    expect(fault.error).toBe("The model file /nowhere/model.gguf does not exist (VERDICT_LEAN_MODEL).");
    expect(await alone.call("bfs_daemon_status")).toMatchObject({
      status: "running",
      model_loaded: false,
      state: "failed",
      model_error: "The model file /nowhere/model.gguf does not exist (VERDICT_LEAN_MODEL).",
    });
    alone.close();
    await other.close();
  });

  it("a time that is over before anything can answer is a timeout, not a daemon that is down", async () => {
    const hasty = openTools({ ...home.config, tactics: { ...home.config.tactics, port: 1, timeout_ms: 0 } });
    const fault = await faultOf(hasty.call("bfs_suggest_tactics", { proof_state: "h1 : q\n⊢ q" }));
    expect(fault.code).toBe("timeout");
    hasty.close();
  });

  it("a model that takes longer than the client waits is a timeout", async () => {
    const config = { ...home.config, tactics: { ...home.config.tactics, timeout_ms: 20 } };
    const hasty = openTools(config);
    const args = { proof_state: "h1 : q\n⊢ q", max_tokens: 1500, temperature: 2, num_suggestions: 32 };
    const end = await hasty.call("bfs_suggest_tactics", args).then(
      (answer) => answer,
      (thrown) => thrown.report(),
    );
    // Partial work is an answer with a note; no work is a fault.
    expect(end["timed_out"] ?? end["code"]).toSatisfy((told) => told === true || told === "timeout");
    hasty.close();
  });
});

describe("bfs_record_outcome", () => {
  const goal = "h1 : q\n⊢ p → q";

  it("takes items as they are, reports their results, and demotes what failed", async () => {
    const ask = async () =>
      Suggested.parse(
        await tools.call("bfs_suggest_tactics", { proof_state: goal, temperature: 1.3, num_suggestions: 6 }),
      ).tactics;
    const before = await ask();
    expect(before.length).toBeGreaterThan(2);
    const { items } = multiAttempt(goal, before);
    const answer = await tools.call("bfs_record_outcome", { proof_state: goal, items });
    expect(answer).toMatchObject({ status: "ok", outcomes: items.map(({ snippet }) => ({ tactic: snippet })) });
    const failed = before.filter((_, i) => (items[i]?.diagnostics ?? []).length > 0);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(before.length);
    const after = await ask();
    expect(after.toSorted()).toEqual(before.toSorted());
    expect(after.slice(-failed.length).toSorted()).toEqual(failed.toSorted());
  });

  it("demotes in the state that it failed in, whatever goals came after that, until it works", async () => {
    const here = "h1 : r\n⊢ r → p";
    const order = async (proof_state: string) => {
      const asked = { proof_state, temperature: 1.3, num_suggestions: 6 };
      return Drawn.parse(await tools.call("bfs_suggest_tactics", asked)).suggestions;
    };
    const [likeliest] = await order(here);
    const snippet = likeliest?.tactic ?? "";
    const note = (item: object) =>
      tools.call("bfs_record_outcome", { proof_state: [here, "⊢ q"], items: [{ snippet, ...item }] });
    for (const [item, verdict] of [
      [{ goals: [here, "⊢ q"] }, "no_progress"],
      [{ goals: [], timed_out: true }, "timed_out"],
      [{ goals: [], diagnostics: [{ severity: "error", message: "no" }] }, "failed"],
    ] as const) {
      expect(await note({ goals: ["⊢ q"] })).toMatchObject({ outcomes: [{ verdict: "progress" }] });
      expect((await order(here))[0]).toEqual(likeliest);
      expect(await note(item)).toMatchObject({ outcomes: [{ tactic: snippet, verdict }] });
      expect((await order(here)).at(-1)).toEqual({ ...likeliest, failed_before: true });
    }
    const elsewhere = (await order(`${here} → p`)).find(({ tactic }) => tactic === snippet);
    expect(elsewhere).toBeDefined();
    expect(elsewhere?.failed_before).toBeUndefined();
  });

  it("counts how often the heads of tactics worked, the most tried first", async () => {
    const other = await openHome();
    const alone = openTools(other.config);
    try {
      const error = { severity: "error", message: "no" };
      const items = [
        { snippet: "rw [h]", goals: [], diagnostics: [error] },
        {
          snippet: "simp",
          goals: [],
          diagnostics: [{ severity: "info", message: "", lean_tags: ["goalsAccomplished"] }],
        },
        { snippet: "simp only [h]", goals: ["⊢ q"], diagnostics: [] },
        { snippet: "simp [k]", goals: [], diagnostics: [error] },
      ];
      const answer = await alone.call("bfs_record_outcome", { proof_state: goal, items });
      expect(answer["best"]).toBe("simp");
      const simp = { head: "simp", tried: 3, worked: 2 };
      expect(answer["heads"]).toEqual([simp, { head: "rw", tried: 1, worked: 0 }]);
      const one = await alone.call("bfs_record_outcome", {
        proof_state: goal,
        items: [
          { snippet: "intro h", goals: ["⊢ q", "⊢ r"] },
          { snippet: "intro h k", goals: ["⊢ q"] },
        ],
      });
      // Only the requested one: the whole list is long.
      expect(one).toMatchObject({ best: "intro h k", heads: [{ head: "intro", tried: 2, worked: 2 }] });
      expect((await alone.call("bfs_record_outcome"))["heads"]).toContainEqual(simp);
    } finally {
      alone.close();
      await other.close();
    }
  });

  it("tracks the steps of a proof with its open goals, and counts by the head of a tactic", async () => {
    const { items } = multiAttempt(goal, ["intro h2", "constructor"]);
    const first = await tools.call("bfs_record_outcome", {
      proof_state: goal,
      items,
      proof_id: "t1",
      applied: "intro h2",
    });
    expect(first["best"]).toBe("intro h2");
    expect(first["proof"]).toMatchObject({
      open_goals: 1,
      state: "h1 : q\nh2 : p\n⊢ q",
      steps: [{ tactic: "intro h2", verdict: "progress" }],
    });
    const next = "h1 : q\nh2 : p\n⊢ q";
    const last = await tools.call("bfs_record_outcome", {
      proof_state: next,
      items: multiAttempt(next, ["assumption"]).items,
      proof_id: "t1",
      applied: "assumption",
    });
    expect(last["proof"]).toMatchObject({ open_goals: 0, steps: [{}, { tactic: "assumption", verdict: "proved" }] });
    const { heads, proof } = await tools.call("bfs_record_outcome", { proof_id: "t1" });
    expect(proof).toEqual(last["proof"]);
    expect(heads).toEqual(expect.arrayContaining([expect.objectContaining({ head: "intro" })]));
  });

  it.each([
    [{ items: [{ snippet: "simp", goals: [] }] }, "items require the proof_state"],
    [{ proof_state: goal, items: [{ text: "simp" }] }, "items must be the list that lean_multi_attempt returned"],
    [
      { proof_state: goal, items: [{ snippet: "simp", goals: 5 }] },
      "items are not those of lean_multi_attempt: 0.goals",
    ],
    [{ proof_state: goal, items: [{ snippet: "simp" }] }, "0: it has no goals"],
    [
      { proof_state: goal, items: [{ snippet: "simp", goals: [] }], proof_id: "x", applied: "omega" },
      "not one of the snippets",
    ],
  ])("is invalid_input for %j", async (args, words) => {
    const fault = await faultOf(tools.call("bfs_record_outcome", args));
    expect(fault.code).toBe("invalid_input");
    expect(fault.error).toContain(words);
  });

  it.each([
    ["its whole answer", (list: unknown[]) => ({ items: list })],
    ["its whole answer with more fields", (list: unknown[]) => ({ items: list, file: "A.lean" })],
    ["its whole answer as text", (list: unknown[]) => JSON.stringify({ items: list })],
    ["the list in another envelope", (list: unknown[]) => ({ result: list })],
  ])("takes %s for items", async (_, wrap) => {
    const list = [
      { snippet: "intro h2", goals: [{ goal: null, context: [], pretty: "no goals" }, null], diagnostics: [] },
    ];
    const answer = await tools.call("bfs_record_outcome", { proof_state: goal, items: wrap(list) });
    expect(answer).toMatchObject({ outcomes: [{ tactic: "intro h2", verdict: "closed", goals: 0 }] });
  });

  it("refuses an answer without items, and more of them than it takes", async () => {
    const many = Array.from({ length: lean_limits.items_max + 1 }, () => ({ snippet: "simp", goals: [] }));
    for (const [wrong, words] of [
      [{ snippet: "simp", goals: [] }, "items must be the list"],
      [{ items: 5 }, "items must be the list"],
      [{ items: many }, "items can have at most"],
    ] as const)
      expect(await faultOf(tools.call("bfs_record_outcome", { proof_state: goal, items: wrong }))).toMatchObject({
        code: "invalid_input",
        error: expect.stringContaining(words),
      });
  });

  it("says so when its file is damaged", async () => {
    const other = await openHome();
    writeFileSync(join(other.directory, "lean", "outcomes.json"), "{");
    const alone = openTools(other.config);
    const fault = await faultOf(alone.call("bfs_record_outcome"));
    expect(fault).toMatchObject({ code: "engine_failed" });
    expect(JSON.stringify(fault)).not.toContain(other.directory);
    const { tactics } = Suggested.parse(await alone.call("bfs_suggest_tactics", { proof_state: goal }));
    expect(tactics.length).toBeGreaterThan(0);
    alone.close();
    await other.close();
  });
});

describe("a search with the toy model, whose tactics the toy checker tries", () => {
  const drawn = { num_suggestions: 16, temperature: 1.8 };
  const begin = { proof_state: "⊢ p → q → p ∧ q", nodes_max: 60, ...drawn };

  it("finds a proof step by step, which the checker accepts as a whole", async () => {
    let step = Step.parse(await tools.call("bfs_search_step", begin));
    for (let i = 0; i < 60 && step.status === "try"; i++) {
      const { items } = multiAttempt(begin.proof_state, step.snippets);
      const { search_id } = step;
      step = Step.parse(await tools.call("bfs_search_step", { search_id, items, ...drawn }));
    }
    expect(step.status).toBe("proof_found");
    expect(step["confirmed"]).toBe(false);
    expect(multiAttempt(begin.proof_state, [step.script ?? ""]).items).toMatchObject([{ proof_status: "Completed" }]);
    const { search_id } = step;
    const on = Step.parse(await tools.call("bfs_search_step", { search_id, rejected: true }));
    expect(on.script).not.toBe(step.script);
  });

  it("shows its snippets again when it is asked again, in another server too", async () => {
    const first = Step.parse(await tools.call("bfs_search_step", begin));
    const other = openTools(home.config);
    const again = Step.parse(await other.call("bfs_search_step", { search_id: first.search_id }));
    expect(again.snippets).toEqual(first.snippets);
    other.close();
  });

  it.each([
    [{}, "A search starts with a proof_state"],
    [{ search_id: "000000000000" }, "There is no search"],
    [{ items: [{ snippet: "simp", goals: [] }], proof_state: "⊢ p" }, "nothing to report"],
    [{ proof_state: "⊢ p", theorem: "theorem t : p" }, "The server does not have its own Lean"],
  ])("is a fault for %j", async (args, words) => {
    const fault = await faultOf(tools.call("bfs_search_step", args));
    expect(fault.error).toContain(words);
  });

  it("is not taken for another one: a state beside its name has to be where it began", async () => {
    const { search_id } = Step.parse(await tools.call("bfs_search_step", begin));
    const again = { search_id, proof_state: `Before:\n${begin.proof_state}` };
    expect(await tools.call("bfs_search_step", again)).toMatchObject({ search_id });
    const fault = await faultOf(tools.call("bfs_search_step", { search_id, proof_state: "h : p\n⊢ q" }));
    expect(fault).toMatchObject({ code: "invalid_input", error: "That search started with a different state." });
  });

  it("takes a report on some of its snippets, and shows the others again", async () => {
    const root = "⊢ q → r → q ∧ r";
    const first = Step.parse(await tools.call("bfs_search_step", { ...begin, proof_state: root }));
    const { search_id, snippets } = first;
    expect(snippets.length).toBeGreaterThan(2);
    const { items } = multiAttempt(root, snippets.slice(1));
    const half = Step.parse(await tools.call("bfs_search_step", { search_id, items }));
    expect(half).toMatchObject({ status: "try", snippets: snippets.slice(0, 1), state: first["state"] });
    const rest = multiAttempt(root, snippets.slice(0, 1)).items;
    const next = Step.parse(await tools.call("bfs_search_step", { search_id, items: rest }));
    expect(next["depth"]).toBe(1);
  });

  it("does not take a report twice, also where the same tactic is tried again deeper", async () => {
    const first = Step.parse(await tools.call("bfs_search_step", begin));
    const { search_id } = first;
    const { items } = multiAttempt(begin.proof_state, first.snippets);
    const next = Step.parse(await tools.call("bfs_search_step", { search_id, items }));
    expect(next).toMatchObject({ status: "try", depth: 1 });
    const bare = next["tactics"];
    expect(bare).toEqual(expect.arrayContaining([expect.toBeOneOf(first.snippets)]));
    expect((await faultOf(tools.call("bfs_search_step", { search_id, items }))).error).toContain("None of the items");
    expect(await tools.call("bfs_search_step", { search_id })).toEqual(next);
  });

  it("keeps to the budget that it was begun with", async () => {
    const first = Step.parse(await tools.call("bfs_search_step", { ...begin, nodes_max: 1 }));
    const { items } = multiAttempt(begin.proof_state, first.snippets);
    const { search_id } = first;
    const spent = await tools.call("bfs_search_step", { search_id, items });
    expect(spent).toMatchObject({ status: "budget_spent", expanded: 1 });
    expect(await tools.call("bfs_search_step", { search_id, nodes_max: 2 })).toMatchObject({
      status: "try",
      expanded: 2,
    });
  });

  it("samples as the options say, and leaves out what failed in a state before", async () => {
    const proof_state = "h1 : q\n⊢ r → q ∧ r";
    const suggested = await tools.call("bfs_suggest_tactics", { proof_state, ...drawn, seed: 5 });
    const first = Step.parse(await tools.call("bfs_search_step", { proof_state, ...drawn, seed: 5 }));
    expect(first["tactics"]).toEqual(suggested["tactics"]);
    const { items } = multiAttempt(proof_state, first.snippets);
    const failed = items.flatMap(({ snippet, diagnostics }) => ((diagnostics ?? []).length > 0 ? [snippet] : []));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(items.length);
    await tools.call("bfs_search_step", { search_id: first.search_id, items });
    const anew = Step.parse(await tools.call("bfs_search_step", { proof_state, ...drawn, seed: 5 }));
    expect(anew.snippets).toEqual(first.snippets.filter((snippet) => !failed.includes(snippet)));
  });

  it("refuses items that are about something else, or that tell nothing", async () => {
    const { search_id, snippets } = Step.parse(await tools.call("bfs_search_step", begin));
    const bare = { search_id, items: snippets.map((snippet) => ({ snippet })) };
    expect((await faultOf(tools.call("bfs_search_step", bare))).error).toContain("no goals, no diagnostics");
    const args = { search_id, items: [{ snippet: "norm_num", goals: [] }] };
    expect((await faultOf(tools.call("bfs_search_step", args))).error).toContain("None of the items");
  });
});

describe("a server with the Lean tools", () => {
  const server = fixture(() => connect({ args: ["--tools", "lean"], env: home.env }));

  it("goes through the source's workflow: status, suggest, try, record, next", async () => {
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await server.client.callTool({ name, arguments: args })).structuredContent ?? {};
    expect(await call("bfs_daemon_status")).toMatchObject({ status: "running" });
    const root = "⊢ p → q → p";
    const script: string[] = [];
    let goal = root;
    for (let seed = 1; seed < 20; seed++) {
      const asked = { proof_state: goal, num_suggestions: 16, temperature: 1.8, seed };
      const { tactics } = Suggested.parse(await call("bfs_suggest_tactics", asked));
      const { items } = multiAttempt(goal, tactics);
      const { best } = z
        .looseObject({ best: z.string().nullable() })
        .parse(await call("bfs_record_outcome", { proof_state: goal, items }));
      // Nothing helped: other samples may.
      if (best === null) continue;
      script.push(best);
      const after = multiAttempt(goal, [best]).items[0]?.goals ?? [];
      if (after.length === 0) break;
      goal = after.join("\n\n");
    }
    expect(multiAttempt(root, [script.join("\n")]).items).toMatchObject([{ proof_status: "Completed" }]);
  });

  it("shows tactics line by line, or all that is known as JSON", async () => {
    const text = async (format: string) => {
      const asked = { name: "bfs_suggest_tactics", arguments: { proof_state: "h1 : p\n⊢ p", format } };
      const { content, structuredContent } = await server.client.callTool(asked);
      const first = content[0];
      return { text: first?.type === "text" ? first.text : "", structured: structuredContent };
    };
    const lines = await text("lines");
    expect(lines.text).toBe(Suggested.parse(lines.structured).tactics.join("\n"));
    const json = await text("json");
    expect(JSON.parse(json.text)).toEqual(json.structured);
  });

  it("has a guide, which names only tools and arguments that there are", async () => {
    const { contents } = await server.client.readResource({ uri: "verdict://guide/lean" });
    const content = contents[0];
    const guide = content && "text" in content ? content.text : "";
    const { messages } = await server.client.getPrompt({ name: "instructions", arguments: { language: "lean" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: guide } }]);
    const { tools: listed } = await server.client.listTools();
    const named = [...guide.matchAll(/`(bfs_\w+)`/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(listed.map(({ name }) => name)));
    const fields = listed.flatMap(({ inputSchema, outputSchema }) =>
      [inputSchema, outputSchema ?? {}].flatMap((schema) => Object.keys(schema.properties ?? {})),
    );
    const rows = [...guide.matchAll(/^\| `(\w+)`/gm)].flatMap(([, name]) => (name ? [name] : []));
    expect(rows.length).toBeGreaterThan(5);
    expect(
      rows.filter((name) => !fields.includes(name) && !["daemon_down", "timeout", "invalid_input"].includes(name)),
    ).toEqual([]);
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");
    expect((await server.client.callTool({ name: "bfs_suggest_tactics", arguments: example })).isError).toBeFalsy();
  });

  it("costs at most 2,200 tokens to list", async () => {
    const { tools: listed } = await server.client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      "bfs_suggest_tactics",
      "bfs_evaluate_tactic",
      "bfs_daemon_status",
      "bfs_record_outcome",
      "bfs_search_step",
    ]);
    expect(JSON.stringify(listed).length / 4).toBeLessThanOrEqual(2200);
  });
});
