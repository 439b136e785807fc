import type { LeanRepl, ReplSession } from "../../../engines/lean_repl/index.ts";
import { isProof, type Reply } from "../../../engines/lean_repl/read.ts";
import { normalState } from "../../../engines/tactic/state.ts";
import type { Deadline } from "../../../kernel/deadline.ts";
import { Fault } from "../../../kernel/fault.ts";
import { limits } from "../../../kernel/limits.ts";
import { linesOf } from "../../../kernel/text/lines.ts";
import { lean_limits } from "../limits.ts";
import type { AttemptItem } from "../outcome.ts";
import type { Checker } from "./checker.ts";

/** A theorem without its proof, and the text before it. */
interface Theorem {
  readonly imports: string;
  readonly text: string;
  readonly name: string;
}

const words = (...lists: readonly string[]) => `(?<![\\w.])(${lists.join("|")})(?![\\w'])`;

/** Text that makes Lean run code, read files or use the network, or that redefines notation. */
const runs_code =
  "run_tac|run_cmd|run_meta|run_elab|elab|elab_rules|by_elab|eval_expr|macro|macro_rules|syntax|simproc|dsimproc|initialize|builtin_initialize|unsafe|implemented_by|extern|IO|include_str|bv_check|bv_decide\\?|polyrith|declare_\\w+";

/** Commands that are allowed only outside proofs. */
const commands =
  "axiom|opaque|partial|import|open|notation|attribute|set_option|theorem|lemma|def|abbrev|instance|structure|inductive|class|namespace|section|end|export|variable|universe|deriving|local|scoped";

/** Text that could do more than prove something. A model writes the tactics, and Lean's commands can read files. */
const reaches_out = new RegExp(`#|${words(runs_code, commands)}`);

/**
 * Text that is not allowed in a statement: definitions may precede it, but not commands that run code. `#s` is
 * Mathlib's cardinality of a set.
 */
const not_stated = new RegExp(`#[a-z_]{3,}|${words(runs_code)}`);

/** Gets Lean's answers to tactics through the REPL of the user's project. */
export class ReplChecker implements Checker {
  readonly #repl: LeanRepl;
  readonly #theorem: Theorem;
  #session: ReplSession | undefined;
  #env: number | undefined;
  /** The REPL's numbers of the states after scripts. They are valid only in this session. */
  #states = new Map<string, number>();
  #root = "";

  private constructor(repl: LeanRepl, theorem: Theorem) {
    this.#repl = repl;
    this.#theorem = theorem;
  }

  /** Raises `invalid_input` for text that states no theorem, and `engine_missing`, `engine_failed` and `timeout`. */
  static async open(repl: LeanRepl, text: string, deadline: Deadline): Promise<ReplChecker> {
    const checker = new ReplChecker(repl, readTheorem(text));
    try {
      if ((await checker.#begun(deadline)) === "expired") throw tooSlow();
      return checker;
    } catch (error) {
      checker.close();
      throw error;
    }
  }

  get root(): string {
    return this.#root;
  }

  async attempt(
    script: readonly string[],
    tactics: readonly string[],
    deadline: Deadline,
  ): Promise<readonly AttemptItem[] | "expired"> {
    const items: AttemptItem[] = [];
    for (const tactic of tactics) {
      const item = await this.#try(script, tactic, deadline);
      if (item === "expired") return item;
      items.push(item);
    }
    return items;
  }

  /** Compiles the whole theorem from scratch, and checks the axioms that it uses. */
  async confirm(script: readonly string[], deadline: Deadline): Promise<boolean | "expired"> {
    if (script.some((tactic) => reaches_out.test(tactic))) return false;
    const begun = await this.#begun(deadline);
    if (begun === "expired") return begun;
    const body = script.map((tactic) => tactic.replaceAll(/^/gm, "  ")).join("\n");
    const compiled = await begun.ask({ cmd: `${this.#theorem.text} := by\n${body}`, ...this.#within() }, deadline);
    if (compiled === "expired") return this.#lost(compiled);
    if (compiled.env === undefined) return false;
    const printed = await begun.ask({ cmd: `#print axioms ${this.#theorem.name}`, env: compiled.env }, deadline);
    return printed === "expired" ? this.#lost(printed) : isProof(this.#theorem.name, compiled, printed);
  }

  close(): void {
    this.#session?.close();
  }

  async #try(script: readonly string[], tactic: string, deadline: Deadline): Promise<AttemptItem | "expired"> {
    if (reaches_out.test(tactic)) return refusedItem(tactic, "Not tried: only tactics are run, not commands.");
    const proofState = await this.#stateAfter(script, deadline);
    const session = this.#session;
    if (proofState === "expired" || !session) return "expired";
    const bounded = deadline.atMost(lean_limits.repl_tactic_ms_max);
    const reply = await session.ask({ tactic: oneTactic(tactic), proofState }, bounded);
    if (reply === "expired") {
      this.#lost(reply);
      return bounded !== deadline ? { snippet: tactic, timed_out: true } : "expired";
    }
    if (reply.proofState !== undefined) this.#states.set(keyOf([...script, tactic]), reply.proofState);
    return itemOf(tactic, reply);
  }

  /** Returns the number of the state after a script. In a new session, the script is run again. */
  async #stateAfter(script: readonly string[], deadline: Deadline): Promise<number | "expired"> {
    const begun = await this.#begun(deadline);
    if (begun === "expired") return begun;
    const known = this.#states.get(keyOf(script));
    if (known !== undefined) return known;
    const last = script.at(-1);
    if (last === undefined) throw new Error("the root's state is known from the beginning");
    const before = await this.#stateAfter(script.slice(0, -1), deadline);
    if (before === "expired") return before;
    const reply = await begun.ask({ tactic: oneTactic(last), proofState: before }, deadline);
    if (reply === "expired") return this.#lost(reply);
    if (reply.proofState === undefined)
      throw new Fault("engine_failed", "Lean rejected a tactic that it accepted before.", [
        "call again to restart the search",
      ]);
    this.#states.set(keyOf(script), reply.proofState);
    return reply.proofState;
  }

  /** Returns a session with the theorem, whose proof is not yet written. */
  async #begun(deadline: Deadline): Promise<ReplSession | "expired"> {
    if (this.#session && !this.#session.spent) return this.#session;
    this.#session?.close();
    this.#states = new Map();
    const session = this.#repl.open();
    this.#session = session;
    // The imports and the statement can each take this long.
    const starting = () => deadline.atMost(lean_limits.repl_start_ms_max);
    if (this.#theorem.imports !== "") {
      const imported = await session.ask({ cmd: this.#theorem.imports }, starting());
      if (imported === "expired") return this.#lost(imported);
      this.#env = imported.env;
    }
    const stated = await session.ask({ cmd: `${this.#theorem.text} := by sorry`, ...this.#within() }, starting());
    if (stated === "expired") return this.#lost(stated);
    const [open, ...others] = stated.sorries ?? [];
    if (open?.proofState === undefined) throw notStated(stated);
    if (others.length > 0) throw otherSorry();
    this.#root = normalState(open.goal, "all");
    this.#states.set(keyOf([]), open.proofState);
    return session;
  }

  #within(): { readonly env?: number } {
    return this.#env === undefined ? {} : { env: this.#env };
  }

  #lost(why: "expired"): "expired" {
    this.#session?.close();
    this.#session = undefined;
    return why;
  }
}

const keyOf = (script: readonly string[]) => JSON.stringify(script);

/**
 * Turns a text into a single tactic, because the REPL takes one tactic per request. Several lines become one tactic in
 * brackets.
 */
function oneTactic(tactic: string): string {
  return tactic.includes("\n") ? `(\n${tactic.replaceAll(/^/gm, "  ")}\n)` : tactic;
}

function itemOf(snippet: string, { goals, message, messages, proofStatus }: Reply): AttemptItem {
  if (message !== undefined) return refusedItem(snippet, message);
  const diagnostics = (messages ?? []).map(({ severity, data }) => ({ severity, message: data }));
  return { snippet, goals: goals ?? [], diagnostics, timed_out: false, proof_status: proofStatus ?? null };
}

function refusedItem(snippet: string, message: string): AttemptItem {
  return { snippet, goals: [], diagnostics: [{ severity: "error", message }], timed_out: false };
}

function readTheorem(statement: string): Theorem {
  const running = not_stated.exec(statement)?.[0];
  if (running !== undefined) throw runsCode(running);
  const text = statement.replace(/:=\s*(by\s*)?(sorry\s*)?$/, "").trim();
  const lines = linesOf(text);
  const from = lines.findIndex((line) => !/^\s*(import\b.*)?$/.test(line));
  const stated = lines.slice(Math.max(0, from)).join("\n");
  // Other theorems can come first. The last theorem is the one to prove, and its axioms are checked.
  const name = [...stated.matchAll(/^(?:theorem|lemma)\s+([^\s:({[]+)/gm)].at(-1)?.[1];
  if (name !== undefined) return { imports: lines.slice(0, Math.max(0, from)).join("\n").trim(), text: stated, name };
  throw new Fault("invalid_input", "theorem does not contain a theorem.", [
    "write `theorem name (p q : Prop) : p → q → p`, without a proof; imports can precede it",
    "or begin with proof_state",
  ]);
}

function notStated({ messages, message }: Reply): Fault {
  const why = message ?? messages?.find(({ severity }) => severity === "error")?.data ?? "it leaves no goal";
  return new Fault("invalid_input", `Lean rejects the theorem: ${why.slice(0, limits.fault_quote_chars_max)}.`, [
    "correct the statement, and put the required imports before it",
  ]);
}

function runsCode(word: string): Fault {
  return new Fault(
    "invalid_input",
    `theorem contains ${word}, which can make Lean do more than prove; it was not sent.`,
    [
      "state the theorem, with imports and definitions before it and nothing else",
      "or ask the user to put the rest into a file in the project, and import that file",
    ],
  );
}

function otherSorry(): Fault {
  return new Fault("invalid_input", "theorem has a sorry before its end, so no proof could rely on it.", [
    "prove the part before the theorem, or remove it",
    "state one theorem, without a proof",
  ]);
}

function tooSlow(): Fault {
  return new Fault("timeout", "Lean was not ready in time.", [
    "call again: imports are faster the second time",
    "or begin with proof_state, and try the snippets with lean_multi_attempt",
  ]);
}
