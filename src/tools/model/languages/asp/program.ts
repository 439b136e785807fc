import { weighing, weighsNumbers } from "../../../../evidence/asp/overflow.ts";
import { faultAt, type Statement, scan, type Token } from "../../../../evidence/asp/tokens.ts";
import { nearest } from "../../../../kernel/text/near_miss.ts";
import { joined } from "../../items/item_lines.ts";
import { rulesOfLevels, type Turn, turnOf } from "./objective.ts";

/** The items as they are passed to clingo, and what was found in them. */
export interface AspProgram {
  /** The items without comments; lines and columns are preserved. */
  readonly bare_items: readonly string[];
  readonly text: string;
  readonly statements: readonly Statement[];
  /** Converts clingo's costs to the objective that the program states, and back. */
  readonly turn: Turn;
}

/** Reads the items of a model one by one. Raises `syntax_error`, `forbidden` and `input_rejected`. */
export function readProgram(items: readonly string[]): AspProgram {
  const read = items.map((text, item) => readItem(text, item));
  const statements = read.flatMap((each) => each.statements);
  const bare_items = [...read.map(({ bare }) => bare), ...rulesOfLevels(statements)];
  refuseLargestInAggregates(items, statements);
  return { bare_items, text: joined(bare_items), statements, turn: turnOf(statements) };
}

/** Returns the program with a cost of 0 added for every answer set, so that clingo reports and bounds a cost. */
export function withZeroCost(program: AspProgram): AspProgram {
  return withRules(program, "#minimize { 0 }.");
}

/** Returns the program with additional rules, which do not count among its statements. */
export function withRules(program: AspProgram, rules: string): AspProgram {
  const bare_items = [...program.bare_items, rules];
  return { ...program, bare_items, text: joined(bare_items) };
}

function readItem(text: string, item: number): { bare: string; statements: Statement[] } {
  const { tokens, bare } = scan(text, item);
  tokens.forEach((token, i) => {
    judge(text, token, tokens, i, item);
  });
  const statements = statementsIn(text, tokens, item);
  return { bare: withoutIdle(bare, statements), statements };
}

/** Splits the tokens into statements, which end with a full stop, in some cases followed by a bracket. */
function statementsIn(text: string, tokens: readonly Token[], item: number): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < tokens.length; ) {
    const stop = placeFrom(tokens, start, ".");
    const bracketed = stop >= 0 && tokens[stop + 1]?.text === "[";
    const last = bracketed ? placeFrom(tokens, stop, "]") : stop;
    if (last < 0) {
      const at = tokens.at(-1)?.at ?? 0;
      throw faultAt(text, at, item, "The last statement of the item is not terminated.", [
        'end every statement with a full stop "."',
        "send each statement whole: a statement can't continue in the next item",
      ]);
    }
    const first = tokens[start];
    if (first?.text === ":~" && !bracketed) {
      throw faultAt(text, tokens[last]?.at ?? 0, item, "A weak constraint has its weight after its full stop.", [
        "write, for example, :~ late(J). [3@1, J] (weight, level, and a key that distinguishes equal weights)",
        "a constraint that must hold begins with :-",
      ]);
    }
    statements.push({ item, tokens: tokens.slice(start, last + 1) });
    start = last + 1;
  }
  return statements;
}

/**
 * Returns the next position of a token, or -1. Does not use `findIndex`, which would search from the first token again
 * for every statement.
 */
function placeFrom(tokens: readonly Token[], start: number, sign: string): number {
  for (let i = start; i < tokens.length; i++) if (tokens[i]?.text === sign) return i;
  return -1;
}

const directives = new Set(
  `#const #show #minimize #minimise #maximize #maximise #external #defined #heuristic #project #edge #sum #sum+
#count #min #max #inf #infimum #sup #supremum #true #false`.split(/\s/),
);

/** Statements that are forbidden in a model, or that clingo would silently ignore. */
const refusals: Readonly<Record<string, readonly [code: "forbidden" | "input_rejected", why: string, step: string]>> = {
  "#script": ["forbidden", "a model can't run Lua or Python", "compute it with rules, or write the result as facts"],
  "#include": ["forbidden", "a model can't read files", "put the content of the file into items"],
  "#theory": [
    "input_rejected",
    "theory atoms have no meaning here: each could be true or false",
    "use #sum, #count and arithmetic, or a model in the language minizinc, or in the language z3",
  ],
};

function judge(text: string, token: Token, tokens: readonly Token[], i: number, item: number): void {
  if (token.kind === "number" && BigInt(token.text) > int_max)
    throw faultAt(
      text,
      token.at,
      item,
      `The number ${token.text} is too large: clingo computes in 32 bits.`,
      [
        `stay within -${int_max} to ${int_max}`,
        "scale the numbers, or model this in the language minizinc, or in the language z3",
      ],
      "input_rejected",
    );
  if (token.text === "@" && callsFunction(tokens, i))
    throw faultAt(
      text,
      token.at,
      item,
      "External functions (@name) need a script, and scripts are rejected.",
      ["compute it with rules, or write the result as facts"],
      "forbidden",
    );
  if (token.kind === "directive") judgeDirective(text, token, tokens, i, item);
}

function judgeDirective(text: string, token: Token, tokens: readonly Token[], i: number, item: number): void {
  const refusal = refusals[token.text];
  if (refusal) {
    const [code, why, step] = refusal;
    throw faultAt(text, token.at, item, `${token.text} is refused: ${why}.`, [step], code);
  }
  if (token.text === "#program") {
    if (tokens[i + 1]?.text === "base" && tokens[i + 2]?.text === ".") return;
    const why = "Only #program base. is grounded; the rules of any other part would be ignored silently.";
    throw faultAt(
      text,
      token.at,
      item,
      why,
      ["leave #program out", "write time steps as an argument: at(Place, T), with time(0..n)"],
      "input_rejected",
    );
  }
  if (directives.has(token.text)) return;
  const suggestion = nearest(token.text, directives).map((other) => ` Did you mean ${other}?`);
  throw faultAt(text, token.at, item, `There is no directive ${token.text}.${suggestion.join("")}`, [
    "write comments with %, not with #",
    `choose from: ${[...directives].join(" ")}`,
  ]);
}

const int_max = 2_147_483_647n;

/**
 * Rejects the largest number in a program with weights, since clingo compares it wrongly: `#min { 2147483647 } <= 5`
 * holds in clingo, and so does `#sum { 2147483647 } != 2147483647`. The number can come from any statement, through a
 * constant or a variable.
 */
function refuseLargestInAggregates(items: readonly string[], statements: readonly Statement[]): void {
  if (!weighsNumbers(statements)) return;
  for (const { item, tokens } of statements) {
    const token = tokens.find(({ kind, text }) => kind === "number" && BigInt(text) === int_max);
    if (token)
      throw faultAt(
        items[item] ?? "",
        token.at,
        item,
        `The number ${token.text} is too large for a program with ${[...weighing].join(", ")}: clingo compares it incorrectly there.`,
        [`write ${int_max - 1n} for a number larger than all others`, "or #sup, with which #min and #max are correct"],
        "input_rejected",
      );
  }
}

/** Whether this @ calls a function; after a term, an @ marks a priority instead. */
function callsFunction(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1];
  const after_term = before && (before.kind !== "sign" || before.text === ")" || before.text === "|");
  return !after_term && tokens[i + 1]?.kind === "name";
}

/**
 * Blanks out `#program` and `#project`. The whole program is the base part already, and a check moves it to another
 * part. With `#project`, clingo's consequences would cover only the projected atoms, although Verdict distinguishes
 * answer sets by their shown atoms.
 */
function withoutIdle(bare: string, statements: readonly Statement[]): string {
  return statements
    .filter(({ tokens }) => /^#pro(?:gram|ject)$/.test(tokens[0]?.text ?? ""))
    .reduce((text, { tokens }) => {
      const start = tokens[0]?.at ?? 0;
      const end = (tokens.at(-1)?.at ?? start) + 1;
      return text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ") + text.slice(end);
    }, bare);
}
