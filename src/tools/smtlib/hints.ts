import { Fault } from "../../kernel/fault.ts";
import { place } from "../../kernel/lines.ts";
import type { Z3Error } from "../../solvers/z3/read.ts";
import { type Node, nameOf } from "../../solvers/z3/sexpr.ts";
import { nearest } from "./near_miss.ts";
import type { Piece } from "./piece.ts";
import { type Command, excerpt, type Script } from "./script.ts";

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
  return commands.flatMap(({ head, node }) => {
    if (!/^(declare|define)-/.test(head)) return [];
    const [, first, second] = node.items;
    const own = nameOf(first);
    if (own !== undefined) return [own, ...(head === "declare-datatype" ? constructors(second) : [])];
    if (first?.kind !== "list") return [];
    const listed = first.items.flatMap((item) => nameOf(item.kind === "list" ? item.items[0] : item) ?? []);
    const bodies = head.startsWith("declare-") && second?.kind === "list" ? second.items.flatMap(constructors) : [];
    return [...listed, ...bodies];
  });
}

/** Constructors and selectors of `((nil) (cons (head Int) (tail L)))`, also behind `par`. */
function constructors(body: Node | undefined): string[] {
  if (body?.kind !== "list") return [];
  return body.items.flatMap((item) => {
    if (item.kind !== "list") return nameOf(item) ?? [];
    const selectors = item.items
      .slice(1)
      .flatMap((field) => (field.kind === "list" ? (nameOf(field.items[0]) ?? []) : []));
    return [
      ...(nameOf(item.items[0]) !== undefined ? [nameOf(item.items[0]) ?? ""] : constructors(item)),
      ...selectors,
    ];
  });
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
  const { hint, steps } = advise(first.message, script);
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

/** The innermost short expression around an offset, to show where the place is. */
function surrounding(script: Script, offset: number): string {
  let found: Node | undefined;
  let candidates: readonly Node[] = script.commands.map((command) => command.node);
  for (let node = pick(candidates, offset); node; node = pick(candidates, offset)) {
    if (node.kind !== "list") break;
    found = node;
    candidates = node.items;
  }
  return found ? `, in \`${excerpt(script.text, found)}\`` : "";
}

function pick(nodes: readonly Node[], offset: number): Node | undefined {
  return nodes.find((node) => node.start <= offset && offset < node.end);
}

/** `unknown constant f (Int Int)`, `unknown sort 'Foo'`; the name is empty for `||`. */
const unknown_name = /unknown (constant|sort|function|tactic) '?([^\s()']*)/;

/** What helps against one message of Z3. */
function advise(message: string, script: Script): { hint: string; steps: string[] } {
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
        "an assertion must be a Bool",
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
  return {
    hint: "",
    steps: [
      "correct the command at this place",
      "compare it with the syntax of SMT-LIB 2.7",
      "send the whole script again",
    ],
  };
}

function adviseName(name: string, is_sort: boolean, script: Script): { hint: string; steps: string[] } {
  const translation = translations.get(name);
  const near = nearest(name, [...declaredNames(script.commands), ...built_in]);
  const hints = [
    ...(translation ? [` SMT-LIB writes ${translation}.`] : []),
    ...(near.length > 0 ? [` Did you mean \`${near.join("` or `")}\`?`] : []),
  ];
  const shown = name || "||";
  const declaration = is_sort
    ? `(declare-sort ${shown} 0)`
    : `(declare-const ${shown} Int), or (declare-fun ${shown} (Int) Int) for a function`;
  return {
    hint: hints.join(""),
    steps: [
      ...(translation ? [`write ${translation} instead of ${shown}`] : []),
      ...(near[0] && !translation ? [`write ${near[0]} if that is what was meant`] : []),
      `declare it before its first use: ${declaration}`,
      "check the spelling: names are case-sensitive",
    ],
  };
}
