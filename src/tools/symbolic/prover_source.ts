import type { Python } from "../../engines/python/index.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { Fault } from "../../kernel/fault.ts";
import {
  type Evidence,
  type Goal,
  isShownByContract,
  type PythonValue,
  raising,
  SyntaxTree,
} from "../../prover/index.ts";
import type { ProverThreads } from "../../prover/threads.ts";
import type { Question } from "./arguments.ts";
import { type AssumedTypes, assumptionsOf, forTypes, typesOf, typesText } from "./assumed_types.ts";
import type { Examiner } from "./examiner.ts";
import { symbolic_limits } from "./limits.ts";
import type { Inspected, Site } from "./replies.ts";
import type { Candidate, Proof, Source } from "./search.ts";

/** The prover's input for a question, and where it stores its results. */
export interface Case {
  readonly question: Question;
  readonly inspected: Inspected;
  readonly examiner: Examiner;
}

/** The suffix for names from an older version in a tree that contains both versions (`alike.py`). */
const older = "@base";

/** The contract styles that the prover reads; it ignores other styles. */
const readable_styles = ["icontract", "asserts", "PEP 316", "types"];

/** Creates the source that proves a claim for all inputs, or offers an input that may refute it. */
export function proverSource(
  prover: Pick<ProverThreads, "prepare" | "prove">,
  python: Pick<Python, "syntax">,
  { question, inspected, examiner }: Case,
): Source {
  const look: Source["look"] = async (deadline, offer, begun) => {
    begun();
    const unread = unreadable(question, inspected);
    if (unread !== undefined && question.task !== "compare") return examiner.unproved(unread);
    if (unread === undefined) prover.prepare();
    await examiner.leaveRoom(symbolic_limits.prover_waits_ms, deadline);
    const choices = assumptionsOf(question, inspected);
    const reasons: string[] = [];
    for (const [i, types] of choices.entries()) {
      const share = deadline.atMost(deadline.left_ms / (choices.length - i));
      // A guess that does not suit a function does not break its contract.
      const is_hint = question.task === "check" && i === 0 && choices.length > 1;
      const proof = await lookWith(types, { is_alone: i > 0, unread }, share, is_hint ? () => {} : offer);
      if (proof) return proof;
      if (examiner.prover_note !== undefined)
        reasons.push(`${types.length > 0 ? `for ${typesText(typesOf(types))}: ` : ""}${examiner.prover_note}`);
      if (unread !== undefined || question.task === "branches") break;
    }
    // Of several types, the first one alone is the likeliest.
    const reason = reasons[1] ?? reasons[0];
    return reason === undefined ? undefined : examiner.unproved(reason);
  };

  /** Tries to prove the claim for these types of the parameters that the code leaves open. */
  async function lookWith(
    assumed: AssumedTypes,
    { is_alone, unread }: { readonly is_alone: boolean; readonly unread: string | undefined },
    deadline: Deadline,
    offer: Parameters<Source["look"]>[1],
  ): Promise<Proof | undefined> {
    const tree = await readTree(python, question, { examiner, assumed }, deadline);
    if (typeof tree === "string") return examiner.unproved(unread ?? tree);
    // Two calls of the same code do the same, also where one run does not predict the next.
    if (unread !== undefined && !tree.same) return examiner.unproved(unread);
    const types = tree.same && question.task === "compare" ? {} : typesOf(assumed);
    if (question.task === "branches") return proveSides(tree, types, deadline);
    const goal = goalOf(question, inspected);
    const by_contract = await proveByContract(tree, deadline);
    if (by_contract) return forTypes(by_contract, types);
    if (is_alone && !(await suit(tree, goal, deadline)))
      return examiner.unproved("the functions may not take these types");
    const verdict = await prover.prove(tree, goal, deadline);
    if (verdict.kind === "proven") {
      if (Object.keys(types).length === 0 || (await returns(deadline))) return forTypes(proofOf(verdict.proof), types);
      return examiner.unproved("no call with values of the guessed types returns");
    }
    if ("obligations" in verdict) examiner.obligations = verdict.obligations;
    // An object's fields do not reveal which arguments its constructor was given.
    if (verdict.cause === "unconfirmed" && inspected.made.length === 0) offer(candidateOf(verdict.inputs));
    return examiner.unproved(verdict.cause === "unconfirmed" ? only_a_candidate : verdict.reason);
  }

  /** Whether at least one of the calls that were tried returned; equal exceptions for unsuitable types prove little. */
  async function returns(deadline: Deadline): Promise<boolean> {
    await deadline.within(examiner.probing);
    return examiner.probed !== undefined && (examiner.probed.tried === 0 || examiner.probed.returned > 0);
  }

  /** Whether the functions are proved to raise nothing for the guessed types that such types alone can cause. */
  async function suit(tree: SyntaxTree, goal: Goal, deadline: Deadline): Promise<boolean> {
    // Such an exception breaks a contract that declares none.
    if (goal.kind === "meets_contract" && (goal.allowed ?? []).length === 0) return true;
    const functions = goal.kind === "equivalent" ? [goal.function_a, goal.function_b] : [goal.function];
    for (const name of functions) {
      const fits = { kind: "never_raises", function: name, exceptions: ["TypeError", "AttributeError"] } as const;
      if ((await prover.prove(tree, fits, deadline)).kind !== "proven") return false;
    }
    return true;
  }

  /** Proves, also with invariants in loops, that a function raises nothing, and therefore not this exception. */
  async function proveByContract(tree: SyntaxTree, deadline: Deadline): Promise<Proof | undefined> {
    const [name = ""] = question.functions;
    const { task, exception = "" } = question;
    if (task !== "raises" || !isShownByContract(tree, name, exception)) return undefined;
    const contract = { kind: "meets_contract", function: name } as const;
    const share = deadline.atMost(deadline.left_ms * symbolic_limits.contract_share);
    const verdict = await prover.prove(tree, contract, share);
    if (verdict.kind === "proven") return proofOf(verdict.proof);
    if ("obligations" in verdict && verdict.obligations) examiner.obligations = raising(verdict.obligations, exception);
    return undefined;
  }

  function candidateOf(inputs: readonly PythonValue[]): Candidate {
    const names = inspected.functions[0]?.parameters ?? [];
    const input = Object.fromEntries(names.map(({ name }, i) => [name, tagged(inputs[i] ?? { type: "none" })]));
    return { input, keys: ["from the prover"], sides: [] };
  }

  /** Tries to prove sides unreachable one after the other, skipping sides that a run has taken. */
  async function proveSides(
    tree: SyntaxTree,
    types: Readonly<Record<string, string>>,
    deadline: Deadline,
  ): Promise<undefined> {
    await deadline.within(examiner.probing);
    for (const site of inspected.sites) {
      for (const side of [true, false]) {
        if (examiner.wasTaken(site.site, side) || site.constant !== null || deadline.is_over) continue;
        const goal = sideGoal(question, site, side);
        if (!goal) continue;
        const verdict = await prover.prove(tree, goal, deadline);
        if (verdict.kind === "proven")
          examiner.unreachable.set(examiner.sideKey(site.site, side), forTypes(proofOf(verdict.proof), types));
      }
    }
    return undefined;
  }

  return { name: "prove", comes_first: false, look };
}

/** Explains why the prover can't answer this question in the same way as the other sources. */
function unreadable({ task }: Question, { functions, hazards }: Inspected): string | undefined {
  const styles = functions.flatMap(({ contract }) => contract.styles);
  const unknown = styles.filter((style) => !readable_styles.includes(style));
  // Decorators are active in real calls, and what they raise is not in the function's text.
  const enforced = task === "check" ? [] : styles.filter((style) => style === "icontract");
  return [...hazards, ...[...unknown, ...enforced].map((style) => `contracts by ${style}`)][0];
}

async function readTree(
  python: Pick<Python, "syntax">,
  { task, code, base, functions, exception }: Question,
  { examiner, assumed }: { readonly examiner: Examiner; readonly assumed: AssumedTypes },
  deadline: Deadline,
): Promise<SyntaxTree | string> {
  try {
    const own = base === undefined ? functions : functions.slice(1);
    const roots = [...own, ...(exception?.split(".").slice(0, 1) ?? [])];
    const {
      tree,
      python: version,
      text,
      patterns,
      same,
      broken,
    } = await python.syntax(code, deadline, {
      roots,
      ...(task !== "compare" && { contract_of: functions[0] }),
      ...(base !== undefined && { base, base_root: functions[0] }),
      ...(task === "compare" && { pair: comparedIn(functions, base) }),
      ...(assumed.length > 0 && { assumed: functions.map((_, i) => typesOf(assumed, i)) }),
    });
    if (broken) return `line ${broken.line}: ${broken.message}`;
    // Some operations differ between Python versions, so a proof is about the version that runs the code.
    if (version?.join(".") !== examiner.python) return "another version of Python";
    const read = SyntaxTree.safeParse({ tree, python: version, text, patterns, same });
    if (!read.success) return "the form of this code";
    return task === "check" ? read.data : { ...read.data, tree: withoutPostconditions(read.data.tree) };
  } catch (thrown) {
    // The other sources can continue without a syntax tree.
    if (thrown instanceof Fault && (thrown.code === "input_rejected" || thrown.code === "busy")) return thrown.message;
    throw thrown;
  }
}

/** Removes postconditions, which are a separate question. */
function withoutPostconditions(tree: SyntaxTree["tree"]): SyntaxTree["tree"] {
  const without = (each: SyntaxTree["tree"]["body"][number]): typeof each => {
    if (each.is === "ClassDef") return { ...each, body: each.body.map(without) };
    return each.is === "FunctionDef" && each.documented
      ? { ...each, documented: each.documented.filter(({ is }) => is === "pre") }
      : each;
  };
  return { ...tree, body: tree.body.map(without) };
}

/** Returns the names that the two functions have in the tree. */
function comparedIn([first = "", second = ""]: readonly string[], base: string | undefined): [string, string] {
  return [base === undefined ? first : `${first}${older}`, second];
}

function goalOf({ task, functions, exception, base }: Question, inspected: Inspected): Goal {
  const [first = ""] = functions;
  if (task === "compare") {
    const [function_a, function_b] = comparedIn(functions, base);
    return { kind: "equivalent", function_a, function_b };
  }
  if (task === "raises") return { kind: "never_raises", function: first, exceptions: [exception ?? ""] };
  const allowed = inspected.functions[0]?.contract.raises ?? [];
  return { kind: "meets_contract", function: first, allowed };
}

/** Creates the goal that a side is never taken; undefined if the prover can't name the side. */
function sideGoal({ functions }: Question, { place, kind, true_lines }: Site, side: boolean): Goal | undefined {
  const [name = ""] = functions;
  const [line] = true_lines;
  if (place) {
    const [from, column, to, end_column] = place;
    const target = { kind: "outcome", line: from, column, end_line: to, end_column, outcome: side } as const;
    return { kind: "never_reached", function: name, target };
  }
  if (kind !== "for" || !side || line === undefined) return undefined;
  return { kind: "never_reached", function: name, target: { kind: "line", line } };
}

const methods = {
  same_code: "comparing the code: the same but for names, annotations and forms of the same meaning",
  direct: "all paths of the code as one formula",
  induction: "induction over its loops",
  invariants: "induction over its loops",
  unwinding: "loops unwound to a bound that was proven",
  recursion: "induction over its recursive calls",
} as const;

function proofOf({ method, engine, assumptions, smt, sha256, confirmed_by, unconfirmed }: Evidence): Proof {
  return {
    method: `proof by ${methods[method]}`,
    engine: engine === "" ? "Verdict's prover" : `Verdict's prover, ${engine}`,
    assumptions,
    ...{ questions: smt, sha256 },
    ...(confirmed_by && { confirmed_by }),
    ...(unconfirmed !== undefined && { unconfirmed }),
  };
}

const only_a_candidate = "the prover found a possible counterexample, which CPython did not confirm";

/** Converts a value to the form that `tagged.py` reads. */
export function tagged(value: PythonValue): unknown {
  switch (value.type) {
    case "none":
      return null;
    case "bool":
      return value.value;
    case "int": {
      const number = BigInt(value.value);
      return { int: `${number < 0n ? "-" : ""}0x${(number < 0n ? -number : number).toString(16)}` };
    }
    case "float":
      return { float: hexFloat(BigInt(`0x${value.value}`)) };
    case "str":
      return String.fromCodePoint(...value.codes);
    case "list":
      return { list: value.items.map(tagged) };
    case "tuple":
      return { tuple: value.items.map(tagged) };
    case "enum":
      return { enum: [value.class, value.name] };
    case "record": {
      const fields = Object.entries(value.fields).map(([name, each]) => [name, tagged(each)]);
      return { record: [value.class, Object.fromEntries(fields)] };
    }
    case "set":
      return { set: value.items.map(tagged) };
    case "dict":
      return { dict: value.entries.map((pair) => pair.map(tagged)) };
  }
}

const mantissa_bits = 52n;
const exponent_mask = 0x7ffn;

/** Formats the double with these bits as Python's `float.hex` does. */
function hexFloat(bits: bigint): string {
  const sign = bits >> 63n === 1n ? "-" : "";
  const exponent = (bits >> mantissa_bits) & exponent_mask;
  const mantissa = bits & ((1n << mantissa_bits) - 1n);
  if (exponent === exponent_mask) return mantissa === 0n ? `${sign}inf` : "nan";
  const digits = mantissa.toString(16).padStart(13, "0");
  return exponent === 0n ? `${sign}0x0.${digits}p-1022` : `${sign}0x1.${digits}p${exponent - 1023n}`;
}
