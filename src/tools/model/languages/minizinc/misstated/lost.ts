import type { Answer } from "../../../../../engines/minizinc/read.ts";
import { model_file } from "../faults.ts";
import { withOperators } from "../source/brackets.ts";
import type { Statement } from "../source/source.ts";

/** The beginning of the compiler's messages about an undefined value. */
export const undefined_is_false = "undefined result becomes false";

/**
 * Whether the library asked for the least index of a list without elements, or for a bound of nothing, which made its
 * constraint false.
 */
export function losesEmptyLists({ warnings }: Pick<Answer, "warnings">): boolean {
  return warnings.some(
    ({ message, places: [inner] }) =>
      message.startsWith(undefined_is_false) &&
      /\bempty\b/.test(message) &&
      inner !== undefined &&
      inner.file !== model_file,
  );
}

/**
 * Whether the compiler, which warned of an undefined value, may have lost that it makes the comparison around it false:
 * this happens under `not`, `xor` and `<->`.
 */
export function losesUndefined(statements: readonly Statement[], { warnings }: Pick<Answer, "warnings">): boolean {
  const is_warned = warnings.some(({ message }) => message.startsWith(undefined_is_false));
  return (
    is_warned &&
    statements.some(({ tokens }) => withOperators(tokens).some(({ text }) => /^(?:not|xor|<->)$/.test(text)))
  );
}
