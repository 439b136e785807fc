import type { Answer } from "../../../../../engines/minizinc/read.ts";
import { model_file } from "../faults.ts";

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
