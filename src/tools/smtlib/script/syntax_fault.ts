import type { ReadError } from "../../../engines/smt/sexpr.ts";
import { Fault, type Position } from "../../../kernel/fault.ts";
import { type Lines, place } from "../../../kernel/text/lines.ts";
import { squeezed } from "../../../kernel/text/squeezed.ts";
import { writtenIn } from "../../written_in.ts";

/** Creates the fault for text that is not a sequence of S-expressions, with the position, the reason and steps. */
export function syntaxFault(error: ReadError, text: string, lines: Lines): Fault {
  const position = lines.at(error.offset);
  const [message, ...steps] = explain(error, text, lines);
  const entity = /&(lt|gt|amp|quot);/.exec(text)?.[0];
  if (entity) steps.unshift(`write the plain character instead of ${entity}: its ; begins a comment`);
  const other = otherLanguageOf(text);
  if (other) return wrongLanguage(other, position);
  return new Fault("syntax_error", `SMT-LIB syntax error at ${place(position)}: ${message}`, steps, position);
}

/** Creates the fault for a text in another language, for which syntax errors in SMT-LIB mean nothing. */
export function wrongLanguage(other: { readonly what: string; readonly step: string }, position: Position): Fault {
  return new Fault(
    "syntax_error",
    `SMT-LIB syntax error at ${place(position)}: this looks like ${other.what}. solve_smtlib reads SMT-LIB 2 only.`,
    [other.step, "or write it as SMT-LIB: (declare-const x Int) (assert (> x 5)) (check-sat)"],
    position,
  );
}

/** Returns the message, followed by the steps to correct the error. */
function explain(error: ReadError, text: string, lines: Lines): [string, ...string[]] {
  const opened = (offset: number) =>
    `\`${text
      .slice(offset, offset + 20)
      .split("\n")[0]
      ?.trim()}\` at ${place(lines.at(offset))}`;
  const outermost = error.openings[0];
  const inside = outermost === undefined || outermost === error.offset ? "" : ` It is inside ${opened(outermost)}.`;
  switch (error.problem) {
    case "unclosed":
      return [
        `missing closing parenthesis: ${opened(error.offset)} is never closed${error.openings.length > 1 ? ` (${error.openings.length} lists are open at the end)` : ""}.${inside} Everything after it was read as part of it.`,
        `add \`)\` where ${opened(error.offset)} should end`,
        "check that all S-expressions are balanced",
      ];
    case "stray": {
      const { previous } = error;
      const before = previous
        ? ` The command ${opened(previous.start)} already ended at ${place(lines.at(previous.end - 1))}.`
        : " Nothing is open here.";
      return [
        `this closing parenthesis has no opening parenthesis.${before}`,
        "delete this `)`, or move an earlier one after it",
        "check that all S-expressions are balanced",
      ];
    }
    case "unterminated_string":
      return [
        `the string that begins here is never closed.${inside}`,
        'close it with "',
        'write a quote inside a string as ""',
      ];
    case "unterminated_symbol":
      return [
        `the quoted symbol that begins with | here is never closed.${inside}`,
        "close it with |",
        "for a logical or, write (or a b)",
      ];
    case "backslash_in_symbol":
      return [
        `a backslash inside |…| is not allowed (SMT-LIB 2.7, section 3.1).${inside}`,
        "delete the backslash",
        "choose another name",
      ];
    case "block_comment":
      return [
        `#| … |# is not a comment in SMT-LIB.${inside}`,
        "begin each line of a comment with ;",
        "or delete the comment",
      ];
    case "nul":
      return ["the text contains a NUL character.", "take it out", "send the script as plain text"];
    case "literal": {
      const literal = /^[^\s()";|]+/.exec(text.slice(error.offset))?.[0] ?? "";
      const before = text.slice(Math.max(0, error.offset - before_name_chars), error.offset);
      return named_here.test(before) ? notName(literal, inside) : strangeLiteral(literal, inside);
    }
    case "character":
      return strangeCharacter(text.codePointAt(error.offset) ?? 0, inside);
  }
}

/** Matches the text before a name that a script introduces. */
const named_here = /(?::named|\((?:declare|define)-[\w-]+)\s+$/;
const before_name_chars = 80;

/** Returns the message and the steps for anything that is used as a name but is not one. */
export function notName(literal: string, inside: string): [string, ...string[]] {
  const bare = literal.replace(/[^\w.-]/g, "");
  return [
    `\`${literal}\` is not a name: a name begins with a letter, or is enclosed in bars.${inside}`,
    `write |${bare || "a"}|, or a name that begins with a letter, such as n${bare}`,
    "write the same name wherever it is used",
  ];
}

function strangeLiteral(literal: string, inside: string): [string, ...string[]] {
  const product = /^(-?\d+)([a-zA-Z_]\w*)$/.exec(literal);
  const difference = /^(-?\d+)([-+])(\d+)$/.exec(literal);
  const hexadecimal = /^0[xX]([\da-fA-F]+)$/.exec(literal);
  const grouped = /^-?\d{1,3}(_\d+)+(\.\d+)?$/.test(literal) || /^-?\d+(_\d{3})+$/.test(literal);
  const decimal = /^-?\d+\.$/.test(literal) || /^-?[\d.]+[eE][-+]?\d+$/.test(literal);
  const write = hexadecimal
    ? `write #x${hexadecimal[1]} for a bit-vector, or ${Number.parseInt(hexadecimal[1] ?? "0", 16)} for an Int`
    : grouped
      ? `write ${literal.replaceAll("_", "")}, without _`
      : decimal
        ? `write the number in full: ${inFull(literal)}`
        : product
          ? `write (* ${product[1]} ${product[2]}) for a product`
          : difference
            ? `write (${difference[2]} ${difference[1]} ${difference[3]})`
            : "write numerals as 12, decimals as 1.5, bit-vectors as #x0f or #b0011, negative numbers as (- 5)";
  return [`\`${literal}\` is not an SMT-LIB literal.${inside}`, write, "put a space between a number and a name"];
}

/** Writes a number with an exponent, or with a point at its end, in the form that SMT-LIB requires. */
function inFull(literal: string): string {
  const read = /^(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d{1,2}))?$/.exec(literal);
  if (!read) return "1500000.0 for 1.5e6";
  const [, sign, whole = "", part = "", exponent = "0"] = read;
  const shift = Number(exponent);
  const digits = `${"0".repeat(Math.max(0, -shift))}${whole}${part}${"0".repeat(Math.max(0, shift))}`;
  const point = Math.max(0, -shift) + whole.length + shift;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, "") || "0";
  const after = digits.slice(point).replace(/0+$/, "") || "0";
  return sign === "" ? `${before}.${after}` : `(- ${before}.${after})`;
}

/** Corrections for characters that SMT-LIB does not have. */
const translations: Readonly<Record<string, string>> = {
  "≤": "<=",
  "≥": ">=",
  "≠": "(distinct a b)",
  "∧": "(and a b)",
  "∨": "(or a b)",
  "¬": "(not a)",
  "→": "(=> a b)",
  "⇒": "(=> a b)",
  "↔": "(= a b)",
  "⇔": "(= a b)",
  "∀": "(forall ((x Int)) …)",
  "∃": "(exists ((x Int)) …)",
  "×": "(* a b)",
  "·": "(* a b)",
  "÷": "(div a b) or (/ a b)",
  "−": "- (the plain minus)",
  "–": "- (the plain minus)",
  "“": '"',
  "”": '"',
  "‘": "|name| or nothing",
  "’": "|name| or nothing",
  "'": 'a string in double quotes: "text"',
  "`": "only the script, without Markdown around it",
  "{": "( and )",
  "}": "( and )",
  "[": "(select a i) for an array, ( and ) for grouping",
  "]": "(select a i) for an array, ( and ) for grouping",
  ",": "a space between arguments",
  "\\": "real line breaks: the script has the two characters \\n, or another backslash",
  "\u00a0": "an ordinary space",
};

function strangeCharacter(code: number, inside: string): [string, ...string[]] {
  const character = String.fromCodePoint(code);
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const shown = code < 127 ? `\`${character}\`` : code === 0xa0 ? number : `\`${character}\` (${number})`;
  const instead = translations[character];
  return [
    `unexpected character ${shown}.${inside}`,
    instead ? `write ${instead} instead` : "use plain ASCII outside strings and comments",
    "put a name with special characters between bars: |a.b[0]|",
  ];
}

const is_smtlib = /^\s*\((?:set-|declare-|define-|assert|check-sat|push|pop)/m;

/**
 * Recognises the language of a text that is not SMT-LIB, and suggests the next step; undefined if it is not recognised.
 */
export function otherLanguageOf(text: string): { readonly what: string; readonly step: string } | undefined {
  const written = is_smtlib.test(squeezed(text)) ? undefined : writtenIn(text);
  if (!written || written.what === "SMT-LIB") return undefined;
  const { what, languages, instead } = written;
  const tools = `send it as it is to the tool solve, ${languages.map((id) => `with language: "${id}"`).join(", or ")}`;
  return { what, step: languages.length > 0 ? tools : (instead ?? tools) };
}
