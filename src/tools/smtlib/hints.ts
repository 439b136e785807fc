import { Fault } from "../../kernel/fault.ts";
import { place } from "../../kernel/lines.ts";
import { nearest } from "../../kernel/near_miss.ts";
import type { Z3Error } from "../../solvers/z3/read.ts";
import { type List, type Node, nameOf } from "../../solvers/z3/sexpr.ts";
import { declarationsOf } from "./names.ts";
import type { Piece } from "./piece.ts";
import { type Command, excerpt, type Script } from "./script.ts";
import { usageOf } from "./usage.ts";

/** What people write who come from other languages, and what SMT-LIB writes. */
const translations = new Map([
  ["==", "(= a b)"],
  ["!=", "(not (= a b)) or (distinct a b)"],
  ["<>", "(distinct a b)"],
  ["&&", "(and a b)"],
  ["||", "(or a b)"],
  ["", "(or a b), if || was meant as a logical or"],
  ["!", "(not a)"],
  ["->", "(=> a b)"],
  ["<=>", "(= a b)"],
  ["iff", "(= a b)"],
  ["<->", "(= a b)"],
  ["%", "(mod a b)"],
  ["**", "(* a a), or (^ a b)"],
  ["//", "(div a b)"],
  ["True", "true"],
  ["False", "false"],
  ["Integer", "Int"],
  ["int", "Int"],
  ["Boolean", "Bool"],
  ["bool", "Bool"],
  ["real", "Real"],
  ["Float", "Real or (_ FloatingPoint 11 53)"],
  ["BitVec", "(_ BitVec 32)"],
  ["if", "(ite c a b)"],
  ["neq", "(distinct a b)"],
  ["max", "(ite (> a b) a b)"],
  ["min", "(ite (< a b) a b)"],
  ["sum", "(+ a b c)"],
  ["neg", "(- a)"],
  ["sqrt", "a new s with (and (>= s 0.0) (= (* s s) x))"],
  ["pow", "(* a a), or (^ a b)"],
  ["equals", "(= a b)"],
  ["implies", "(=> a b)"],
  ["bv", "(_ bv5 8) for 5 in 8 bits"],
  ["forAll", "(forall ((x Int)) …)"],
]);

const built_in =
  `true false not and or xor => = distinct ite let forall exists Int Real Bool String Array BitVec RegLan Seq
   + - * / div mod abs to_real to_int is_int < <= > >= select store bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvand bvor bvxor
   bvnot bvneg bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge concat extract zero_extend sign_extend
   str.++ str.len str.at str.substr str.prefixof str.suffixof str.contains str.indexof str.replace str.to_int str.from_int str.in_re
   str.to_re re.* re.+ re.++ re.union re.range seq.len seq.unit seq.++ seq.nth`.split(/\s+/);

/** Every name that a script declares or defines. */
export function declaredNames(commands: readonly Command[]): string[] {
  return commands.flatMap((command) => declarationsOf(command).map(({ name }) => name));
}

const errors_shown_max = 4;

/** The fault for what Z3 refused, in the user's lines and columns, with steps that fit. */
export function rejection(script: Script, piece: Piece, first_line: number, errors: readonly Z3Error[]): Fault {
  const placed = errors.map((error) => {
    if (error.line < first_line) return { message: inShort(error.message), position: undefined };
    const offset = piece.locate(error.line - first_line, error.column);
    return { message: inShort(error.message), position: script.lines.at(offset), offset };
  });
  const [first] = placed;
  if (!first) throw new Error("a rejection needs an error");
  const where = first.position ? `Line ${first.position.line}, column ${first.position.column}: ` : "";
  const around = first.offset === undefined ? "" : surrounding(script, first.offset);
  const { hint, steps } = adviseShape(script, first.offset) ?? advise(first.message, script, first.offset);
  const more = placed
    .slice(1, errors_shown_max)
    .map((error) => `${error.position ? `${place(error.position)}: ` : ""}${error.message}`);
  const uncounted = placed.length - 1 - more.length;
  const others =
    more.length > 0 ? ` Further errors: ${more.join("; ")}${uncounted > 0 ? `; and ${uncounted} more` : ""}.` : "";
  return new Fault(
    "input_rejected",
    `${where}${first.message}${around}.${hint}${others} Nothing was decided: a script with an error is not solved.`,
    steps,
    first.position,
  );
}

const message_chars_max = 300;

/** A message of several lines in one, short enough to be read. */
function inShort(message: string): string {
  const line = message.replaceAll(/\s+/g, " ").trim();
  return line.length > message_chars_max ? `${line.slice(0, message_chars_max)}…` : line;
}

/** The innermost expression around an offset, to show where the place is. */
function surrounding(script: Script, offset: number): string {
  const innermost = listsAround(script, offset).at(-1);
  return innermost ? `, in \`${excerpt(script.text, innermost)}\`` : "";
}

function pick(nodes: readonly Node[], offset: number): Node | undefined {
  return nodes.find((node) => node.start <= offset && offset < node.end);
}

/** `unknown constant f (Int Int)`, `unknown sort 'Foo'`; the name is empty for `||`. */
const unknown_name = /unknown (constant|sort|function|tactic) '?([^\s()']*)/;

interface Advice {
  readonly hint: string;
  readonly steps: readonly string[];
}

/** What helps against one message of Z3. */
function advise(message: string, script: Script, offset: number | undefined): Advice {
  const [, kind, unknown] = unknown_name.exec(message) ?? [];
  if (unknown !== undefined && message.includes("declared: ")) {
    return {
      hint: "",
      steps: [
        "give it the number and the sorts of arguments that it is declared with",
        "or declare another function with these sorts",
      ],
    };
  }
  if (unknown !== undefined) return adviseName(unknown, kind === "sort", script);
  if (
    /incompatible|ambiguous|argument.*sort|sort mismatch|wrong.*sort|not Boolean|expects|domain sort|do not match|does not match/i.test(
      message,
    )
  ) {
    return {
      hint: "",
      steps: [
        "compare the sorts on both sides: Int, Real, Bool, String and (_ BitVec n) don't mix",
        "convert where needed: to_real, to_int, (_ int2bv n), bv2nat, or write 1.0 for a Real",
        "an assertion must be a Bool; write a bit-vector's width out: #x01 has 8 bits, (_ bv1 16) has 16",
      ],
    };
  }
  if (message.includes("cannot be modified after initialization")) {
    return {
      hint: " The embedded Z3 can't change this option; a native one can, at the start of a script.",
      steps: [
        "leave the option out",
        "instead of :global-declarations, declare before the first (push)",
        "or put the option before all other commands, and install a native Z3 (`verdict doctor` says how)",
      ],
    };
  }
  if (/expected got BitVec|unknown sort 'BitVec'/.test(message)) {
    return {
      hint: " The sort is written (_ BitVec 8).",
      steps: ["write (_ BitVec 8) for 8 bits", "write values as #x0f or (_ bv15 8)"],
    };
  }
  if (message.includes("unknown parameter")) {
    return { hint: "", steps: ["leave the option out", "check its name: Z3's options look like :smt.arith.solver"] };
  }
  if (message.includes("already") || message.includes("redefin")) {
    return { hint: "", steps: ["declare each name once", "put the second use between (push) and (pop), or rename it"] };
  }
  if (message.includes("model is not available")) {
    return {
      hint: "",
      steps: ["ask for values only after a (check-sat) that answers sat", "move this command behind (check-sat)"],
    };
  }
  const usages = (offset === undefined ? [] : listsAround(script, offset)).flatMap(
    (list) => usageOf(nameOf(list.items[0]) ?? "") ?? [],
  );
  return {
    hint: "",
    steps: [
      ...usages.slice(-2).map((usage) => `write it as ${usage}`),
      "correct the command at this place",
      "send the whole script again",
    ],
  };
}

function adviseName(name: string, is_sort: boolean, script: Script): Advice {
  const translation =
    translations.get(name) ?? (/^bv\d+$/.test(name) ? `(_ ${name} 8) for ${name.slice(2)} in 8 bits` : undefined);
  const is_word = /^[A-Za-z_]/.test(name);
  const near = translation ? [] : nearest(name, [...declaredNames(script.commands), ...built_in]);
  const hints = [
    ...(translation ? [` SMT-LIB writes ${translation}.`] : []),
    ...(near.length > 0 ? [` Did you mean \`${near.join("` or `")}\`?`] : []),
  ];
  const declaration = is_sort
    ? `(declare-sort ${name} 0)`
    : `(declare-const ${name} Int), or (declare-fun ${name} (Int) Int) for a function`;
  const steps = [
    ...(translation ? [`write ${translation} instead of ${name || "||"}`] : []),
    ...(near[0] && !translation ? [`write ${near[0]} if that is what was meant`] : []),
    ...(is_word ? [`declare it before its first use: ${declaration}`] : []),
    is_word
      ? "check the spelling and the scope: names are case-sensitive, and a (pop) ends them"
      : "use an operator of SMT-LIB: = distinct < <= + - * and or not =>",
  ];
  return { hint: hints.join(""), steps };
}

const infix = /^(=|==|!=|<|<=|>|>=|\+|-|\*|\/|and|or|xor|=>|mod|div|%|\^)$/;

/** Advice from the form of the expression at a place, when it is written as elsewhere. */
function adviseShape(script: Script, offset: number | undefined): Advice | undefined {
  const around = offset === undefined ? [] : listsAround(script, offset);
  for (const list of around.toReversed()) {
    const [left, operator, right] = nameOf(list.items[0]) === "assert" ? list.items.slice(1) : list.items;
    const name = nameOf(operator);
    if (name !== undefined && left && right && infix.test(name) && !infix.test(nameOf(left) ?? "")) {
      const written = `(${name === "==" ? "=" : name} ${excerpt(script.text, left)} ${excerpt(script.text, right)})`;
      return {
        hint: ` Operators come first: ${written}.`,
        steps: [`write ${written}`, "write every operation with its operator first"],
      };
    }
  }
  return undefined;
}

/** The lists around an offset, the outermost first. */
function listsAround(script: Script, offset: number): List[] {
  const found: List[] = [];
  let candidates: readonly Node[] = script.commands.map((command) => command.node);
  for (let node = pick(candidates, offset); node?.kind === "list"; node = pick(candidates, offset)) {
    found.push(node);
    candidates = node.items;
  }
  return found;
}
