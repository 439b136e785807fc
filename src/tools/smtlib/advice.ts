import { headOf, type List, nameOf } from "../../engines/smt/sexpr.ts";
import { standard_functions } from "../../evidence/smtlib/symbols.ts";
import { nearest } from "../../kernel/text/near_miss.ts";
import { excerpt, type Script } from "./script/commands.ts";
import { indexedUsageOf, usageOf } from "./script/usage.ts";
import { isOfCvc5, reserved_words, waysAroundOwn } from "./script/vocabulary.ts";
import { operator_of_infix, sort_translations, translations } from "./translations.ts";

/** Help with an error: a sentence for the message, and steps. */
export interface Advice {
  readonly hint: string;
  readonly steps: readonly string[];
}

/** Matches `unknown constant f (Int Int)` and `unknown sort 'Foo'`; the name is empty for `||`. */
const unknown_name =
  /unknown (constant|sort|function|tactic) '?([^\s()']*)(?: \(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?/;

/** Returns advice on one of Z3's messages, given the lists that enclose its position, outermost first. */
export function adviceOn(message: string, script: Script, enclosing: readonly List[]): Advice {
  const { hint, steps } = onShape(script.text, enclosing) ??
    onOwnNames(message, script, enclosing) ??
    onUnknownName(message, script, enclosing) ??
    onMessage(message) ?? { hint: "", steps: [...usagesIn(enclosing), "correct the command at this position"] };
  return { hint, steps: steps.length < 2 ? [...steps, "then send the whole script again"] : steps };
}

/** Returns the correct form of the innermost known expression; an assertion's form only if it is malformed. */
function usagesIn(enclosing: readonly List[]): string[] {
  const lists = enclosing.filter((list) => headOf(list) !== "assert" || list.items.length !== 2);
  const usages = lists.flatMap((list) => usageOf(headOf(list) ?? "") ?? []);
  return usages.slice(-1).map((usage) => `write it as ${usage}`);
}

/** Advises on expressions around a position that are written as in another language. */
function onShape(text: string, enclosing: readonly List[]): Advice | undefined {
  for (const [i, list] of [...enclosing.entries()].toReversed()) {
    const is_command = i === 0 && headOf(list) !== "assert";
    const advice =
      (is_command ? undefined : onInfix(text, list)) ??
      onNumberInParentheses(text, list) ??
      onIndices(list, enclosing[i - 1]) ??
      argumentsOf(list, enclosing)
        .map((each) => onIndices(each, list))
        .find((each) => each !== undefined);
    if (advice) return advice;
    const [, formula, word, name] = list.items;
    if (headOf(list) === "!" && formula && word?.kind === "symbol") {
      const key = excerpt(text, word);
      const written = `(! ${excerpt(text, formula)} :${key === "name" ? "named" : key} ${name ? excerpt(text, name) : "a"})`;
      return { hint: " An attribute is a keyword, with a colon.", steps: [`write ${written}`] };
    }
  }
  return undefined;
}

/** Returns the list arguments of the innermost list, since Z3 reports errors in them at that list. */
function argumentsOf(list: List, enclosing: readonly List[]): List[] {
  return list === enclosing.at(-1) ? list.items.filter((item) => item.kind === "list") : [];
}

function onInfix(text: string, list: List): Advice | undefined {
  const [left, operator, right] = headOf(list) === "assert" ? list.items.slice(1) : list.items;
  const prefix = operator_of_infix.get(nameOf(operator) ?? " ");
  if (prefix === undefined || !left || !right || operator_of_infix.has(nameOf(left) ?? " ")) return undefined;
  const written = `(${prefix} ${excerpt(text, left)} ${excerpt(text, right)})`;
  return {
    hint: ` Operators come first: ${written}.`,
    steps: [`write ${written}`, "write every operation with its operator first"],
  };
}

function onNumberInParentheses(text: string, list: List): Advice | undefined {
  const [number] = list.items;
  if (list.items.length !== 1 || !number || !/^-?\d[\d.]*$/.test(text.slice(number.start, number.end)))
    return undefined;
  const bare = text.slice(number.start, number.end);
  const written = bare.startsWith("-") ? `(- ${bare.slice(1)})` : bare;
  return { hint: " Parentheses apply a function, and a number is not a function.", steps: [`write ${written}`] };
}

/** Advises on `(_ extract 3 0 v)`, `(extract 3 0 v)` and `((extract 3 0) v)`, which should be `((_ extract 3 0) v)`. */
function onIndices(list: List, parent: List | undefined): Advice | undefined {
  const head = headOf(list);
  const name = head === "_" ? nameOf(list.items[1]) : head;
  const usage = indexedUsageOf(name ?? "");
  if (usage === undefined) return undefined;
  const is_applied = head === "_" && parent?.items[0] === list;
  return is_applied ? undefined : { hint: ` It is written ${usage}.`, steps: [`write ${usage}`] };
}

/** Advises on a function or sort that Z3 already has, although the script has not declared it. */
function onOwnNames(message: string, script: Script, enclosing: readonly List[]): Advice | undefined {
  const own_function = /builtin symbol '([^']+)' has the same argument sorts/.exec(message)?.[1];
  if (own_function !== undefined) return ownName(own_function, "function");
  if (!/sort already (declared|defined)/.test(message)) return undefined;
  const sort = /already defined (\S+)$/.exec(message)?.[1] ?? nameOf(enclosing.at(-1)?.items[1]);
  if (sort === undefined) return undefined;
  const declared = script.declarations.filter(({ name, kind }) => kind === "sort" && name === sort);
  return declared.length > 1 ? undefined : ownName(sort, "sort");
}

function ownName(name: string, what: string): Advice {
  return {
    hint: ` Z3 has its own ${what} \`${name}\`.`,
    steps: waysAroundOwn(name, what),
  };
}

function onUnknownName(message: string, script: Script, enclosing: readonly List[]): Advice | undefined {
  const [, kind, name, arguments_given] = unknown_name.exec(message) ?? [];
  if (name === undefined) return undefined;
  if (message.includes("declared: ")) {
    return {
      hint: "",
      steps: [
        "pass the number and sorts of arguments with which it is declared",
        "or declare a different function with these sorts",
      ],
    };
  }
  if (isDefinedBy(enclosing[0], name)) {
    return {
      hint: ` The definition of \`${name}\` uses \`${name}\`: only define-fun-rec allows recursion.`,
      steps: [`write (define-fun-rec ${name} …) instead of (define-fun ${name} …)`],
    };
  }
  if (isOfCvc5(name)) return onNameOfCvc5(name);
  if (kind === "sort") return onUnknownSort(name, script);
  return onSlip(name) ?? onKnownFunction(name, arguments_given) ?? onUnknownFunction(name, arguments_given, script);
}

function isDefinedBy(command: List | undefined, name: string): boolean {
  return command !== undefined && headOf(command) === "define-fun" && nameOf(command.items[1]) === name;
}

/** Advises on a name that only cvc5 has. A declaration could give it any meaning, and so change the answer. */
function onNameOfCvc5(name: string): Advice {
  const translation = translations.get(name.toLowerCase());
  return {
    hint: ` Z3 has no \`${name}\`; cvc5 has it.`,
    steps: [
      'send the same script with engine: "cvc5"',
      translation === undefined ? `or express its meaning without ${name}` : `or write ${translation} for Z3`,
    ],
  };
}

/** Advises on names that combine an operator with its operand, and on names that are numbers. */
function onSlip(name: string): Advice | undefined {
  const [, sign = "", operand = ""] = /^([-+!~])([A-Za-z_]\S*)$/.exec(name) ?? [];
  const decimal = /^-?\.(\d+)$/.exec(name)?.[1];
  const written =
    decimal !== undefined
      ? name.startsWith("-")
        ? `(- 0.${decimal})`
        : `0.${decimal}`
      : sign === ""
        ? undefined
        : { "-": `(- ${operand})`, "+": operand, "!": `(not ${operand})`, "~": `(not ${operand})` }[sign];
  if (written === undefined) return undefined;
  return { hint: ` \`${name}\` is one name; SMT-LIB writes ${written}.`, steps: [`write ${written}`] };
}

/** Advises on functions that SMT-LIB has under another name, or under the same name with other arguments. */
function onKnownFunction(name: string, arguments_given: string | undefined): Advice | undefined {
  const translation =
    translations.get(name.toLowerCase()) ??
    (/^bv\d+$/.test(name) ? `(_ ${name} 8) for ${name.slice(2)} in 8 bits` : undefined);
  if (translation !== undefined) {
    return {
      hint: ` SMT-LIB writes ${translation}.`,
      steps: [`write ${translation} instead of ${name || "||"}`, "check the sorts of the terms at this position"],
    };
  }
  if (!standard_functions.has(name) && !reserved_words.includes(name)) return undefined;
  const usage = usageOf(name);
  const rejected = arguments_given === undefined ? "" : ` does not accept (${arguments_given})`;
  return {
    hint: ` \`${name}\` is built in, and${rejected || " needs arguments"}.`,
    steps: [
      ...(usage === undefined ? [] : [`write it as ${usage}`]),
      "compare the number and the sorts of its arguments with those that it accepts",
    ],
  };
}

function onUnknownSort(name: string, script: Script): Advice {
  if (name === "BitVec") {
    return {
      hint: " The sort is written (_ BitVec 8).",
      steps: ["write (_ BitVec 8) for 8 bits", "write values as #x0f or (_ bv15 8)"],
    };
  }
  const translation = sort_translations.get(name.toLowerCase());
  if (translation !== undefined) {
    return { hint: ` SMT-LIB writes ${translation}.`, steps: [`write ${translation} instead of ${name}`] };
  }
  const declared = script.declarations.flatMap((each) => (each.kind === "sort" ? each.name : []));
  const near = nearest(name, [...declared, ...built_in_sorts]);
  return {
    hint: didYouMean(near),
    steps: [
      ...(near[0] ? [`write ${near[0]} if you meant that`] : []),
      `declare it before its first use: (declare-sort ${name} 0)`,
      scope_step,
    ],
  };
}

const built_in_sorts = ["Int", "Real", "Bool", "String", "Array", "Seq", "RegLan"];
const scope_step = "check the spelling and the scope: names are case-sensitive, and a (pop) removes them";

function onUnknownFunction(name: string, arguments_given: string | undefined, script: Script): Advice {
  const near = nearest(name, [
    ...script.declarations.map((each) => each.name),
    ...standard_functions,
    ...reserved_words,
  ]);
  const is_word = /^[A-Za-z_]/.test(name);
  const sorts = arguments_given?.trim();
  const declaration = sorts
    ? `(declare-fun ${name} (${sorts}) Int), or another sort for its value; define-fun gives it a meaning`
    : `(declare-const ${name} Int), or another sort`;
  return {
    hint: didYouMean(near),
    steps: [
      ...(near[0] ? [`write ${near[0]} if you meant that`] : []),
      ...(is_word ? [`declare it before its first use: ${declaration}`] : []),
      is_word ? scope_step : "use an operator of SMT-LIB: = distinct < <= + - * and or not =>",
    ],
  };
}

function didYouMean(near: readonly string[]): string {
  return near.length > 0 ? ` Did you mean \`${near.join("` or `")}\`?` : "";
}

const sorts_differ =
  /incompatible|ambiguous|argument.*sort|sort mismatch|wrong.*sort|not Boolean|expects|domain sort|do not match|does not match/i;

const on_messages: readonly { readonly pattern: RegExp; readonly advice: Advice }[] = [
  {
    pattern: /(Wrong|Unexpected) number of arguments|arity mismatches/,
    advice: {
      hint: "",
      steps: [
        "pass as many arguments as it accepts; (and …), (or …), (+ …) and (distinct …) take several",
        "check where the parentheses close",
      ],
    },
  },
  {
    pattern: /cannot be modified after initialization/,
    advice: {
      hint: " The embedded Z3 can't change this option; a native Z3 can, at the start of a script.",
      steps: [
        "remove the option",
        "instead of using :global-declarations, declare names before the first (push)",
        "or put the option before all other commands, and install a native Z3 (`verdict doctor` says how)",
      ],
    },
  },
  {
    pattern: /expected got BitVec/,
    advice: {
      hint: " The sort is written (_ BitVec 8).",
      steps: ["write (_ BitVec 8) for 8 bits", "write values as #x0f or (_ bv15 8)"],
    },
  },
  {
    pattern: /unknown parameter/,
    advice: {
      hint: "",
      steps: ["remove the option", "check its name: Z3's options look like :smt.arith.solver"],
    },
  },
  {
    pattern: /already|redefin/,
    advice: {
      hint: "",
      steps: ["declare each name once", "put the second use between (push) and (pop), or rename it"],
    },
  },
  {
    pattern: /model is not available/,
    advice: {
      hint: "",
      steps: ["ask for values only after a (check-sat) that answers sat", "move this command after (check-sat)"],
    },
  },
];

function onMessage(message: string): Advice | undefined {
  const advice = on_messages.find(({ pattern }) => pattern.test(message))?.advice;
  return advice ?? (sorts_differ.test(message) ? { hint: "", steps: stepsOnSorts(message) } : undefined);
}

/** Suggests how to correct terms of different sorts, for the sorts that Z3's message names. */
function stepsOnSorts(message: string): string[] {
  if (/not Boolean/.test(message)) return ["assert a Bool: a comparison such as (> x 5), or a Bool constant"];
  const widths = [...new Set([...message.matchAll(/\(_ BitVec (\d+)\)/g)].map(([, width]) => width))];
  const numeral = /Argument (\d+) at position/.exec(message)?.[1];
  if (numeral !== undefined && widths[0] !== undefined)
    return [`write (_ bv${numeral} ${widths[0]}) instead of ${numeral}: a numeral is an Int`];
  const has = (sort: string) => new RegExp(`\\b${sort}\\b`).test(message);
  const steps = [
    ...(widths.length > 1 ? ["give both bit-vectors the same width: ((_ zero_extend 8) v) adds 8 bits"] : []),
    ...(widths.length > 0 && has("Int") ? ["convert between Int and (_ BitVec n) with (_ int2bv n) and bv2nat"] : []),
    ...(has("Real") && has("Int") ? ["convert between Int and Real with to_real and to_int"] : []),
  ];
  return ["compare the sorts of the arguments with those that the function accepts", ...steps];
}
