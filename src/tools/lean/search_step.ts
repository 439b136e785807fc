import * as z from "zod/v4";
import type { LeanRepl } from "../../engines/lean_repl/index.ts";
import { engine_limits } from "../../engines/limits.ts";
import type { Tactics } from "../../engines/tactic/index.ts";
import { normalState } from "../../engines/tactic/state.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { annotated, defineTool, type Tool, type ToolContext } from "../../kernel/tool.ts";
import { type Undecided, undecided } from "../../kernel/verdict.ts";
import { proof_state } from "./arguments.ts";
import { drawTactics } from "./draw.ts";
import type { Ledger } from "./ledger.ts";
import { lean_limits } from "./limits.ts";
import { type AttemptItem, items, judge, readItems } from "./outcome.ts";
import { drive, type SearchVerdict } from "./search/drive.ts";
import { ReplChecker } from "./search/repl_checker.ts";
import {
  adjusted,
  Budget,
  beginSearch,
  countsOf,
  nextNode,
  Order,
  offer,
  reject,
  report,
  type Search,
  scriptOf,
} from "./search/search.ts";
import type { SearchStore } from "./search/search_store.ts";

/** Makes a setting that is fixed when a search begins. Its default is listed, but later steps do not fill it in. */
function fixedAtTheStart<Inner extends z.ZodType>(field: z.ZodDefault<Inner>) {
  return field.unwrap().optional().meta({ default: field.def.defaultValue });
}

const input = z.strictObject({
  proof_state: proof_state.optional().describe("Starts a search."),
  search_id: z.string({ error: "search_id must be a string." }).optional().describe("Continues a search."),
  items: items.optional().describe("The answer of lean_multi_attempt to `snippets`."),
  rejected: z
    .boolean({ error: "rejected must be true or false." })
    .optional()
    .describe("The proof that was found did not compile."),
  theorem: z
    .string({ error: "theorem must be a string." })
    .max(engine_limits.tactic_state_chars_max, { error: "theorem is too long." })
    .optional()
    .describe("`theorem t : p`: the server searches with its own Lean, if it has one."),
  num_suggestions: fixedAtTheStart(Order.shape.num_suggestions),
  temperature: fixedAtTheStart(Order.shape.temperature),
  max_tokens: fixedAtTheStart(Order.shape.max_tokens),
  seed: fixedAtTheStart(Order.shape.seed),
  nodes_max: fixedAtTheStart(Budget.shape.nodes_max),
  depth_max: fixedAtTheStart(Budget.shape.depth_max),
  depth_reward: fixedAtTheStart(Budget.shape.depth_reward),
});
type Args = z.output<typeof input>;

const output = z.object({
  search_id: z.string(),
  status: z.enum(["try", "proof_found", "exhausted", "budget_spent", "timed_out"]),
  state: z.string().nullable(),
  depth: z.int().nullable(),
  tactics: z.array(z.string()),
  snippets: z.array(z.string()).describe("For lean_multi_attempt, at the place where the search began."),
  script: z.string().nullable(),
  confirmed: z.boolean().describe("Whether Lean itself checked the whole script for this server."),
  nodes: z.int(),
  open: z.int(),
  expanded: z.int(),
  note: z.string(),
});
type Answer = z.output<typeof output>;

export interface SearchServices {
  readonly tactics: Tactics;
  readonly ledger: Ledger;
  readonly store: SearchStore;
  readonly repl: LeanRepl;
}

/** `bfs_search_step`: runs a step of a best-first search whose tactics the client tries in Lean. */
export function searchStep(services: SearchServices): Tool {
  return defineTool({
    name: "bfs_search_step",
    description:
      "Best-first proof search: begin with proof_state, try the snippets with lean_multi_attempt, pass the items of its answer back, and repeat until proof_found.",
    annotations: annotated("Search step", "adds"),
    input,
    output,
    bad_arguments: "invalid_input",
    limit_ms: ({ theorem }) =>
      theorem === undefined ? services.tactics.settings.timeout_ms : lean_limits.search_ms_max,
    async run(args, context) {
      if (args.theorem !== undefined) return searchInLean(services, args, args.theorem, context);
      const begun = args.search_id === undefined ? beginSearch(rootOf(args), args) : undefined;
      return onSearch(services, begun, args, context, (search) => {
        if (args.proof_state !== undefined && search.nodes[0]?.state !== rootOf(args)) throw otherSearch("state");
        return step(services, search, args, context);
      });
    },
    render: (answer) => [
      answer.status === "try" ? answer.snippets.join("\n---\n") : (answer.script ?? answer.status),
      `; ${answer.status}: ${answer.note}`,
      `; search_id ${answer.search_id}, ${answer.nodes} states, ${answer.open} open, ${answer.expanded} tried`,
    ],
  });
}

/** Runs a step of a new or named search under a lock. Faults also name the search. */
async function onSearch(
  { store }: SearchServices,
  begun: Search | undefined,
  args: Args,
  { deadline }: ToolContext,
  work: (search: Search) => Promise<Answer>,
): Promise<Answer> {
  const search_id = begun?.search_id ?? args.search_id ?? "";
  try {
    return await store.alone(search_id, deadline, async () =>
      work(begun ?? adjusted(await store.read(search_id), args)),
    );
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === "invalid_input") throw thrown;
    const { code, message, steps, position, details } = thrown;
    const on = [...steps, `continue with search_id ${search_id}: the search is kept`];
    throw new Fault(code, message, on, position, { ...details, search_id });
  }
}

async function step(services: SearchServices, before: Search, args: Args, context: ToolContext): Promise<Answer> {
  let search = args.rejected ? reject(before) : before;
  if (args.items) search = await reported(services, search, readItems(args.items), context.deadline);
  // Reported outcomes are stored, even if the next request to the model fails.
  await services.store.write(search);
  while (search.ends.length === 0 && !search.current) {
    const node = nextNode(search);
    if (typeof node !== "number") break;
    const wanted = { state: search.nodes[node]?.state ?? "", order: search.order };
    search = offer(search, node, await offersFor(services, wanted, context));
    await services.store.write(search);
  }
  return answerOf(search, resultOf(search));
}

async function reported(
  services: SearchServices,
  search: Search,
  attempts: readonly AttemptItem[],
  deadline: Deadline,
): Promise<Search> {
  const { current } = search;
  if (!current) throw nothingTried();
  const state = search.nodes[current.node]?.state ?? "";
  const outcomes = match(search, attempts).map((item) => judge(item, state));
  await services.ledger.record({ state, outcomes, model: null }, deadline);
  return report(search, outcomes);
}

/** Assigns the items to the tactics that they are about. A snippet repeats the path to its node. */
function match(search: Search, attempts: readonly AttemptItem[]): AttemptItem[] {
  const offered = snippetsOf(search);
  const named = attempts.flatMap((item) => {
    // The whole snippet is compared, because its last tactic alone may have been tried in another state.
    const about = offered.find(({ snippet }) => snippet === item.snippet.trim());
    return about ? [{ ...item, snippet: about.tactic }] : [];
  });
  if (named.length > 0) return named;
  throw new Fault("invalid_input", "None of the items belongs to a snippet of this step.", [
    "send the items that lean_multi_attempt returned for exactly these snippets",
    "call with search_id alone to see them again",
  ]);
}

function snippetsOf(search: Search): { readonly tactic: string; readonly snippet: string }[] {
  const { current } = search;
  if (!current) return [];
  const path = scriptOf(search, current.node);
  return current.offers.map(({ tactic }) => ({ tactic: tactic.trim(), snippet: [...path, tactic].join("\n").trim() }));
}

async function offersFor(
  { tactics, ledger }: SearchServices,
  { state, order }: { readonly state: string; readonly order: Search["order"] },
  { deadline, progress }: ToolContext,
) {
  const bounded = deadline.atMost(tactics.settings.timeout_ms);
  const { suggestions } = await drawTactics({ tactics, ledger }, state, order, bounded, progress);
  // A tactic that once failed in this state may work after an import, so it is tried if nothing else is left.
  const fresh = suggestions.filter(({ failed_before }) => !failed_before);
  // Without scores, all tactics are equal, and the search is ordered by depth.
  return (fresh.length > 0 ? fresh : suggestions).map(({ tactic, score }) => ({ tactic, score: score ?? -1 }));
}

/** A script that is complete according to the client's reports, but that was not replayed from scratch. */
interface Reported extends Undecided {
  readonly cause: "unconfirmed";
  readonly script: readonly string[];
}

/** The result of a search; undefined while there are still tactics to try. */
type Result = SearchVerdict | Reported | undefined;

function resultOf(search: Search): Result {
  const [end] = search.ends;
  if (end) return { ...undecided("unconfirmed", "this server's Lean has not checked it"), script: end.script };
  const next = search.current ? undefined : nextNode(search);
  return typeof next === "number" ? undefined : next;
}

function answerOf(search: Search, result: Result): Answer {
  const { nodes, open, expanded } = countsOf(search);
  const snippets = snippetsOf(search);
  const node = search.current && search.nodes[search.current.node];
  const { status, script = null, confirmed = false, note } = show(result);
  return {
    search_id: search.search_id,
    status,
    state: node?.state ?? null,
    depth: node?.depth ?? null,
    tactics: snippets.map(({ tactic }) => tactic),
    snippets: snippets.map(({ snippet }) => snippet),
    script,
    confirmed,
    nodes,
    open,
    expanded,
    note,
  };
}

type Shown = Pick<Answer, "status" | "note"> & Partial<Pick<Answer, "script" | "confirmed">>;

/** Returns the result of a search in the protocol's words. */
function show(result: Result): Shown {
  if (!result) return { status: "try", note: "try the snippets and send the items back with search_id" };
  if (result.kind === "proven") {
    const note = "Lean compiled the whole theorem with it, without sorry";
    return { status: "proof_found", script: result.proof.script.join("\n"), confirmed: true, note };
  }
  switch (result.cause) {
    case "unconfirmed": {
      const note =
        "not checked by this server: put the script in the file; if it does not compile, call with rejected: true";
      return { status: "proof_found", script: result.script.join("\n"), note };
    }
    case "incomplete":
      return {
        status: "exhausted",
        note: "no tactic is left to try; the statement may still be provable. A different seed or temperature gives other tactics",
      };
    case "interrupted":
      return {
        status: "budget_spent",
        note: "call again with search_id and a larger nodes_max or depth_max to continue",
      };
    case "time":
      return { status: "timed_out", note: "call again with theorem and search_id to continue" };
    default:
      return result satisfies never;
  }
}

function rootOf({ proof_state: raw_state }: Args): string {
  if (raw_state !== undefined) return normalState(raw_state, "all");
  throw new Fault("invalid_input", "A search starts with a proof_state, or continues with a search_id.", [
    "give proof_state: what lean_goal shows",
    "or the search_id from the last step",
  ]);
}

/** Runs the whole search with the server's own Lean. */
async function searchInLean(
  services: SearchServices,
  args: Args,
  theorem: string,
  context: ToolContext,
): Promise<Answer> {
  const { deadline } = context;
  const checker = await ReplChecker.open(services.repl, theorem, deadline);
  try {
    const begun = args.search_id === undefined ? beginSearch(checker.root, args) : undefined;
    return await onSearch(services, begun, args, context, async (search) => {
      if (search.nodes[0]?.state !== checker.root) throw otherSearch("theorem");
      await services.store.write(search);
      const { search: after, verdict } = await drive(
        search,
        {
          checker,
          draw: (state) => offersFor(services, { state, order: search.order }, context),
          onStep: (now) => services.store.write(now),
        },
        deadline,
      );
      await services.store.write(after);
      return answerOf(after, verdict);
    });
  } finally {
    checker.close();
  }
}

function otherSearch(root: "state" | "theorem"): Fault {
  return new Fault("invalid_input", `That search started with a different ${root}.`, [
    "omit search_id to begin a new one",
    "or pass search_id with items, and no proof_state, to continue that one",
  ]);
}

function nothingTried(): Fault {
  return new Fault("invalid_input", "This search has no open snippets, so there is nothing to report.", [
    "pass the search_id that came with the snippets; to begin a search, omit items",
    "call with search_id alone to get the next snippets",
  ]);
}
