import { type List, type Node, nameOf, ReadError, readAll } from "../../../engines/smt/sexpr.ts";
import { DefectReader } from "../../../evidence/smtlib/defects.ts";
import { readTerms } from "../../../evidence/smtlib/terms.ts";
import { Fault } from "../../../kernel/fault.ts";
import { Lines, place } from "../../../kernel/text/lines.ts";
import { nearest } from "../../../kernel/text/near_miss.ts";
import { ContentsReader } from "../engines/theories.ts";
import { CoercionReader } from "./coercions.ts";
import { type Command, command_names, commandKind, excerpt, type Script } from "./commands.ts";
import { aboutModels, fateOfOption, optionName, reasonAgainstOptionsIn, wordOf } from "./options.ts";
import { StrictReader } from "./strict.ts";
import { otherLanguageOf, syntaxFault, wrongLanguage } from "./syntax_fault.ts";
import { aliasOf } from "./usage.ts";

/** The message for a missing script, in the wording of the tool's specification. */
export const missing_script =
  'Parameter "smtlib" is required and must contain valid SMT-LIB2 code. Include variable declarations, assertions, and (check-sat).';

/** Parses a script. Raises `syntax_error`, `forbidden` and `invalid_argument`, each with its position. */
export function readScript(input: string): Script {
  const warnings: string[] = [];
  const text = withoutFences(input, warnings);
  const lines = new Lines(text);
  const reader = new CommandReader(text, lines, warnings);
  const commands = reader.commands(readNodes(text, lines));
  if (reader.seen === 0) throw new Fault("invalid_argument", missing_script, write_a_script);
  const strict = new StrictReader(text, lines);
  const coercions = new CoercionReader(text, lines);
  const contents = new ContentsReader();
  const defects = new DefectReader();
  readTerms(text, commands, [strict, coercions, contents, defects]);
  const { expected, wants_no_model } = reader;
  return {
    ...{ text, lines, commands, expected, wants_no_model },
    declarations: strict.declarations,
    contents: contents.contents(),
    defects: defects.matches,
    warnings: [...warnings, ...strict.warnings, ...coercions.warnings],
  };
}

const write_a_script = [
  "declare the variables, for example (declare-const x Int)",
  "assert what must hold, for example (assert (> x 0))",
  "end with (check-sat)",
];

/**
 * Blanks out a byte order mark and the code fence around the script, and converts lone carriage returns to newlines.
 * Every position stays the same.
 */
function withoutFences(input: string, warnings: string[]): string {
  let text = (input.startsWith("\uFEFF") ? ` ${input.slice(1)}` : input).replaceAll(/\r(?!\n)/g, "\n");
  const opening = /^\s*```[ \t]*[\w.+-]*/.exec(text)?.[0];
  if (opening === undefined) return text;
  warnings.push("The code fence around the script was removed.");
  text = blank(opening) + text.slice(opening.length);
  const closing = /```\s*$/.exec(text);
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

/** Questions for other tools that language models may write as commands, with the step that answers each one. */
const of_solve: Readonly<Record<string, string>> = {
  model: "omit it: the answer contains the model",
  "get-all-models": "call solve with the language z3, the constraints in Python, and diverse: 5 for five solutions",
  "count-models": "call solve with the language z3, the constraints in Python, and count: true",
};

function stepInstead(command: string | undefined): string | undefined {
  return command === undefined ? undefined : `write ${command}`;
}

class CommandReader {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #warnings: string[];
  /** The number of commands that were read, including removed ones. */
  seen = 0;
  expected: string | undefined;
  wants_no_model = false;
  #status: string | undefined;

  constructor(text: string, lines: Lines, warnings: string[]) {
    this.#text = text;
    this.#lines = lines;
    this.#warnings = warnings;
  }

  commands(nodes: readonly Node[]): Command[] {
    const commands: Command[] = [];
    let checked = false;
    for (const [i, node] of nodes.entries()) {
      this.seen++;
      const { list, head } = this.#commandOf(node);
      const kind = commandKind(head);
      if (kind === undefined) throw this.#unknown(list, head);
      if (kind === "forbidden") throw this.#forbidden(list, `(${head} …) reads or writes files of this machine`);
      if (head === "exit") {
        const left = nodes.length - i - 1;
        if (left > 0) this.#warn(list, `${left} commands after (exit) were not run.`);
        break;
      }
      if (this.#isAnsweredByUs(list, head)) continue;
      if (kind !== "silent" || head === "declare-tactic" || head === "set-simplifier") this.#checkOptions(list);
      if (kind === "check") {
        checked = true;
        this.expected = this.#status;
        this.#status = undefined;
      }
      commands.push({ kind: kind === "ours" ? "print" : kind, head, node: list, line: this.#line(list) });
    }
    if (!checked) this.expected = this.#status;
    return commands;
  }

  #commandOf(node: Node): { list: List; head: string } {
    const head = node.kind === "list" ? nameOf(node.items[0]) : undefined;
    if (node.kind === "list" && head !== undefined) return { list: node, head };
    const position = this.#lines.at(node.start);
    const other = otherLanguageOf(this.#text);
    if (other) throw wrongLanguage(other, position);
    const actual =
      node.kind === "list" ? "a list that does not begin with a command's name" : `\`${this.#excerpt(node)}\``;
    throw new Fault(
      "syntax_error",
      `SMT-LIB syntax error at ${place(position)}: expected a command such as (assert …), found ${actual}.`,
      [
        "send only SMT-LIB commands; write prose as comments after ;",
        "begin each command with ( and its name",
        "write (assert …) around a bare formula",
      ],
      position,
    );
  }

  /** Whether a command is a logic, info or option that is not sent to Z3. */
  #isAnsweredByUs(list: List, head: string): boolean {
    const [, key, value] = list.items;
    // Z3 drops theories that a logic does not include, and then answers sat for formulas that are unsat in those
    // theories. HORN selects another engine. HO_ALL removes the names of Z3's own theories, so that a script can
    // declare them.
    if (head === "set-logic") return !/^(HORN|HO_ALL)$/.test(nameOf(key) ?? "");
    if (head === "set-info" && key?.kind === "keyword" && optionName(key.text) === "status") {
      this.#status = nameOf(value);
      return true;
    }
    if (head !== "set-option") return false;
    if (key?.kind !== "keyword") throw this.#forbidden(list, "an option is named by a plain keyword");
    const word = value?.kind === "list" ? "(…)" : wordOf(this.#text, value);
    if (aboutModels(key.text)) this.wants_no_model = word === "false";
    const fate = fateOfOption(key.text, word);
    if (fate.kind === "refuse") throw this.#forbidden(list, fate.why);
    if (fate.kind === "leave_out" && fate.remark !== undefined) this.#warn(list, fate.remark);
    return fate.kind === "leave_out";
  }

  /** Checks the options of tactics and queries, which accept options too. */
  #checkOptions(list: List): void {
    const why = reasonAgainstOptionsIn(this.#text, list);
    if (why !== undefined) throw this.#forbidden(list, why);
  }

  #unknown(list: List, head: string): Fault {
    const position = this.#lines.at(list.start);
    const alias = aliasOf(head);
    const near = alias === undefined ? nearest(head, command_names) : [];
    const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
    const message = `Unknown command \`${head}\` at ${place(position)}.${hint}`;
    const known = of_solve[head] ?? stepInstead(alias ?? (near[0] === undefined ? undefined : `(${near[0]} …)`));
    const steps =
      known === undefined
        ? ["use a command of SMT-LIB 2.7 or of Z3", `if \`${head}\` is part of a formula, put (assert …) around it`]
        : [known, "then send the whole script again"];
    return new Fault("input_rejected", message, steps, position);
  }

  #forbidden(list: List, why: string): Fault {
    const position = this.#lines.at(list.start);
    return new Fault(
      "forbidden",
      `Refused at ${place(position)}: ${why}.`,
      [
        `take \`${this.#excerpt(list)}\` out`,
        "put everything that the script needs into `smtlib`",
        "read the results from `output` and `transcript` in the answer",
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
