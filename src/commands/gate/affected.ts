import type { Use } from "../../engines/python/checker/changes.ts";
import type { Change } from "./changed.ts";
import type { Comparison, Result } from "./report.ts";

/** The answers about functions whose own code changed, by which functions that use them are judged. */
export class OwnAnswers {
  readonly #statuses = new Map<string, string | null>();

  /** Notes the answer about a change; only functions with changes of their own count. */
  add({ kind, base, head, through }: Change, { comparison }: Pick<Result, "comparison">): void {
    if (kind === "same_code" || through.length > 0) return;
    const status = kind === "changed" ? (comparison?.status ?? null) : null;
    for (const place of [base, head]) if (place) this.#statuses.set(`${place.file}::${place.name}`, status);
  }

  /** The status of a function that is affected by these functions; undefined if one of them has no change of its own. */
  affected(file: string, uses: readonly Use[] | null): Comparison | undefined {
    if (!uses || uses.length === 0) return undefined;
    const used = uses.map(({ name, path, by_value }) => {
      const place = { file: path || file, function: name };
      return { place, by_value, status: this.#statuses.get(`${place.file}::${name}`) };
    });
    if (used.some(({ status }) => status === undefined)) return undefined;
    const same = ["same_code", "equivalent"];
    return {
      status: "affected",
      uses: used.map(({ place, status = null }) => ({ ...place, status })),
      are_same: used.every(({ status, by_value }) => by_value && same.includes(status ?? "")),
      notes: [],
      cached: false,
      time_seconds: 0,
    };
  }
}

/** The answers that a function has whatever it uses; `error` says nothing about the function. */
const answers: readonly string[] = ["same_code", "equivalent", "different", "error"];

/** The answer about an affected function, or how it is affected if the question about it had no answer. */
export function answerOr(affected: Comparison, asked: Comparison): Comparison {
  if (answers.includes(asked.status)) return asked;
  const { status, why = "no difference was found, without a proof", cached, time_seconds } = asked;
  return { ...affected, asked: { status, why }, cached, time_seconds };
}

/** Whether a question was asked, which takes time. */
export function tookTime({ status, asked }: Pick<Comparison, "asked"> & { readonly status: string }): boolean {
  return status === "affected" ? asked !== undefined && asked.status !== "not_checked" : status !== "not_checked";
}
