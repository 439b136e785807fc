import type { Z3Error } from "../../engines/smt/read.ts";
import type { List, Node } from "../../engines/smt/sexpr.ts";
import { Fault } from "../../kernel/fault.ts";
import { place } from "../../kernel/text/lines.ts";
import { adviceOn } from "./advice.ts";
import type { Piece } from "./piece.ts";
import type { Step } from "./plan.ts";
import { excerpt, refusal, type Script } from "./script/commands.ts";
import { isOfCvc5 } from "./script/vocabulary.ts";

const errors_shown_max = 4;

/** Creates the fault for a solver's error, with lines and columns in the user's text, and with steps. */
export function rejection(
  script: Script,
  piece: Piece,
  first_line: number,
  errors: readonly Z3Error[],
  title: string,
): Fault {
  const placed = errors.slice(0, errors_shown_max).map((error) => {
    if (error.line < first_line) return { message: inShort(error.message), position: undefined };
    const offset = piece.locate(error.line - first_line, error.column);
    return { message: inShort(error.message), position: script.lines.at(offset), offset };
  });
  const [first] = placed;
  if (!first) throw new Error("a rejection needs an error");
  const where = first.position ? `Line ${first.position.line}, column ${first.position.column}: ` : "";
  const lists = first.offset === undefined ? [] : listsAround(script, first.offset);
  const { hint, steps } = title === "Z3" ? adviceOn(first.message, script, lists) : adviceFor(title, script);
  const inner = lists.at(-1);
  const innermost = inner ? `, in \`${excerpt(script.text, inner)}\`` : "";
  const more = placed.slice(1).map((error) => `${error.position ? `${place(error.position)}: ` : ""}${error.message}`);
  const uncounted = errors.length - placed.length;
  const others =
    more.length > 0 ? ` Further errors: ${more.join("; ")}${uncounted > 0 ? `; and ${uncounted} more` : ""}.` : "";
  return new Fault(
    "input_rejected",
    {
      where,
      what: `${first.message}${innermost}.${hint}${others} Nothing was decided: a script with an error is not solved.`,
    },
    steps,
    first.position,
  );
}

/** Returns advice for a solver other than Z3, which supports less, and only what the standard contains. */
function adviceFor(title: string, script: Script): { hint: string; steps: string[] } {
  const name = title === "cvc5" ? (script.contents.foreign ?? "") : "";
  return {
    hint: ` That is what ${title} says.`,
    steps: isOfCvc5(name)
      ? [
          `compare the sorts and number of arguments of ${name} with those that cvc5 expects`,
          "declare what the script uses",
        ]
      : ['leave engine out, or use engine: "z3", which reads more', "or write it in the form of SMT-LIB 2.6"],
  };
}

const message_chars_max = 300;

/** Puts a message on one line that is short enough to read. */
function inShort(message: string): string {
  const line = message.replaceAll(/\s+/g, " ").trim();
  return line.length > message_chars_max ? `${line.slice(0, message_chars_max)}…` : line;
}

function pick(nodes: readonly Node[], offset: number): Node | undefined {
  return nodes.find((node) => node.start <= offset && offset < node.end);
}

/** Returns the lists that enclose an offset, outermost first. */
function listsAround(script: Script, offset: number): List[] {
  const lists: List[] = [];
  let candidates: readonly Node[] = script.commands.map((command) => command.node);
  for (let node = pick(candidates, offset); node?.kind === "list"; node = pick(candidates, offset)) {
    lists.push(node);
    candidates = node.items;
  }
  return lists;
}

/** Creates the fault for a check whose reply is neither sat, unsat nor unknown. */
export function unreadable(output: string, title: string): Fault {
  return new Fault(
    "engine_failed",
    `${title} answered a check with something other than sat, unsat or unknown: \`${output.slice(0, 200)}\`. Nothing was decided.`,
    ["remove options and tactic parameters that make it print while it solves", "use a plain (check-sat)"],
  );
}

/** Creates the fault for a command that a solver does not support. */
export function unsupported(step: Step, script: Script, title: string): Fault {
  const { command } = step;
  const shown = command ? excerpt(script.text, command.node) : step.head;
  return refusal(script.lines, command?.node, `${title} does not support \`${shown}\``, [
    "remove the command",
    `use another SMT-LIB 2.7 command or option that ${title} supports`,
  ]);
}
