import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { engine_limits } from "../../src/engines/limits.ts";
import { promptFor } from "../../src/engines/tactic/prompt.ts";
import { dropReason, tidyTactic } from "../../src/engines/tactic/sieve.ts";
import { normalState } from "../../src/engines/tactic/state.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { limits } from "../../src/kernel/limits.ts";
import { headOf, judge } from "../../src/tools/lean/outcome.ts";

function faultOfState(given: unknown): Fault {
  try {
    normalState(given);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error("no fault");
}

/** What lean-lsp-mcp makes of a goal above 6,000 characters. */
const elided =
  "n : ℕ\nh : n >\n\n[... 1234 characters elided; set LEAN_MCP_MAX_OUTPUT_CHARS=0 for the full text ...]\n\n 0\n⊢ n > 0";

describe("a proof state", () => {
  const plain = "n : ℕ\nh : n > 0\n⊢ n + 1 > 0";

  it.each([
    ["text", plain],
    ["text with line ends of Windows and spaces", "n : ℕ  \r\nh : n > 0\r\n⊢ n + 1 > 0\r\n"],
    ["a fenced block", `\`\`\`lean\n${plain}\n\`\`\``],
    ["a goal view", `Before:\n${plain}`],
    ["a list of texts", [plain]],
    ["a list of goals of lean_goal", [{ pretty: plain }]],
    [
      "structured goals",
      [
        {
          context: [
            { name: "n", type: "ℕ" },
            { name: "h", type: "n > 0" },
          ],
          goal: "n + 1 > 0",
        },
      ],
    ],
    ["the answer of lean_goal", { line_context: "  sorry", goals: [plain], status: "goals" }],
    ["an answer that a tool printed as JSON", JSON.stringify({ goals: [plain], status: "goals" })],
    ["one goal of its list", { pretty: plain }],
    ["a goal whose parts are missing", { goals: [{ goal: null, context: null, pretty: plain }] }],
    ["a goal whose context has another form", [{ goal: "n + 1 > 0", context: { n: "ℕ" }, pretty: plain }]],
    ["a goal whose parts are of other kinds", [{ goal: 7, context: [null], pretty: plain }]],
    ["a goal without its text", [{ goal: "n + 1 > 0", context: ["n : ℕ", "h : n > 0"], pretty: null }]],
    [
      "hypotheses with more fields",
      [
        {
          goal: "⊢ n + 1 > 0",
          context: [
            { names: ["n"], type: "ℕ" },
            { name: "h", type: "n > 0", value: null },
          ],
        },
      ],
    ],
    ["goals as one text", { goals: plain, status: "goals" }],
    ["a list in an envelope", { items: [{ pretty: plain }] }],
    ["an answer in an envelope", JSON.stringify({ result: { goals: [plain], status: "goals" } })],
    ["goals of which one is done", { goals: [{ goal: null, context: [], pretty: "no goals" }, { pretty: plain }] }],
    // As lean-lsp-mcp 0.32 writes its answers: a field without a value is null.
    [
      "its answer without a column",
      { line_context: "  omega", goals: null, goals_before: [plain], goals_after: [], status: null },
    ],
    [
      "its answer about a line that begins a proof",
      { line_context: "theorem t : p := by", goals: null, goals_before: [], goals_after: [plain], status: null },
    ],
    [
      "its answer with a column",
      { line_context: "  omega", goals: [plain], goals_before: null, goals_after: null, status: "goals" },
    ],
  ])("is the same text when it comes as %s", (_, given) => {
    expect(normalState(given)).toBe(plain);
  });

  it("may be in one line, and be written without the sign", () => {
    expect(normalState("h : p ⊢ p")).toBe("h : p\n⊢ p");
    expect(normalState("h : p\n|- p")).toBe("h : p\n⊢ p");
  });

  it("is the first goal, without its case name and empty hypotheses, unless all are wanted", () => {
    const two = `case inl\nthis✝ : True\n${plain}\n\ncase inr\n⊢ False`;
    expect(normalState(two)).toBe(plain);
    expect(normalState(two, "all")).toBe(two);
    expect(normalState([`case inl\n${plain}`, "case inr\n⊢ False"], "all")).toBe(
      `case inl\n${plain}\n\ncase inr\n⊢ False`,
    );
  });

  it.each([
    ["an empty text", "  ", "non-empty string"],
    ["a number", 5, "it must be a string"],
    [
      "an answer without a column where no goals are left",
      { line_context: "  done", goals: null, goals_before: [], goals_after: [], status: null },
      "no goals",
    ],
    [
      "a goal that lean-lsp-mcp cut",
      { line_context: "  omega", goals: [elided], goals_before: null, goals_after: null, status: "goals" },
      "cut 1234 characters out of a goal",
    ],
    ["no goals", "no goals", "no goals"],
    ["an empty list", [], "no goals"],
    ["text without a goal", "n : ℕ", "⊢"],
    ["a goal that says nothing", "n : ℕ\n⊢ ", "⊢"],
    ["a whole file", "import Mathlib\n\nexample : p := by\n  sorry -- ⊢ p", "⊢"],
    ["an object of another kind", { theorem: "p" }, "it must be a string"],
    ["a place outside of a proof", { goals: null, status: "no_goal_at_position" }, "no_goal_at_position"],
    ["a goal that is null", { goals: [{ goal: null, context: [], pretty: "no goals" }], status: "goals" }, "no goals"],
    ["a goal of which nothing is known", [{ goal: null, pretty: null }], "no goals"],
    ["a goal whose hypotheses can't be read", [{ goal: "p", context: { h: "p" } }], "the context of a goal"],
    ["a million line ends", "\n".repeat(1_000_000), "non-empty string"],
    ["a million spaces before a goal's sign", `a${" ".repeat(1_000_000)}|-`, "⊢"],
    ["far too much", `⊢ ${"x".repeat(100_001)}`, "the maximum is 100000"],
  ])("is refused when it is %s", (_, given, words) => {
    const fault = faultOfState(given);
    expect(fault.code).toBe("invalid_input");
    expect(fault.message).toContain(words);
    expect(fault.report()).toMatchObject({ details: expect.stringContaining(words) });
  });
});

it("a prompt of BFS-Prover is the state and three colons, and nothing else", () => {
  expect(promptFor("⊢ p")).toEqual([{ text: "⊢ p:::", special: false }]);
  expect(promptFor("⊢ p", "llmstep", "rw")).toEqual([{ text: "[GOAL]⊢ p[PROOFSTEP]rw", special: false }]);
  const chat = promptFor("⊢ <|im_end|>", "chat");
  expect(chat.filter(({ special }) => special).map(({ text }) => text)).toEqual([
    "<|im_start|>user\n",
    "<|im_end|>\n<|im_start|>assistant\n",
  ]);
});

describe("a tactic that a model wrote", () => {
  it.each([
    ["exact h", undefined],
    ["rcases h with ⟨a, b⟩", undefined],
    ['exact foo "(" -- (', undefined],
    ["apply sorryAx_free", undefined],
    ["refine ⟨?_, ?_⟩", undefined],
    ["simpa using h", undefined],
    ["exact sorry", "forbidden"],
    ["admit", "forbidden"],
    ["exact admitted", undefined],
    ["native_decide", "forbidden"],
    ["decide +native", "forbidden"],
    ["decide (config := { native := true })", "forbidden"],
    ["exact sorryAx _ true", "forbidden"],
    ["stop", "forbidden"],
    ["exact Nat.stop h", undefined],
    ["exact h -- no sorry", undefined],
    ["rcases h with ⟨a, b", "unbalanced"],
    ["exact (h]", "unbalanced"],
    ["simpa using _", "placeholder"],
    ["rcases h with ?_", "placeholder"],
    ["cases' h with ?_ k", "placeholder"],
    ["simpa using f ?_", "placeholder"],
    ["exact h\uFFFD", "unprintable"],
    ["exact h\u0007", "unprintable"],
    ["  ", "empty"],
    ["-- thinking", "empty"],
  ])("%j is dropped for: %s", (tactic, reason) => {
    expect(dropReason(tactic)).toBe(reason);
  });

  it("is dropped when it is longer than any tactic", () => {
    expect(dropReason(`exact ${"h".repeat(engine_limits.tactic_chars_max)}`)).toBe("too_long");
  });

  it("comes without fences and space", () => {
    expect(tidyTactic("```lean\nsimp\n```\n")).toBe("simp");
    expect(tidyTactic(`${"\n".repeat(1_000_000)}simp`)).toBe("simp");
  });
});

describe("an item of lean_multi_attempt", () => {
  const before = "⊢ p ∧ q";
  it.each([
    ["goals that are left", { goals: ["⊢ p", "⊢ q"] }, "progress", "⊢ p\n\n⊢ q"],
    ["the same goal", { goals: ["⊢ p ∧ q"] }, "no_progress", "⊢ p ∧ q"],
    ["an error", { goals: [], diagnostics: [{ severity: "error", message: "unknown" }] }, "failed", null],
    ["an error by number", { goals: [], diagnostics: [{ severity: 1, message: "unknown" }] }, "failed", null],
    [
      "no error but unsolved goals",
      { goals: ["⊢ p"], diagnostics: [{ severity: "error", message: "unsolved goals", lean_tags: ["unsolvedGoals"] }] },
      "progress",
      "⊢ p",
    ],
    ["a time limit", { timed_out: true }, "timed_out", null],
    ["a confirmed end", { goals: [], proof_status: "Completed" }, "proved", null],
    [
      "a confirmed end of the language server",
      { goals: [], diagnostics: [{ severity: "information", message: "", lean_tags: ["goalsAccomplished"] }] },
      "proved",
      null,
    ],
    ["silence, which may be a failure", { goals: [], diagnostics: [], proof_status: null }, "closed", null],
    [
      "an end by sorry",
      {
        goals: [],
        proof_status: "Completed",
        diagnostics: [{ severity: "warning", message: "declaration uses 'sorry'" }],
      },
      "failed",
      null,
    ],
    [
      "an end by sorry in the words of the REPL",
      { goals: [], proof_status: "Incomplete: contains sorry" },
      "failed",
      null,
    ],
    [
      "unsolved goals that are not shown",
      { goals: [], diagnostics: [{ severity: "error", message: "unsolved goals", lean_tags: ["unsolvedGoals"] }] },
      "failed",
      null,
    ],
    [
      "an error and a word of success",
      { goals: [], diagnostics: [{ severity: "error", message: "" }], proof_status: "Completed" },
      "failed",
      null,
    ],
    ["goals of a form that is not known", { goals: [{ type: "p" }], proof_status: "Completed" }, "progress", null],
    ["a goal without a turnstile", { goals: ["p"] }, "progress", null],
    ["a goal too long to go on from", { goals: [`⊢ ${"p".repeat(100_001)}`] }, "progress", null],
    ["a goal that says that there is none", { goals: ["no goals"] }, "closed", null],
    ["an error of the REPL", { goals: [], proof_status: "Error: kernel" }, "failed", null],
  ])("with %s is read so", (_, item, verdict, state) => {
    expect(judge({ snippet: "t", ...item }, before)).toMatchObject({ verdict, state });
  });

  it("is counted under its first word", () => {
    expect(["simp only [h]", "· exact h", "rw[h]", "⟨a, b⟩", "intro x; simp"].map(headOf)).toEqual([
      "simp",
      "exact",
      "rw",
      "⟨a, b⟩",
      "intro",
    ]);
  });
});

it("times past what a daemon takes are cut to it", () => {
  const { tactics } = readConfig({}, { TACTIC_SERVER_TIMEOUT: "86400", VERDICT_LEAN_IDLE: "1e12" });
  expect(tactics.timeout_ms).toBe(limits.timeout_ms_max);
  expect(tactics.idle_ms).toBe(engine_limits.tactic_leave_ms_max);
});
