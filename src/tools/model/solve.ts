import * as z from "zod/v4";
import { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import { outgrown } from "../../kernel/process/output_meter.ts";
import { timeout_ms } from "../../kernel/timeout.ts";
import { annotated, defineTool, outputOf, type RemoteCall, type Tool, type ToolContext } from "../../kernel/tool.ts";
import { itemNamed, view } from "./arguments.ts";
import { habitsOf, isAboutText, languageNote } from "./change.ts";
import { isChecker, noChecker } from "./checker/item.ts";
import { type Items, insert } from "./items/items.ts";
import type { Model } from "./items/model.ts";
import type { Store } from "./items/store.ts";
import { tidy } from "./items/tidy.ts";
import { needsOf, type Outcome, type SolveOptions } from "./language.ts";
import { described_options, expectTaken } from "./languages/options.ts";
import { model_limits } from "./limits.ts";
import { withPlans } from "./plans/asked.ts";
import { ownShare } from "./plans/rows.ts";
import { Incumbents } from "./solution/incumbents.ts";
import { applySessionUpdate, readSessionUpdate, sessionUpdateOf } from "./solution/session_update.ts";
import { solve_output } from "./solution/solve_answer.ts";
import { renderSolve } from "./solution/solve_text.ts";
import { answerFor, type Begun } from "./solve_model.ts";

const output = solve_output.extend({ model_id: z.string() });

const inputFor = (languages: string) =>
  z.strictObject({
    model: itemNamed("model").optional(),
    items: z
      .array(itemNamed("items"), {
        error: 'Parameter "items" must be a list of strings: code of the model\'s language.',
      })
      .optional(),
    checker: itemNamed("checker")
      .optional()
      .describe("Python, def violations(values, data): yields the rules that an answer breaks. Or an item."),
    language: z.string({ error: `language must be one of: ${languages}. Leave it out for the default.` }).optional(),
    timeout_ms,
    ...described_options,
    view: view.describe("{kind: gantt, start: s, duration: d, rows: m}; or grid, route, graph, bars, table."),
  });

/** `solve`: checks, solves and stores a whole model in one call, so that the item tools can edit it afterwards. */
export function solve(store: Store): Tool {
  const ids = store.choices.map(({ id }) => id).join(", ");
  return defineTool({
    name: "solve",
    description: `Check and solve a whole model; it becomes the current one. Languages: ${ids}. model is one text, also MPS, LP, OPB or DIMACS; items are several. Answers as solve_model.`,
    annotations: annotated("Solve a whole model", "adds"),
    input: inputFor(ids),
    output,
    listed_output: ["status", "model"],
    limit_ms: ({ timeout_ms }) => timeout_ms,
    question: "as_sent",
    remoteCall: async (args) => remoteSolve(store, args),
    async run({ model: text, items, checker, language, timeout_ms, view, ...asked }, context) {
      const tidied = textsOf(text, items, checker).map(tidy);
      const texts = tidied.map(({ item }) => item);
      const model = store.draft(language, texts);
      expectTaken(model.language, asked);
      const options = withPlans(asked, store, undefined);
      const { checked, begun } = await whileChecked(store, model, tidied, { options, context });
      const notes = [
        ...noteOnLanguage(store, language, texts),
        ...tidied.flatMap(({ warnings }) => warnings),
        ...checked,
      ];
      // The model is stored first, so that an item named in a fault can be corrected with replace_item.
      store.adopt(model);
      context.onSessionUpdate?.(sessionUpdateOf(model));
      const solved = answerFor(store, model, { timeout_ms, options, view, begun }, context).catch((thrown: unknown) => {
        if (thrown instanceof Fault) store.noteFault(model, thrown);
        throw thrown;
      });
      const answer = await solved.finally(() => {
        if (context.signal.reason === outgrown) store.forget(model);
      });
      // The check and the solve may make the same remark about the text.
      return {
        ...answer,
        warnings: [...new Set([...notes, ...answer.warnings])],
        model_id: context.onSessionUpdate ? "" : model.id,
      };
    },
    render: (answer) => {
      const [first, ...remarks] = renderSolve(answer);
      return [first, ...(answer.model_id === "" ? [] : [`Kept as model ${answer.model_id}.`]), ...remarks];
    },
  });
}

/**
 * Prepares the whole model for solving in another process; it is stored in this process, under an id from this session.
 */
function remoteSolve(
  store: Store,
  { model: text, items, checker, language: named, ...asked }: SolveArguments,
): RemoteCall<z.output<typeof output>> {
  const texts = textsOf(text, items, checker);
  const { kept, data } = withPlans(asked, store, undefined);
  const options = { ...asked, data, ...(kept && { keep: kept.values }) };
  const language = store.languageOf(named, texts);
  const notes = noteOnLanguage(store, named, texts);
  return {
    question: { tool: "solve", arguments: { language: language.id, items: texts, ...options } },
    needs: needsOf(language, texts, options),
    settle({ answer, session_update }) {
      const update = readSessionUpdate(session_update);
      const read = answer && outputOf({ name: "solve", output }, answer.structured);
      if (!update) return read;
      const model = store.draft(language.id);
      model.fillChecked(itemsOf(texts.map(tidy), []));
      store.adopt(model);
      if (read && options.data !== undefined) model.data = options.data;
      applySessionUpdate(update, model, model.revision);
      return read && { ...read, warnings: [...notes, ...read.warnings], model_id: model.id };
    },
  };
}

/** Returns a note for a call without `language` whose text reveals a language other than the default. */
function noteOnLanguage(store: Store, named: string | undefined, texts: Items): string[] {
  if (named !== undefined) return [];
  const { id } = store.languageOf(undefined, texts);
  return id === store.languageOf(undefined).id ? [] : [languageNote(id)];
}

type SolveArguments = z.output<ReturnType<typeof inputFor>>;

/** Returns the texts of the items, with the checker as the last one. Raises `invalid_argument`. */
export function textsOf(model: string | undefined, items: Items | undefined, checker: string | undefined): Items {
  const texts = model === undefined ? (items ?? []) : [model];
  if (checker !== undefined && !isChecker(tidy(checker).item)) throw noChecker();
  const all = checker === undefined ? texts : [...texts, checker];
  // Clients that fill in every argument send an empty list of items along with a model.
  if (texts.length > 0 && (model === undefined || items === undefined || items.length === 0)) return all;
  throw new Fault(
    "invalid_argument",
    texts.length > 0 ? 'The arguments "model" and "items" exclude each other.' : "There is no model.",
    ['send the whole model as "model": one text', 'or as "items": a list of texts, which can be edited one by one'],
  );
}

export interface SolveCall {
  readonly options: SolveOptions;
  readonly context: ToolContext;
}

/**
 * Fills the model. If solving includes the check, solving starts before the check is done, and a model that is decided
 * soon needs no check. If the check rejects a slower model, the answer is the check's fault, and the solve is stopped.
 */
async function whileChecked(
  store: Store,
  model: Model,
  texts: readonly { readonly item: string }[],
  { options, context }: SolveCall,
): Promise<{ readonly checked: readonly string[]; readonly begun?: Begun }> {
  const { language } = model;
  if (!language.remarksBesideSolving || texts.length === 0)
    return { checked: await fill(store, model, texts, { options, context }) };
  const items = itemsOf(texts, []);
  const stop = new AbortController();
  const { signal } = context.deadline;
  const own = context.deadline.atMost(context.deadline.left_ms * ownShare(options));
  const deadline = own.withSignal(AbortSignal.any([signal, stop.signal]));
  const start = performance.now();
  const incumbents = new Incumbents(context.onEvent);
  const { news } = incumbents;
  const outcome = language.solve(items, { ...context, deadline, options, news });
  const begun = { outcome, start, incumbents };
  if (await isDecidedSoon(outcome)) {
    model.fillChecked(items);
    return { checked: language.remarksBesideSolving(items), begun };
  }
  const ended = Promise.allSettled([outcome]);
  try {
    return { checked: await fill(store, model, texts, { options, context }), begun };
  } catch (refusal) {
    stop.abort();
    await ended;
    throw refusal;
  }
}

/** Whether solving reaches a verdict before a check would start; failures are left to the check. */
async function isDecidedSoon(outcome: Promise<Outcome>): Promise<boolean> {
  const decided = outcome.then(
    ({ verdict }) => verdict.kind === "sat" || verdict.kind === "unsat",
    () => false,
  );
  return (await new Deadline(model_limits.check_delay_ms).within(decided)) === true;
}

/** Appends these texts to the items. */
function itemsOf(texts: readonly { readonly item: string }[], before: Items): Items {
  return texts.reduce((items, { item }) => insert(items, item).items, before);
}

/** Puts the items into an empty model, checks it once, and returns the check's warnings. */
export async function fill(
  store: Store,
  model: Model,
  texts: readonly { readonly item: string }[],
  { options, context: { deadline, progress } }: SolveCall,
): Promise<readonly string[]> {
  progress("checking the model");
  const edit = (none: Items) => {
    const items = itemsOf(texts, none);
    return { items, index: items.length - 1, changed: "all" as const };
  };
  try {
    return (await model.change(edit, deadline, options.data)).warnings;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || !isAboutText(thrown)) throw thrown;
    const item = texts[thrown.position?.item ?? 0]?.item;
    throw thrown.with({ steps: [...habitsOf(thrown, item, model, store, "solve"), ...thrown.all_steps] });
  }
}
