/** Claims about `f` and `g` of a pair, each with the calls in CPython that refute it. */
import type { Goal } from "../../src/prover/index.ts";
import type { PythonValue } from "../../src/prover/inputs.ts";
import type { Contracted } from "./contracted.ts";
import type { ProgramPair } from "./programs.ts";
import type { Run } from "./prover.ts";

export interface HeldClaim {
  readonly goal: Goal;
  /** How many calls refute it. */
  readonly against: number;
  /** The first of the inputs that refute it, where it is known. */
  readonly example?: number;
}

const exceptions = [
  "ZeroDivisionError",
  "IndexError",
  "KeyError",
  "ValueError",
  "NameError",
  "AssertionError",
  "TypeError",
  "OverflowError",
];

const [endless, exhausted] = ['{"kind":"endless"}', '{"kind":"exhausted"}'];

/** What icontract's own exceptions are, too, and what it raises where it can't tell of a condition. */
const under_contract = [...exceptions, "RuntimeError", "SyntaxError"];
const above: Readonly<Record<string, string>> = { ViolationError: "AssertionError", UnboundLocalError: "NameError" };

/** What can be claimed of `f` under a contract, and of both; `asked` says of each input whether `f` asks for it. */
export function contractClaimsOf(
  { code, inputs }: Pick<Contracted, "code" | "inputs">,
  { outcomes, sightings }: Pick<Run, "outcomes" | "sightings">,
  asked: readonly string[],
): HeldClaim[] {
  const ends = outcomes.flatMap((f, i) => (i % 2 === 0 ? [{ f, g: outcomes[i + 1] ?? "", asked: asked[i / 2] }] : []));
  const count = (refutes: (each: (typeof ends)[number]) => boolean) => {
    const against = ends.flatMap((each, i) => (refutes(each) && !isOpen(each, inputs[i] ?? []) ? [i] : []));
    return { against: against.length, ...(against[0] === undefined ? {} : { example: against[0] }) };
  };
  const raised = (outcome: string) => /"exception":"(\w+)"/.exec(outcome)?.[1] ?? "";
  const { first, last } = linesOf(code);
  const answer = /^def f\(.*\) -> (.*):$/m.exec(code)?.[1] ?? "";
  // A precondition that raises is not met, as one that is false.
  const is_met = JSON.stringify({ kind: "value", value: { type: "bool", value: true } });
  return [
    { goal: { kind: "equivalent", function_a: "f", function_b: "g" }, ...count(differ) },
    {
      goal: { kind: "meets_contract", function: "f" },
      ...count((each) => each.asked === is_met && breaks(each.f, answer, new Set())),
    },
    ...[...under_contract, "ViolationError", "any"].map((name): HeldClaim => {
      const goal: Goal = {
        kind: "never_raises",
        function: "f",
        exceptions: name === "any" ? "any" : [name === "ViolationError" ? `icontract.${name}` : name],
      };
      const is = (each: string) => each === name || above[each] === name || (name === "any" && each !== "");
      // Inputs that the preconditions exclude are not in question.
      const isExcluded = (name: string, met: boolean) => !met && ["AssertionError", "ViolationError"].includes(name);
      return { goal, ...count(({ f, asked }) => is(raised(f)) && !isExcluded(raised(f), asked === is_met)) };
    }),
    ...Array.from({ length: last - first }, (_, i): HeldClaim => {
      const line = first + 1 + i;
      const goal: Goal = { kind: "never_reached", function: "f", target: { kind: "line", line } };
      return { goal, against: sightings.get(`line ${line}`) ?? 0 };
    }).filter((_, i) => !/^ *(else|try|except .*):$/.test(code.split("\n")[first + i] ?? "")),
  ];
}

/** How the two functions ended on one input. */
interface Ends {
  readonly f: string;
  readonly g: string;
}

/** What can be claimed of `f`, and of both; the calls are those of `f` and `g` by turns on each input. */
export function claimsOf(
  { code, inputs }: ProgramPair,
  { outcomes, sightings, tests }: Pick<Run, "outcomes" | "sightings" | "tests">,
): HeldClaim[] {
  const ends = outcomes.flatMap((f, i): Ends[] => (i % 2 === 0 ? [{ f, g: outcomes[i + 1] ?? "" }] : []));
  const count = (refutes: (ends: Ends) => boolean) => {
    const against = ends.flatMap((each, i) => (refutes(each) && !isOpen(each, inputs[i] ?? []) ? [i] : []));
    const [example] = against;
    return { against: against.length, ...(example === undefined ? {} : { example }) };
  };
  const { first, last, owed } = linesOf(code);
  const raising = exceptions.map((name): HeldClaim => {
    const names = name === "NameError" ? [name, "UnboundLocalError"] : [name];
    const refuted = count(({ f }) => names.some((each) => f.includes(`"exception":"${each}"`)) && !isExcluded(f, owed));
    return { goal: { kind: "never_raises", function: "f", exceptions: [name] }, ...refuted };
  });
  const within = (line: number) => line > first && line <= last;
  const lines = Array.from({ length: last - first }, (_, i): HeldClaim => {
    const line = first + 1 + i;
    const goal: Goal = { kind: "never_reached", function: "f", target: { kind: "line", line } };
    return { goal, against: sightings.get(`line ${line}`) ?? 0 };
  });
  const rows = code.split("\n");
  const statements = lines.filter((_, i) => !/^ *(else|try|except .*):$/.test(rows[first + i] ?? ""));
  const tested = tests.flatMap((place): HeldClaim[] => {
    const [line = 0, column = 0, end_line = 0, end_column = 0] = place.split(/[:-]/).map(Number);
    if (!within(line)) return [];
    return [true, false].map((outcome) => ({
      goal: {
        kind: "never_reached",
        function: "f",
        target: { kind: "outcome", line, column, end_line, end_column, outcome },
      },
      against: sightings.get(`${place} ${outcome}`) ?? 0,
    }));
  });
  const answer = /^def f\(.*\) -> (.*):$/m.exec(code)?.[1] ?? "";
  return [
    { goal: { kind: "equivalent", function_a: "f", function_b: "g" }, ...count(differ) },
    ...raising,
    { goal: { kind: "meets_contract", function: "f" }, ...count(({ f }) => breaks(f, answer, owed)) },
    ...statements,
    ...tested,
  ];
}

/** The position of `f`, and the lines of its preconditions. */
function linesOf(code: string): { first: number; last: number; owed: ReadonlySet<number> } {
  const rows = code.split("\n");
  const first = rows.findIndex((row) => row.startsWith("def f(")) + 1;
  const length = rows.slice(first).findIndex((row) => !row.startsWith(" "));
  const last = length < 0 ? rows.length : first + length;
  const owed = new Set<number>();
  for (let line = first + 1; /^ {4}assert [^;]*(; assert [^;]*)*$/.test(rows[line - 1] ?? ""); line++) owed.add(line);
  return { first, last, owed };
}

/** A call that was not followed to its end says nothing, unless numbers are so small that it goes on for ever. */
function isOpen({ f, g }: Ends, input: readonly PythonValue[]): boolean {
  if ([f, g].includes(exhausted)) return true;
  return [f, g].includes(endless) && /"value":"-?\d{3}/.test(JSON.stringify(input));
}

function differ({ f, g }: Ends): boolean {
  const [a, b] = [f, g].map((each) => each.replace(/,"line":\d+/, ""));
  return a !== b;
}

/** Whether a call ended at an assert that is a precondition. */
function isExcluded(outcome: string, owed: ReadonlySet<number>): boolean {
  const ended: { exception?: string; line?: number } = JSON.parse(outcome);
  return ended.exception === "AssertionError" && owed.has(ended.line ?? 0);
}

function breaks(outcome: string, answer: string, owed: ReadonlySet<number>): boolean {
  const ended: { kind: string; exception?: string; line?: number; value?: PythonValue } = JSON.parse(outcome);
  if (ended.kind === "exception") return !isExcluded(outcome, owed);
  return !ended.value || !answer.split(" | ").some((type) => ended.value && isA(ended.value, type));
}

/** Whether a value is an instance of an annotation. */
function isA(value: PythonValue, annotation: string): boolean {
  switch (annotation) {
    case "int":
      return value.type === "int" || value.type === "bool";
    case "float":
      return ["int", "bool", "float"].includes(value.type);
    case "list[int]":
      return value.type === "list" && value.items.every((item) => isA(item, "int"));
    case "None":
      return value.type === "none";
    default:
      return value.type === annotation;
  }
}
