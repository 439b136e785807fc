import type { Message, Place } from "../../../../engines/clingo/messages.ts";
import { Fault, type Position } from "../../../../kernel/fault.ts";
import { limits } from "../../../../kernel/limits.ts";
import { correct_and_send, type Step } from "../../../../kernel/step.ts";
import { ItemLines } from "../../items/item_lines.ts";
import type { AspProgram } from "./program.ts";

interface Hint {
  readonly message: RegExp;
  readonly steps: readonly Step[];
}

/** Hints for frequent errors, recognised by clingo's messages. */
const hints: readonly Hint[] = [
  { message: /unexpected EOF|unexpected <EOF>/, steps: ['end the last statement with a full stop "."'] },
  {
    message: /unexpected <IDENTIFIER>/,
    steps: ["write the comma or full stop that is missing before this position"],
  },
  {
    message: /unexpected <VARIABLE>/,
    steps: [
      "write the comma or full stop that is missing before this position",
      "or begin a predicate or constant with a lower-case letter",
    ],
  },
  {
    message: /unexpected :-|unexpected if/,
    steps: ["end the preceding statement with a full stop", "a rule has one :-, and a constraint begins with it"],
  },
  {
    message: /unexpected <NUMBER>|unexpected <STRING>/,
    steps: ["write the comma that is missing before this position"],
  },
  {
    message: /redefinition of constant/,
    steps: [
      {
        call: "keep one #const of this name; replace_item changes its value",
        shell: "keep one #const of this name",
      },
    ],
  },
  {
    message: /no definition found for theory atom/,
    steps: ["theory atoms (&name) are not supported: use #sum, #count and arithmetic"],
  },
  {
    message: /Integer overflow|too large/,
    steps: [
      "the sums of weights must stay within 32 bits: divide all weights by a common factor",
      "model this in the language minizinc, or in the language z3",
    ],
  },
];

/** Translates clingo's messages into positions in the model's items. */
export class AspMessages {
  readonly #lines: ItemLines;

  constructor(program: AspProgram) {
    this.#lines = new ItemLines(program.bare_items);
  }

  /** Returns the fault for the first error; undefined if there is no error. */
  fault(messages: readonly Message[]): Fault | undefined {
    const errors = messages.filter(({ severity }) => severity === "error");
    const error = errors.find(({ place }) => place) ?? errors[0];
    return error && this.#faultOf(error);
  }

  /** Returns clingo's warnings about atoms that no rule derives, and about operations without a result. */
  warnings(messages: readonly Message[]): string[] {
    const steps = messages
      .filter(({ severity }) => severity !== "error")
      .map(({ place, text }) => `${this.#where(place)}${plainly(text)}`);
    return [...new Set(steps)];
  }

  #faultOf({ place, text, notes }: Message): Fault {
    const unsafe = notes.flatMap((note) => /^'(.*)' is unsafe$/.exec(note.text)?.[1] ?? []);
    if (unsafe.length > 0) return this.#unsafe(unsafe, notes[0]?.place ?? place);
    const steps = hints.filter(({ message }) => message.test(text)).flatMap((hint) => hint.steps);
    const code = /syntax error|lexer error/.test(text) ? "syntax_error" : "input_rejected";
    const quoted = text.slice(0, limits.fault_quote_chars_max);
    return new Fault(
      code,
      { where: this.#where(place), what: `${quoted}.` },
      [...steps, correct_and_send],
      this.#position(place),
    );
  }

  #unsafe(names: readonly string[], place: Place | undefined): Fault {
    const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
    const hidden = names.some((name) => name.startsWith("#Anon"));
    const variables = names.map((name) => (name.startsWith("#Anon") ? "_" : name)).join(", ");
    return new Fault(
      "syntax_error",
      {
        where: this.#where(place),
        what: `${variables} ${are} unsafe: no positive literal in the body binds ${them}.`,
      },
      [
        ...(hidden ? ["replace `_` with a named variable: in a head it has no value"] : []),
        `bind ${variables} with a positive literal in the same body or condition, for example a domain predicate: … :- …, dom(${hidden ? "X" : names[0]}).`,
        "negated literals (not p(X)), comparisons and heads do not bind; X = 1..9 and X = Y+1 with a bound Y do",
      ],
      this.#position(place),
    );
  }

  #where(place: Place | undefined): string {
    const position = this.#position(place);
    return position ? `Item ${position.item}, line ${position.line}, column ${position.column}: ` : "";
  }

  /**
   * Translates a position from bytes, which clingo counts, to characters, which a client counts. A position past the
   * end is mapped to the end of the last item.
   */
  #position(place: Place | undefined): Position | undefined {
    if (!place) return undefined;
    const place_in_item = this.#lines.placeOf(place.line);
    if (!place_in_item)
      return place.line > 1 ? this.#position({ line: place.line - 1, column: Number.MAX_SAFE_INTEGER }) : undefined;
    const before = Buffer.from(this.#lines.textAt(place_in_item) ?? "", "utf8").subarray(0, place.column - 1);
    return { ...place_in_item, column: before.toString("utf8").length + 1 };
  }
}

function plainly(text: string): string {
  const [, atom] = /^atom does not occur in any rule head: (.*)$/.exec(text) ?? [];
  if (atom !== undefined)
    return `${atom} does not occur in any rule head, so it is always false. Check its spelling and arity, or declare it with #defined.`;
  const [, operation] = /^operation undefined: (.*)$/.exec(text) ?? [];
  if (operation !== undefined)
    return `${operation} is undefined for some values (division by zero, or arithmetic on a non-number): rules and weights are skipped for those.`;
  return text;
}
