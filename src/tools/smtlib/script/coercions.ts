import type { Node } from "../../../engines/smt/sexpr.ts";
import type { Sort } from "../../../evidence/smtlib/symbols.ts";
import type { Reader, Term } from "../../../evidence/smtlib/terms.ts";
import type { Lines } from "../../../kernel/text/lines.ts";
import { excerpt, refusal } from "./commands.ts";

const warnings_max = 3;

/**
 * Finds where Z3 silently converts between Bool, Int and Real. A Bool that becomes 1 or 0 gets a warning. A Real that
 * would be rounded down where an Int is required is rejected. Raises `input_rejected`.
 */
export class CoercionReader implements Reader {
  readonly #text: string;
  readonly #lines: Lines;
  readonly warnings: string[] = [];

  constructor(text: string, lines: Lines) {
    this.#text = text;
    this.#lines = lines;
  }

  term({ name = "", args, sorts, own }: Term): void {
    if (args.length === 0 || own === "bound") return;
    const parameters = own ? own.length === 1 && own[0]?.parameters : required(name, sorts);
    for (const [i, sort] of (parameters || []).entries()) this.#intBelongs(name, args[i], sorts[i], sort);
    if (own) return;
    const numbers = name === "ite" ? 1 : 0;
    const is_numeric = sorts.slice(numbers).some((sort) => sort === "Int" || sort === "Real");
    if (takes_numbers.has(name) || (takes_all.has(name) && is_numeric)) this.#noBool(args, sorts, numbers);
  }

  /** Rejects a Real where an Int is required, except for an integer such as 2.0, which rounding does not change. */
  #intBelongs(name: string, node: Node | undefined, sort: Sort, parameter: Sort): void {
    if (node === undefined || sort !== "Real" || parameter !== "Int") return;
    const shown = excerpt(this.#text, node);
    if (/^-?\d+\.0*$/.test(shown)) return;
    throw refusal(
      this.#lines,
      node,
      `\`${shown}\` is a Real, and \`${name}\` requires an Int here. Z3 would round it down silently`,
      [`write (to_int ${shown}) to round it down`, "or declare both sides with the same sort"],
    );
  }

  #noBool(args: readonly Node[], sorts: readonly Sort[], from: number): void {
    const node = args[sorts.indexOf("Bool", from)];
    if (node === undefined || this.warnings.length >= warnings_max) return;
    const shown = excerpt(this.#text, node);
    this.warnings.push(
      `Line ${this.#lines.at(node.start).line}: \`${shown}\` is a Bool where a number is expected; Z3 reads true as 1 and false as 0. Write (ite ${shown} 1 0) if you mean that.`,
    );
  }
}

const takes_numbers: ReadonlySet<string> = new Set("div mod rem / + - * < <= > >=".split(" "));
const takes_all: ReadonlySet<string> = new Set("= distinct ite".split(" "));

/** Returns the sorts that a Z3 function requires, as far as Z3 converts its arguments. */
function required(name: string, sorts: readonly Sort[]): readonly Sort[] {
  if (name === "div" || name === "mod" || name === "rem") return sorts.map(() => "Int");
  if (name !== "select" && name !== "store") return [];
  return /^\((Array) (Int|Real|Bool) (Int|Real|Bool)\)$/.exec(sorts[0] ?? "")?.slice(1) ?? [];
}
