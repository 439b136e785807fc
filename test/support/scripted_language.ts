import { Fault } from "../../src/kernel/fault.ts";
import { model } from "../../src/tools/model/index.ts";
import type { Changed } from "../../src/tools/model/items/items.ts";
import type { Found, Language, Outcome, Plain, SolveContext, Values } from "../../src/tools/model/language.ts";
import { callsOf, type Tools } from "./tools.ts";

/** A verdict with these values. */
export function sat(values: Values): Found {
  return { kind: "sat", witness: { values } };
}

/** A solve that has nothing to say but its verdict. */
export const plain: Outcome = {
  verdict: sat({ x: 1 }),
  statistics: {},
  output: [],
  warnings: [],
  engine: "script 1.0",
};

/**
 * A language for the mechanics of editing alone: it does as its items say. `bad` in an item fails the
 * check, `warn` gives a warning, `slow` waits until the test lets it go on,
 * `soon` is done as early as can be.
 */
export class ScriptedLanguage implements Language {
  readonly slips = [];
  readonly takes = [] as const;
  readonly id: string;
  readonly guide: Language["guide"];
  /** Every list of items that was checked, with the index of the change. */
  readonly checked: { readonly items: readonly string[]; readonly changed: Changed }[] = [];
  /** What the next solves answer. */
  outcome: Outcome = plain;
  /** Waits before each solve. */
  solving: Promise<unknown> = Promise.resolve();
  letGo: () => void = () => {};
  remarksBesideSolving?: (items: readonly string[]) => readonly string[];
  /** Every list of items that was solved, and the signal that stops the solve. */
  readonly solved: { readonly items: readonly string[]; readonly signal: AbortSignal }[] = [];

  constructor(id: string) {
    this.id = id;
    this.guide = { name: id, title: `How to model in ${id}`, text: `# ${id}` };
  }

  async plain(): Promise<Plain> {
    return { files: {}, command: null, needs: "nothing", versions: {} };
  }

  async check(items: readonly string[], changed: Changed): Promise<readonly string[]> {
    this.checked.push({ items, changed });
    const item = items[changed === "all" ? items.length - 1 : (changed ?? 0)] ?? "";
    // Later than the calls that follow, as a real check is.
    await new Promise<void>((resolve) => {
      if (item.includes("slow")) this.letGo = resolve;
      else if (item.includes("soon")) resolve();
      else setTimeout(resolve, 1);
    });
    const bad = items.findIndex((text) => text.includes("bad"));
    if (bad >= 0) {
      const line = (items[bad] ?? "").split("\n").findIndex((text) => text.includes("bad")) + 1;
      throw new Fault("syntax_error", "This is bad.", ["write it well", "try again"], { item: bad, line, column: 1 });
    }
    return item.includes("warn") ? ["You were warned."] : [];
  }

  async solve(items: readonly string[], { deadline }: SolveContext): Promise<Outcome> {
    const { outcome } = this;
    this.solved.push({ items, signal: deadline.signal });
    await this.solving;
    return outcome;
  }
}

export interface ModelBench {
  /** Calls a tool as the server does; gives the structured answer, raises faults. */
  call: Tools["call"];
  /** The text of an answer. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The contents of the items. */
  items(model_id?: string): Promise<unknown[]>;
}

/** The model tools of one connection. */
export function openModels(languages: readonly Language[], locked?: string): ModelBench {
  const none = () => Promise.reject(new Error("no files here"));
  const files = { tables: { read: none, view: none }, roots: [], save_roots: [] };
  const send = callsOf(model(languages, { locked, files }).session());
  return {
    call: async (...args) => (await send(...args)).structured,
    text: async (...args) => (await send(...args)).text.join("\n"),
    async items(model_id) {
      const { items } = (await send("get_model", model_id === undefined ? {} : { model_id })).structured;
      return Array.isArray(items) ? items.map((item) => item.content) : [];
    },
  };
}
