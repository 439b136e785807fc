import { Fault } from "../../kernel/fault.ts";
import { Lines, place } from "../../kernel/lines.ts";
import { type List, type Node, nameOf, ReadError, readAll, walk } from "../../solvers/z3/sexpr.ts";
import { command_names, kindOf, optionName, reachesHost } from "./commands.ts";
import { nearest } from "./near_miss.ts";

/** One command that goes to the solver. */
export interface Command {
  readonly kind: "silent" | "print" | "check";
  readonly head: string;
  readonly node: List;
  readonly line: number;
}

/** A script as the solver is to run it, with what had to be changed to get there. */
export interface Script {
  /** The user's text; offsets of nodes count in it. */
  readonly text: string;
  readonly lines: Lines;
  readonly commands: readonly Command[];
  readonly warnings: readonly string[];
  /** What the script itself says of its last check (`:status`). */
  readonly expected: string | undefined;
}

/** The words of source 000 for a missing script. */
export const missing_script =
  'Parameter "smtlib" is required and must contain valid SMT-LIB2 code. Include variable declarations, assertions, and (check-sat).';

/** Reads a script. Raises `syntax_error`, `forbidden`, `invalid_argument`, each with its place. */
export function readScript(input: string): Script {
  const warnings: string[] = [];
  const text = withoutFences(input, warnings);
  const lines = new Lines(text);
  const reader = new CommandReader(text, lines, warnings);
  const commands = reader.commands(readNodes(text, lines));
  if (reader.seen === 0) throw new Fault("invalid_argument", missing_script, write_a_script);
  return { text, lines, commands, warnings, expected: reader.expected };
}

const write_a_script = [
  "declare the variables, for instance (declare-const x Int)",
  "assert what must hold, for instance (assert (> x 0))",
  "end with (check-sat)",
];

/** Blanks out a byte order mark and code fences around the script, so that positions stay as they are. */
function withoutFences(input: string, warnings: string[]): string {
  let text = input.startsWith("\uFEFF") ? ` ${input.slice(1)}` : input;
  const opening = /^\s*```[^\n]*(\n|$)/.exec(text)?.[0];
  if (opening === undefined) return text;
  warnings.push("The code fence around the script was taken off.");
  text = blank(opening) + text.slice(opening.length);
  const closing = /\n[ \t]*```\s*$/.exec(text);
  return closing ? text.slice(0, closing.index) + blank(closing[0]) : text;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

function readNodes(text: string, lines: Lines): Node[] {
  try {
    return readAll(text);
  } catch (error) {
    if (error instanceof ReadError) throw syntaxFault(error, text, lines);
    throw error;
  }
}

class CommandReader {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #warnings: string[];
  /** How many commands there were, those taken out included. */
  seen = 0;
  expected: string | undefined;
  #status: string | undefined;

  constructor(text: string, lines: Lines, warnings: string[]) {
    this.#text = text;
    this.#lines = lines;
    this.#warnings = warnings;
  }

  commands(nodes: readonly Node[]): Command[] {
    const commands: Command[] = [];
    for (const [i, node] of nodes.entries()) {
      this.seen++;
      const { list, head } = this.#commandOf(node);
      const kind = kindOf(head);
      if (kind === undefined) throw this.#unknown(list, head);
      if (kind === "forbidden") throw this.#forbidden(list, `(${head} …) reads files of this machine`);
      if (head === "exit") {
        const left = nodes.length - i - 1;
        if (left > 0) this.#warn(list, `${left} commands after (exit) were not run.`);
        break;
      }
      if (kind === "ours" && list.items.length === 1) continue;
      if (this.#isOurs(list, head)) continue;
      if (kind !== "silent" || head === "declare-tactic" || head === "set-simplifier") this.#checkOptions(list);
      if (kind === "check") this.expected = this.#status;
      commands.push({ kind: kind === "ours" ? "print" : kind, head, node: list, line: this.#line(list) });
    }
    return commands;
  }

  #commandOf(node: Node): { list: List; head: string } {
    const head = node.kind === "list" ? nameOf(node.items[0]) : undefined;
    if (node.kind === "list" && head !== undefined) return { list: node, head };
    const position = this.#lines.at(node.start);
    const found =
      node.kind === "list" ? "a list that does not begin with a command's name" : `\`${this.#excerpt(node)}\``;
    throw new Fault(
      "syntax_error",
      `SMT-LIB syntax error at ${place(position)}: expected a command such as (assert …), found ${found}.`,
      [
        "send only SMT-LIB commands; put prose behind a ;",
        "begin each command with ( and its name",
        "write (assert …) around a bare formula",
      ],
      position,
    );
  }

  /** Options and infos that we answer for ourselves. */
  #isOurs(list: List, head: string): boolean {
    const [, key, value] = list.items;
    if (head === "set-info" && key?.kind === "keyword" && optionName(key.text) === "status") {
      this.#status = nameOf(value);
      return true;
    }
    if (head !== "set-option") return false;
    if (key?.kind !== "keyword") throw this.#forbidden(list, "an option is named by a plain keyword");
    const name = optionName(key.text);
    const given = value ? this.#excerpt(value) : undefined;
    if (reachesHost(name, given)) throw this.#forbidden(list, reasonAgainst(key.text));
    if (name === "produce_unsat_cores") {
      if (given === "false")
        this.#warn(list, ":produce-unsat-cores false was left out: cores are asked for when assertions are named.");
      return true;
    }
    if (
      name === "print_success" ||
      name === "smtlib2_compliant" ||
      ((name === "produce_models" || name === "model") && given === "false")
    ) {
      if (given !== "false" || !name.startsWith("print"))
        this.#warn(list, `${key.text} was left out: it would change the form of the answer.`);
      return true;
    }
    return false;
  }

  /** Tactics and queries take options too; any of them that reaches the host is refused. */
  #checkOptions(list: List): void {
    for (const node of walk(list)) {
      if (node.kind !== "list") continue;
      for (const [i, item] of node.items.entries()) {
        if (item.kind !== "keyword") continue;
        const value = node.items[i + 1];
        const word = value && value.kind !== "keyword" && value.kind !== "list" ? this.#excerpt(value) : undefined;
        if (reachesHost(optionName(item.text), word)) throw this.#forbidden(node, reasonAgainst(item.text));
      }
    }
  }

  #unknown(list: List, head: string): Fault {
    const position = this.#lines.at(list.start);
    const near = nearest(head, command_names);
    const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
    return new Fault(
      "input_rejected",
      `Unknown command \`${head}\` at ${place(position)}.${hint}`,
      [
        near[0] ? `write (${near[0]} …)` : "use a command of SMT-LIB 2.7 or of Z3",
        near[0] || kindOf(head)
          ? "check the spelling of the command"
          : `if \`${head}\` is part of a formula, put (assert …) around it`,
      ],
      position,
    );
  }

  #forbidden(list: List, why: string): Fault {
    const position = this.#lines.at(list.start);
    return new Fault(
      "forbidden",
      `Refused at ${place(position)}: ${why}. A script can't reach files, and its output comes back in the answer.`,
      [
        `take \`${this.#excerpt(list)}\` out`,
        "put everything that the script needs into `smtlib` itself",
        "read results from the answer: `output` and `transcript` have them",
      ],
      position,
    );
  }

  #warn(list: List, text: string): void {
    this.#warnings.push(`Line ${this.#line(list)}: ${text}`);
  }

  #line(node: Node): number {
    return this.#lines.at(node.start).line;
  }

  #excerpt(node: Node): string {
    return excerpt(this.#text, node);
  }
}

const excerpt_chars_max = 80;

/** A node's text, short enough for a message. */
export function excerpt(text: string, node: Node): string {
  const whole = text.slice(node.start, Math.min(node.end, node.start + 4 * excerpt_chars_max)).replaceAll(/\s+/g, " ");
  return whole.length > excerpt_chars_max ? `${whole.slice(0, excerpt_chars_max)}…` : whole;
}

function reasonAgainst(option: string): string {
  return option.toLowerCase().includes("channel")
    ? `${option} sends the solver's output elsewhere`
    : `${option} could make the solver read or write files of this machine`;
}

function syntaxFault(error: ReadError, text: string, lines: Lines): Fault {
  const position = lines.at(error.offset);
  const [message, ...steps] = explain(error, text, lines);
  return new Fault("syntax_error", `SMT-LIB syntax error at ${place(position)}: ${message}`, steps, position);
}

/** The message, then the steps to mend it. */
function explain(error: ReadError, text: string, lines: Lines): [string, ...string[]] {
  const opened = (offset: number) =>
    `\`${text
      .slice(offset, offset + 20)
      .split("\n")[0]
      ?.trim()}\` at ${place(lines.at(offset))}`;
  const outermost = error.openings[0];
  const inside =
    outermost === undefined || outermost === error.offset ? "" : ` It stands inside of ${opened(outermost)}.`;
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
        `this closing parenthesis has no opening.${before}`,
        "take this `)` out, or move an earlier one behind it",
        "check that all S-expressions are balanced",
      ];
    }
    case "unterminated_string":
      return [
        `the string that opens here never ends.${inside}`,
        'close it with "',
        'write a quote inside of a string as ""',
      ];
    case "unterminated_symbol":
      return [
        `the quoted symbol that opens with | here never ends.${inside}`,
        "close it with |",
        "for a logical or, write (or a b)",
      ];
    case "backslash_in_symbol":
      return [
        `a backslash inside of |…| is not allowed (SMT-LIB 2.7, section 3.1).${inside}`,
        "take the backslash out of the symbol",
        "choose another name",
      ];
    case "block_comment":
      return [
        `#| … |# is no comment of SMT-LIB.${inside}`,
        "begin each line of a comment with ;",
        "or take the comment out",
      ];
    case "nul":
      return ["the text has a NUL character.", "take it out", "send the script as plain text"];
    case "character":
      return strangeCharacter(text.codePointAt(error.offset) ?? 0, inside);
  }
}

function strangeCharacter(code: number, inside: string): [string, ...string[]] {
  const shown =
    code > 32 && code < 127
      ? `\`${String.fromCodePoint(code)}\``
      : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const advice =
    code > 127
      ? "put a name with such letters between bars: |é|"
      : "put a name with special characters between bars: |a.b[0]|";
  return [
    `unexpected character ${shown}.${inside}`,
    code === 0x60
      ? "send the script alone, without Markdown around it"
      : "write plain ASCII: ordinary blanks, quotes and operators (<= for ≤, => for →)",
    advice,
  ];
}
