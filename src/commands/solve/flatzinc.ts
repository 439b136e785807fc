/** A declaration of variables, up to its name, and the rest of its line. */
const declaration = /^([ \t]*(?:var\b|array[ \t]*\[[^\]\n]*\][ \t]*of[ \t]+var\b)[^:;\n]*:[ \t]*\w+)([^;\n]*)/gm;

/**
 * FlatZinc as a model in MiniZinc, which has each of its constraints as a predicate: only the variables that FlatZinc marks
 * are shown. Lines stay lines.
 */
export function flatZincAsModel(text: string): string {
  return text.replaceAll(declaration, (_whole, named: string, rest: string) => {
    const is_shown = /::\s*output_(?:var|array)\b/.test(rest);
    return `${named} :: ${is_shown ? "add_to_output" : "no_output"}${rest}`;
  });
}
