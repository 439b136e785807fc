import * as z from "zod/v4";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { timeout_ms } from "../../kernel/timeout.ts";
import {
  annotated,
  type CallContext,
  defineTool,
  outputOf,
  type Question,
  type RemoteCall,
  type Tool,
  type ToolContext,
} from "../../kernel/tool.ts";
import { unfitFor } from "../../viewer/figures/index.ts";
import { literalsIn } from "../../viewer/literals.ts";
import type { View } from "../../viewer/view.ts";
import { model_id, view } from "./arguments.ts";
import { habitsOf, isAboutText } from "./change.ts";
import type { Items } from "./items/items.ts";
import { type Model, waitedTooLong } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { needsOf, notBegun, type Outcome, type SolveOptions, type Values } from "./language.ts";
import { expectTaken, solve_options } from "./languages/options.ts";
import { model_limits } from "./limits.ts";
import { withPlans } from "./plans/asked.ts";
import { changesIn } from "./plans/changes.ts";
import { ownShare, rowsOf } from "./plans/rows.ts";
import { Incumbents } from "./solution/incumbents.ts";
import { applySessionUpdate, readSessionUpdate, sessionUpdateOf } from "./solution/session_update.ts";
import { type SolveAnswer, solve_output, solveAnswer } from "./solution/solve_answer.ts";
import { renderSolve } from "./solution/solve_text.ts";
import { statusOf, valuesOf } from "./solution/status.ts";

/** `solve_model`: decides the current items, while other calls can continue to edit them. */
export function solveModel(store: Store): Tool {
  return defineTool({
    name: "solve_model",
    description:
      "Solve the model: sat with values, unsat with what conflicts; unknown and timeout are not verdicts. On a fault, correct the item it names with replace_item. Options as of solve.",
    annotations: annotated("Solve the model", "updates"),
    input,
    output: solve_output,
    listed_output: listed_fields,
    limit_ms: ({ timeout_ms }) => timeout_ms,
    question: (args) => wholeQuestion(store, args),
    remoteCall: (args) => remoteSolve(store, args),
    async run({ timeout_ms, model_id, view, ...asked }, context) {
      const model = store.at(model_id);
      expectTaken(model.language, asked);
      const options = withPlans(asked, store, model);
      return answerFor(store, model, { timeout_ms, options, view }, context);
    },
    render: renderSolve,
  });
}

/**
 * The only output fields that are listed; other fields appear only for some questions, repeat information in another
 * form, or are meant for people.
 */
const listed_fields = ["status"] as const;

const input = z.strictObject({ timeout_ms, model_id, ...solve_options, view });
type SolveModelArguments = z.output<typeof input>;

/** Returns the equivalent call of `solve`, with the current items and data. Raises `busy`. */
async function wholeQuestion(
  store: Store,
  { model_id, timeout_ms, ...options }: SolveModelArguments,
): Promise<Question> {
  const model = store.at(model_id);
  const { data, kept } = withKept(model, withPlans(options, store, model));
  const now = await model.snapshot(new Deadline(model_limits.change_ms_max));
  if (now === "expired") throw waitedTooLong();
  return questionOf(model, now.items, {
    timeout_ms,
    ...options,
    ...(data && { data }),
    ...(kept && { keep: kept.values }),
  });
}

function questionOf({ language }: Model, items: Items, options: object): Question {
  return { tool: "solve", arguments: { language: language.id, items, ...options } };
}

/**
 * Prepares the call for another process, whose answer is then applied to the model. Returns null if data from an
 * earlier call is kept. Names in such data that no longer occur in the model are ignored, and only this process knows
 * which data is from an earlier call.
 */
async function remoteSolve(
  store: Store,
  { model_id, ...options }: SolveModelArguments,
): Promise<RemoteCall<SolveAnswer> | null> {
  const model = store.at(model_id);
  const now = await model.snapshot(new Deadline(model_limits.change_ms_max));
  if (now === "expired" || now.items.length === 0) return null;
  if (withKept(model, options).data_kept !== undefined || (options.keep ?? false) !== false) return null;
  return {
    question: questionOf(model, now.items, options),
    needs: needsOf(model.language, now.items, options),
    settle({ answer, session_update }) {
      if (!answer) return undefined;
      const { model_id: _, ...solved } = answer.structured;
      const read = outputOf({ name: "solve_model", output: solve_output }, solved);
      const update = readSessionUpdate(session_update);
      if (options.data !== undefined) model.data = options.data;
      if (update) applySessionUpdate(update, model, now.revision);
      return { ...read, warnings: [...model.refusals.warnings(), ...read.warnings] };
    },
  };
}

/** How to solve a model. */
export interface Order {
  readonly timeout_ms: number;
  readonly options: SolveOptions;
  /** How the answer is presented to people. */
  readonly view?: View | undefined;
  /** The outcome of a solve that has already started. */
  readonly begun?: Begun | undefined;
}

/** A solve that started before the model's check ended, and its start time. */
export interface Begun {
  readonly outcome: Promise<Outcome>;
  readonly start: number;
  readonly incumbents: Incumbents;
}

/**
 * Solves a model and stores the values in it. Raises the faults of the model's language, with further possible causes.
 */
export async function answerFor(
  store: Store,
  model: Model,
  { timeout_ms, options, view, begun }: Order,
  context: ToolContext,
): Promise<SolveAnswer> {
  const start = begun?.start ?? performance.now();
  const incumbents = begun?.incumbents ?? new Incumbents(context.onEvent);
  const { outcome, revision, items, notes } = await solveOf(store, model, { options, begun, incumbents }, context);
  const solve_time = Math.round(performance.now() - start) / 1000;
  const { verdict, checker } = outcome;
  const values = valuesOf(verdict);
  const { solutions = undefined, index_names = undefined } = verdict.kind === "sat" ? verdict : {};
  const values_found = values
    ? {
        values,
        ...(solutions && { solutions }),
        ...(index_names && { index_names }),
        ...(checker?.status === "violated" && { violations: checker.violations }),
      }
    : undefined;
  const slow = store.slow.about(outcome.engine, solve_time * 1000);
  const drawn = view && values ? viewRemarks(view, values, { ...literalsIn(items), ...model.data }) : [];
  const warnings = [...model.refusals.warnings(), ...notes, ...outcome.warnings, ...slow, ...drawn];
  const shown = incumbents.shownWith(verdict);
  const answer = solveAnswer({ ...outcome, warnings }, timeout_ms, solve_time, context);
  const about = { options: optionsOf({ ...options, timeout_ms }), answer: withoutValues(answer) };
  model.record({ status: statusOf(verdict), values_found, solve_time, revision, about });
  context.onSessionUpdate?.(sessionUpdateOf(model));
  return { ...answer, ...(shown && { incumbents: shown }) };
}

/** Returns the given options without the data, which is stored in the model. */
function optionsOf({ data: _data, data_files: _files, ...options }: SolveOptions & { readonly timeout_ms: number }) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Returns an answer without its values and output. */
function withoutValues(answer: SolveAnswer): Record<string, unknown> {
  const { status, objective_value, optimal, claimed, confirmed, confirmed_by, unconfirmed, unchecked } = answer;
  const { certificate, message, reason, unsat_items, count, engine } = answer;
  const all = { status, objective_value, optimal, claimed, confirmed, confirmed_by, unconfirmed, unchecked };
  const stated = { ...all, certificate, message, reason, unsat_items, count, engine };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

/**
 * Returns a warning if a view does not fit the values; the answer is not changed, and the next call can correct the
 * view.
 */
function viewRemarks(view: View, values: Values, data: SolveOptions["data"]): string[] {
  const unfit = unfitFor(view, values, data ?? {});
  return unfit === undefined ? [] : [`view was not used: ${unfit}.`];
}

interface Solved {
  readonly outcome: Outcome;
  readonly revision: number;
  readonly items: Items;
}

interface Ordered extends Pick<Order, "options" | "begun"> {
  readonly incumbents: Incumbents;
}

/** Solves with the model's current data, and adds further possible causes to a fault. */
async function solveOf(
  store: Store,
  model: Model,
  { options: options_now, begun, incumbents }: Ordered,
  context: ToolContext,
): Promise<Solved & { readonly notes: readonly string[] }> {
  const options = withHint(model, withKept(model, options_now));
  const data_before = model.data;
  try {
    const solved = await solve(model, { options, begun, incumbents }, context);
    // Keeps data that was added in the meantime, since it is newer.
    if (model.data === data_before) model.data = options.data;
    return { ...solved, notes: options.data_kept ? [keptNote(options.data_kept)] : [] };
  } catch (thrown) {
    // The items are kept so that they can be corrected, and so is the first data.
    model.data ??= options.data;
    if (thrown instanceof Fault && isAboutText(thrown)) throw await withHabits(thrown, store, model, context);
    throw thrown;
  }
}

/** Adds the data of earlier calls to the options; this call's data replaces individual parameters. */
export function withKept<Options extends Pick<SolveOptions, "data">>(
  model: Model,
  options: Options,
): Options & Pick<SolveOptions, "data" | "data_kept"> {
  const data_kept = Object.keys(model.data ?? {}).filter((name) => !Object.hasOwn(options.data ?? {}, name));
  return data_kept.length === 0 ? options : { ...options, data: { ...model.data, ...options.data }, data_kept };
}

/**
 * The options with the model's last solution, with which engines that can do so start their search. A reproducible
 * answer must not depend on earlier ones.
 */
export function withHint({ plan }: Model, options: SolveOptions): SolveOptions {
  return plan && !options.reproducible ? { ...options, hint: plan.values } : options;
}

function keptNote(names: readonly string[]): string {
  const listed = names.slice(0, model_limits.names_listed_max).join(", ");
  const more = names.length > model_limits.names_listed_max ? ", …" : "";
  return `Data from an earlier call still applies: ${listed}${more}. Data in this call replaces parameters by name.`;
}

/** Adds steps to a fault, since the item that it names may be written in another language. */
async function withHabits(fault: Fault, store: Store, model: Model, { signal }: CallContext): Promise<Fault> {
  const item = fault.position?.item;
  if (item === undefined) return fault;
  // Uses a new deadline, since the solve's time may be over, and this only reads existing items.
  const now = await model.snapshot(new Deadline(model_limits.change_ms_max, signal));
  const steps = now === "expired" ? [] : habitsOf(fault, now.items[item], model, store);
  return fault.with({ steps: [...steps, ...fault.all_steps] });
}

async function solve(model: Model, { options, begun, incumbents }: Ordered, context: ToolContext): Promise<Solved> {
  const { progress } = context;
  const deadline = context.deadline.atMost(context.deadline.left_ms * ownShare(options));
  const now = await model.snapshot(deadline);
  if (now === "expired") return { outcome: notBegun(model.language.id, waited), revision: model.revision, items: [] };
  if (now.items.length === 0) throw nothingToSolve(model, model.refusals.warnings());
  progress("solving the model");
  const outcome =
    begun?.outcome ?? model.language.solve(now.items, { deadline, progress, news: incumbents.news, options });
  const solved = await outcome;
  const kept = options.kept && changesIn(solved, options.kept);
  const rows = await rowsOf({ language: model.language, items: now.items, options }, solved, context);
  return { outcome: { ...solved, ...(kept && { kept }), ...rows }, ...now };
}

const waited = "Earlier changes used up the time limit; solving was not started.";

/** Creates the fault for a model without items. */
export function nothingToSolve({ id }: Model, refused: readonly string[]): Fault {
  return new Fault("input_rejected", `The model "${id}" is empty: there is nothing to solve.`, [
    ...refused,
    "add declarations and constraints with add_item",
    "give model_id if you meant another model",
  ]);
}
