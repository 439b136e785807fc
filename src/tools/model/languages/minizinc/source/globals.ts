import { global_names } from "../../../../../engines/minizinc/library/globals.ts";
import type { Statement } from "../../../../../evidence/minizinc/statements.ts";
import { placed } from "../../../../../evidence/minizinc/tokens.ts";
import { Fault } from "../../../../../kernel/fault.ts";
import { correct_and_send } from "../../../../../kernel/step.ts";

/**
 * Global constraints, except `range`, which without an include usually means Python's `range`. The last ones are those of
 * other versions; if a build lacks a name, the build's own error is reported.
 */
export const globals: ReadonlySet<string> = new Set(
  [...global_names, ..."count_geq count_gt count_leq count_lt count_neq".split(" ")].filter((name) => name !== "range"),
);

/** Finds global constraints that are called, but neither included nor defined by an item; without duplicates. */
export function globalsWithoutInclude(statements: readonly Statement[]): string[] {
  const included = new Set(statements.flatMap(includedFile));
  if (included.has("globals")) return [];
  const defined = new Set(statements.flatMap(definedName));
  const called = statements.flatMap(({ tokens }) =>
    tokens.flatMap(({ kind, text }, i) => (kind === "word" && tokens[i + 1]?.text === "(" ? [text] : [])),
  );
  return [...new Set(called)].filter(
    (name) => globals.has(name) && !defined.has(name) && !included.has(name.replaceAll("_", "")),
  );
}

/** Returns the name of the file that a statement includes, without its extension: `alldifferent`. */
function includedFile({ tokens: [first, file] }: Statement): string[] {
  const name = first?.text === "include" ? /(\w+)\.mzn"$/.exec(file?.text ?? "")?.[1] : undefined;
  return name === undefined ? [] : [name.replaceAll("_", "")];
}

/** Returns the name of the predicate or function that a statement defines; it precedes the first parenthesis. */
function definedName({ tokens }: Statement): string[] {
  if (!/^(?:predicate|function|test)$/.test(tokens[0]?.text ?? "")) return [];
  const before = tokens[tokens.findIndex(({ text }) => text === "(") - 1];
  return before ? [before.text] : [];
}

/**
 * The built-ins that MiniZinc's library and the solvers use; if a model redefines one of them, the meaning of all
 * constraints changes.
 */
const built_in =
  /^(?:'\W+'|fzn_\w+|forall|exists|xorall|iffall|clause|sum|product|min|max|abs|pow|bool2int|int2float|array_(?:var_)?(?:bool|int|float|set)_(?:and|or|xor|element|maximum|minimum)(?:_imp|_reif)?|(?:bool|int|float)_(?:lin_)?(?:eq|ne|le|lt|ge|gt)(?:_imp|_reif)?|bool_(?:and|or|xor|not|clause)(?:_imp|_reif)?|(?:int|float)_(?:abs|div|max|min|mod|plus|pow|times)(?:_imp|_reif)?|set_(?:card|diff|eq|in|intersect|le|lt|ne|subset|superset|symdiff|union)(?:_imp|_reif)?)$/;

/** Raises `input_rejected` for a model that redefines a built-in. */
export function refuseOwnBuiltIns(statements: readonly Statement[]): void {
  for (const statement of statements) {
    const name = definedName(statement).find((each) => built_in.test(each));
    if (name === undefined) continue;
    const position = { item: statement.item, line: statement.line, column: 1 };
    throw new Fault(
      "input_rejected",
      {
        where: placed(position),
        what: `\`${name}\` is built into MiniZinc, and this would change its meaning, even inside other constraints.`,
      },
      [`choose another name, such as my_${name.replaceAll(/\W/g, "") || "relation"}`, correct_and_send],
      position,
    );
  }
}

/** Returns a note on global constraints that the model defines itself instead of using those in the library. */
export function ownGlobals(statements: readonly Statement[]): string[] {
  const own = [...new Set(statements.flatMap(definedName))].filter((name) => globals.has(name));
  return own.length === 0
    ? []
    : [`The model defines ${own.join(", ")} itself; the global constraint of MiniZinc's library is not used.`];
}
