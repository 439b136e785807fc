import { SlowNote } from "../../../engines/wasm/slow_note.ts";
import { Fault } from "../../../kernel/fault.ts";
import { shown } from "../../../kernel/text/cut.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";
import { writtenIn } from "../../written_in.ts";
import { isChecker } from "../checker/item.ts";
import type { Language } from "../language.ts";
import { model_limits } from "../limits.ts";
import type { Items } from "./items.ts";
import { Model } from "./model.ts";

/** The `clear_model` arguments that select a model. */
export interface Wish {
  readonly model_id?: string | undefined;
  readonly language?: string | undefined;
}

/** The models of one connection; one of them is the current model. */
export class Store {
  readonly #languages: readonly Language[];
  readonly #locked: Language | undefined;
  /** The models, ordered by last use. */
  readonly #models = new Map<string, { readonly model: Model; readonly used_ms: number }>();
  /** Notes shown only once to this client. */
  readonly slow = new SlowNote();
  #current: string | undefined;
  #named = 0;
  /** The last model whose solve ended with a fault, as it was then. */
  #faulty: { readonly model: Model; readonly revision: number; readonly what: string } | undefined;

  /**
   * A locked language is the only one available. Otherwise, the first language is the default. Raises
   * `invalid_argument`.
   */
  constructor(languages: readonly Language[], locked?: string) {
    this.#languages = languages;
    this.#locked = locked === undefined ? undefined : this.#language(locked);
  }

  /**
   * Returns the named model, or the current one; creates a model if the connection has none. Raises `invalid_argument`
   * for a model that never existed or no longer exists.
   */
  at(model_id: string | undefined): Model {
    this.#expire();
    const id = model_id ?? this.#current;
    if (id === undefined) return this.clear({});
    const model = this.#models.get(id)?.model;
    if (!model) throw this.#unknownModel(id, model_id === undefined);
    this.#use(model);
    return model;
  }

  /** Like `at`, for adding an item: a new model without a chosen language gets the language that the item reveals. */
  atItem(model_id: string | undefined, text: string): Model {
    const model = this.at(model_id);
    const shown_language = model.revision === 0 && model.language_defaulted ? this.#shownBy([text]) : undefined;
    if (shown_language === undefined) return model;
    const other = this.clear({ model_id: model.id, language: shown_language.id });
    other.data = model.data;
    return other;
  }

  /** Replaces the named or current model with an empty model, or creates one, and makes it current. */
  clear({ model_id, language }: Wish): Model {
    this.#expire();
    const id = model_id ?? this.#current ?? this.#freshId();
    const before = this.#models.get(id)?.model;
    const chosen = language === undefined ? (this.#locked ?? before?.language) : this.#choose(language);
    // The language of the previous model is kept.
    const defaulted = language === undefined && !this.#locked && (before?.language_defaulted ?? true);
    const model = new Model(id, chosen ?? this.#default(), defaulted);
    this.#current = id;
    this.#use(model);
    return model;
  }

  /**
   * Returns the language for a new model: the named language, or the one that the model's texts reveal. Raises
   * `invalid_argument`.
   */
  languageOf(language: string | undefined, texts: Items = []): Language {
    return language === undefined ? (this.#locked ?? this.#shownBy(texts) ?? this.#default()) : this.#choose(language);
  }

  /** Returns an empty model for these texts, with a unique id, without storing it. Raises `invalid_argument`. */
  draft(language: string | undefined, texts: Items = []): Model {
    return new Model(this.#freshId(), this.languageOf(language, texts), language === undefined && !this.#locked);
  }

  /**
   * Stores a draft and makes it the current model. The draft gets another id if a call has created a model with its id
   * in the meantime.
   */
  adopt(model: Model): void {
    if (this.#models.has(model.id)) model.id = this.#freshId();
    this.#current = model.id;
    this.#use(model);
  }

  /** Records the fault with which the solve of a new model ended. */
  noteFault(model: Model, { what }: Fault): void {
    this.#faulty = { model, revision: model.revision, what };
  }

  /** Returns a step that names the current model if its solve ended with a fault and it has not been edited since. */
  stepOnFaulty(): string | undefined {
    const { model, revision, what = "" } = this.#faulty ?? {};
    if (!model || model.id !== this.#current || model.revision !== revision) return undefined;
    return `this is about the current model ${model.id}, whose solve ended with: ${what.replace(/\.$/, "")}; pass model_id to use another model`;
  }

  /** Removes a model because its call will be repeated, and frees its id if that is the latest one. */
  forget(model: Model): void {
    this.#models.delete(model.id);
    if (model.id === `m${this.#named}`) this.#named--;
    if (this.#current === model.id) this.#current = [...this.#models.keys()].at(-1);
  }

  /** Whether a model with this id exists. */
  has(id: string): boolean {
    return this.#models.has(id);
  }

  /** The languages available to clients. */
  get choices(): readonly Language[] {
    return this.#locked ? [this.#locked] : this.#languages;
  }

  #use(model: Model): void {
    this.#models.delete(model.id);
    this.#models.set(model.id, { model, used_ms: Date.now() });
    this.#makeRoom();
  }

  #expire(): void {
    const oldest = Date.now() - model_limits.model_idle_ms_max;
    for (const [id, { used_ms }] of this.#models) {
      if (used_ms > oldest) return;
      this.#models.delete(id);
    }
  }

  /** Deletes the least recently used models, but never the last one. */
  #makeRoom(): void {
    let chars = 0;
    for (const { model } of this.#models.values()) chars += model.chars;
    for (const [id, { model }] of this.#models) {
      const fits = this.#models.size <= model_limits.models_max && chars <= model_limits.models_chars_max;
      if (fits || this.#models.size === 1) return;
      this.#models.delete(id);
      chars -= model.chars;
    }
  }

  #freshId(): string {
    for (;;) {
      const id = `m${++this.#named}`;
      if (!this.#models.has(id)) return id;
    }
  }

  /** Returns the language that the first text with recognisable notation is written in, if only one is possible. */
  #shownBy(texts: Items): Language | undefined {
    const written = texts
      .filter((text) => !isChecker(text))
      .map((text) => writtenIn(text))
      .find((each) => each !== undefined);
    if (written === undefined || written.languages.length !== 1 || written.instead !== undefined) return undefined;
    return this.#languages.find(({ id }) => id === written.languages[0]);
  }

  #default(): Language {
    const [first] = this.#languages;
    if (first) return first;
    throw new Fault("engine_missing", "This server has no modelling language.", [
      "use another toolset, for example solve_smtlib",
      "run `verdict doctor` to see which engines are available",
    ]);
  }

  #choose(id: string): Language {
    const language = this.#language(id);
    if (!this.#locked || language === this.#locked) return language;
    throw new Fault("invalid_argument", `This server was started only for the language "${this.#locked.id}".`, [
      `omit language, or send "${this.#locked.id}"`,
      `for "${id}" the user has to start the server without --language and VERDICT_LANGUAGE`,
    ]);
  }

  #language(name: string): Language {
    const normal_name = name.trim().toLowerCase();
    const language = this.#languages.find(({ id, also }) => id === normal_name || also?.includes(normal_name));
    if (language) return language;
    const ids = this.#languages.map((language) => language.id);
    const suggestion = nearest(normal_name, ids).map((other) => ` Did you mean "${other}"?`);
    throw new Fault("invalid_argument", `There is no language ${shown(name)}.${suggestion.join("")}`, [
      `choose from: ${ids.join(", ")}`,
      /^smt/.test(normal_name) ? "send an SMT-LIB script to solve_smtlib" : "omit language for the default",
    ]);
  }

  #unknownModel(id: string, was_current: boolean): Fault {
    const ids = [...this.#models.keys()].reverse();
    const listed = ids.slice(0, model_limits.names_listed_max).join(", ");
    const more =
      ids.length > model_limits.names_listed_max ? `, and ${ids.length - model_limits.names_listed_max} more` : "";
    const hours = model_limits.model_idle_ms_max / 3_600_000;
    const what = was_current ? `The current model "${id}" is gone` : `There is no model "${id}"`;
    const why = `models expire after ${hours} h without use, or earlier if there are too many of them`;
    return new Fault("invalid_argument", `${what}; ${why}.`, [
      ids.length > 0
        ? `pass the id of an existing model: ${listed}${more}`
        : "no model exists: clear_model creates one",
      `clear_model with model_id "${id}" creates an empty model with this name`,
    ]);
  }
}
