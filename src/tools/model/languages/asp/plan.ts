import { scan } from "../../../../evidence/asp/tokens.ts";
import { Fault } from "../../../../kernel/fault.ts";
import { limits } from "../../../../kernel/limits.ts";
import { cut } from "../../../../kernel/text/cut.ts";
import { unless } from "../../../../kernel/unless.ts";
import type { Values } from "../../language.ts";
import { model_limits } from "../../limits.ts";
import { stepsOf, Weights } from "../../plans/paths.ts";
import type { Keep } from "../questions/question.ts";
import { showsTerms } from "./all.ts";
import { termsIn } from "./answer_sets.ts";
import { predicatesIn } from "./head_bounds.ts";
import { levelAbove } from "./objective.ts";
import type { AspProgram } from "./program.ts";

/** A plan as integrity constraints: for each predicate in the plan, exactly the given atoms hold. */
export interface PlanRules {
  readonly rules: string;
  readonly over: readonly string[];
  /** Predicates in an earlier solution that no longer exist in the program. */
  readonly left_out?: readonly string[];
  /** Returns the changes to the plan given as `keep`, for the atoms that hold now. */
  readonly changesTo?: (now: readonly string[]) => AtomChange[];
  /** The reason why the plan can't be tested; undefined if it can. */
  readonly reason?: string;
}

interface AtomChange {
  readonly at: string;
  readonly holds: boolean;
}

/** Alternative readings of one atom, since a text can mean a constant or a string. */
type Ways = readonly string[];

/** One predicate of a plan. */
interface Given {
  readonly name: string;
  readonly arity: number;
  readonly atoms: readonly Ways[];
}

/**
 * Reads the atoms of a plan, which has the same form as an answer: a list `atoms`, or atoms by predicate. Predicates
 * that the plan does not mention are left open. Raises `invalid_argument` for other names and forms.
 */
export function planRules(plan: Values, program: AspProgram): PlanRules {
  if (showsTerms(program)) return { rules: "", over: [], reason: terms_shown };
  const entries = Object.entries(plan);
  const single = entries.filter(([name, value]) => name.includes("(") && value !== null);
  const rules = single.map(([name, value]) => (isTrue(value) ? `:- not ${atomOf(name)}.` : `:- ${atomOf(name)}.`));
  const given = givenIn(
    entries.filter(([name]) => !name.includes("(")),
    program,
  );
  const named = [...single.map(([name]) => ({ name: name.split("(", 1)[0] ?? name })), ...given];
  expectKnown(named, program);
  return {
    rules: [...rules, ...given.flatMap(rulesOf)].join("\n"),
    over: [...single.map(([name]) => name), ...new Set(given.map(({ name }) => name))],
  };
}

const terms_shown = "the program shows terms, which constraints can't refer to";

/**
 * Builds the costs of changes to a plan, which take priority over all other costs. Each atom that no longer holds has a
 * cost, and so does each new atom of its predicate. Raises the same faults as `planRules`, and a fault for weights that
 * match nothing.
 */
export function keepRules({ values, weights: by_name, is_earlier }: Keep, program: AspProgram): PlanRules {
  if (showsTerms(program)) return { rules: "", over: [], reason: terms_shown };
  const level = levelAbove(program.statements);
  if (level === undefined)
    return { rules: "", over: [], reason: "a level of the objective is not written as a number (weight@2)" };
  const { atoms } = values;
  const all = givenIn(atoms === undefined ? Object.entries(values) : [["atoms", atoms]], program);
  const known = predicatesOf(program);
  const given = all.filter(({ name }) => !is_earlier || known.has(name.replace(/^-/, "")));
  expectKnown(given, program);
  const weights = new Weights(by_name);
  const rules = given.flatMap((each, i) => costsOf(each, `${level}`, i, weights));
  const left_out = all.filter((each) => !given.includes(each)).map(({ name }) => name);
  weights.expectUsed(left_out);
  // The additional `#minimize` makes clingo report a cost at this level even if nothing can change.
  return {
    rules: [...rules, `#minimize { 0@${level} }.`].join("\n"),
    over: given.map(({ name }) => name),
    left_out,
    changesTo: (now) => given.flatMap((each) => changedAtoms(each, now)),
  };
}

/** Builds preferences for the atoms of an earlier answer, which only guide the search. */
export function startRules({ atoms }: Values): string {
  const known: unknown[] = Array.isArray(atoms) ? atoms.slice(0, started_max) : [];
  return known
    .filter(isAtom)
    .map((atom) => `#heuristic ${atom}. [1,sign]`)
    .join("\n");
}

const started_max = 10_000;

/** Returns the atoms of a predicate that no longer hold, and the atoms that newly hold. */
function changedAtoms({ name, arity, atoms }: Given, now: readonly string[]): AtomChange[] {
  const kept = new Set(atoms.flat());
  const own =
    byPredicate(now)
      .find((each) => each.name === name && each.arity === arity)
      ?.atoms.flat() ?? [];
  return [
    ...atoms.flatMap((ways) => (ways.some((way) => own.includes(way)) ? [] : [{ at: ways[0] ?? name, holds: false }])),
    ...own.flatMap((at) => (kept.has(at) ? [] : [{ at, holds: true }])),
  ];
}

function costsOf({ name, arity, atoms }: Given, level: string, index: number, weights: Weights): string[] {
  const costs = atoms.map((ways, i) => {
    const weight = weights.at(stepsOf(ways[0] ?? name)) ?? 1;
    return `#minimize { ${weight}@${level},0,${index},${i} : ${ways.map((way) => `not ${way}`).join(", ")} }.`;
  });
  const weight = weights.at([name]) ?? 1;
  if (arity === 0) return atoms.length > 0 ? costs : [`#minimize { ${weight}@${level},1,${index} : ${name} }.`];
  const [atom, others] = otherAtoms({ name, arity, atoms }, ", ");
  const key = atom.slice(name.length + 1, -1);
  return [...costs, `#minimize { ${weight}@${level},1,${index},${key} : ${atom}${others} }.`];
}

function isTrue(value: unknown): boolean {
  if (typeof value === "boolean" || value === 0 || value === 1) return Boolean(value);
  throw unfit(value, "The value of an atom must be true or false.");
}

function givenIn(entries: readonly (readonly [string, unknown])[], program: AspProgram): Given[] {
  return entries.flatMap(([name, value]) =>
    name === "atoms" ? byPredicate(listOf(name, value).map(atomOf)) : ofName(name, value, program),
  );
}

function predicatesOf({ statements }: AspProgram): ReadonlySet<string> {
  return new Set(statements.flatMap(({ tokens }) => [...predicatesIn(tokens)]));
}

/** Checks that the predicates occur in the program. Raises `invalid_argument`. */
function expectKnown(given: readonly { readonly name: string }[], program: AspProgram): void {
  const known = predicatesOf(program);
  for (const { name } of given)
    if (!known.has(name.replace(/^-/, "")))
      throw unfit(
        name,
        `The program has no predicate ${name}. It has: ${[...known].slice(0, model_limits.names_listed_max).join(", ")}.`,
      );
}

function rulesOf({ name, arity, atoms }: Given): string[] {
  const held = atoms.map((ways) => `:- ${ways.map((way) => `not ${way}`).join("; ")}.`);
  if (arity === 0) return atoms.length > 0 ? held : [`:- ${name}.`];
  return [...held, `:- ${otherAtoms({ name, arity, atoms }, "; ").join("")}.`];
}

/**
 * Builds an atom with variables as arguments, and conditions that make it differ from all given atoms of its predicate.
 */
function otherAtoms({ name, arity, atoms }: Given, join: string): [string, string] {
  const variables = Array.from({ length: arity }, (_, i) => `X${i}`).join();
  const others = atoms.flat().map((atom) => `${join}(${variables}) != (${atom.slice(name.length + 1, -1)})`);
  return [`${name}(${variables})`, others.join("")];
}

const atom_form = /^(-?[_']*[a-z][\w']*)(?:\((.*)\))?$/s;

/** Groups atoms, given as complete texts, by predicate. */
function byPredicate(atoms: readonly string[]): Given[] {
  const all = new Map<string, Given>();
  for (const atom of atoms) {
    const [, name = "", inside] = atom_form.exec(atom) ?? [];
    const arity = inside === undefined ? 0 : termsIn(inside).length;
    const before = all.get(`${name}/${arity}`)?.atoms ?? [];
    all.set(`${name}/${arity}`, { name, arity, atoms: [...before, [atom]] });
  }
  return [...all.values()];
}

/** Checks that a value is a single atom without variables. Raises `invalid_argument`. */
function atomOf(value: unknown): string {
  if (isAtom(value)) return value;
  throw unfit(value, "An atom of the plan has the wrong form.");
}

function isAtom(value: unknown): value is string {
  if (typeof value !== "string" || !atom_form.test(value)) return false;
  const tokens = tokensOf(value);
  const fits = tokens.every(
    ({ kind, text }) => kind === "name" || kind === "number" || kind === "string" || /^[(),-]$/.test(text),
  );
  let depth = 0;
  const closes = tokens.map(({ text }) => (depth += text === "(" ? 1 : text === ")" ? -1 : 0));
  // The value is a single atom only if its last bracket closes its first one.
  const is_whole =
    closes.at(-1) === 0 && closes.slice(0, -1).every((each, i) => each > 0 || i < (tokens[0]?.text === "-" ? 2 : 1));
  return tokens.length > 0 && fits && is_whole;
}

function tokensOf(text: string) {
  return unless(Fault, () => scan(text, 0).tokens) ?? [];
}

/** Reads one name of a plan, such as `color: [["a", "red"]]`, `color/2: []` or `on: true`. */
function ofName(key: string, value: unknown, program: AspProgram): Given[] {
  const [, name = "", written] = /^(-?[_']*[a-z][\w']*)(?:\/(\d{1,3}))?$/.exec(key) ?? [];
  if (name === "") throw unfit(key, "A name of the plan is not a predicate.");
  if (value === null) return [];
  if (typeof value === "boolean") return [{ name, arity: 0, atoms: value ? [[name]] : [] }];
  const rows = listOf(key, value).map((row) => listOf(key, row).map((each) => waysOf(each, program)));
  const arities = written === undefined ? new Set(rows.map(({ length }) => length)) : new Set([Number(written)]);
  const all = rows.length > 0 || written !== undefined ? [...arities] : aritiesOf(name, program);
  return all.map((arity) => ({
    ...{ name, arity },
    atoms: rows
      .filter(({ length }) => length === arity)
      .map((row) => combined(row).map((args) => `${name}(${args.join()})`)),
  }));
}

/** The arities with which a predicate occurs. */
function aritiesOf(name: string, { text }: AspProgram): number[] {
  const found = [...text.matchAll(new RegExp(`(?<![\\w'])${name.replace(/^-/, "")}\\(`, "g"))];
  return [...new Set(found.map(({ 0: { length }, index }) => termsIn(text.slice(index + length)).length))];
}

/**
 * Returns the possible readings of a value as a term in clingo's syntax. A text can also mean a string, if the program
 * contains that string.
 */
function waysOf(value: unknown, program: AspProgram): Ways {
  if (typeof value === "number" && Number.isSafeInteger(value)) return [String(value)];
  if (Array.isArray(value))
    return combined(value.map((each: unknown) => waysOf(each, program))).map(
      (each) => `(${each.join()}${each.length === 1 ? "," : ""})`,
    );
  if (typeof value !== "string" || /(?![\t\n])\p{Cc}/u.test(value))
    throw unfit(value, "An argument of the plan has the wrong form.");
  const text = `"${value.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  const is_term = /^_*[a-z][\w']*(?:\(|$)/.test(value) && tokensOf(value).length > 0;
  if (!is_term) return [text];
  const term = atomOf(value);
  return program.text.includes(text) ? [term, text] : [term];
}

/** All combinations of one alternative per part, up to a maximum number. */
function combined(parts: readonly Ways[]): string[][] {
  return parts.reduce<string[][]>(
    (rows, ways) =>
      rows.flatMap((row) => (rows.length > ways_max ? ways.slice(0, 1) : ways).map((way) => [...row, way])),
    [[]],
  );
}

const ways_max = 64;

function listOf(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unfit(value, `The plan's value of ${name} is not a list.`);
}

function unfit(value: unknown, what: string): Fault {
  const shown = cut(JSON.stringify(value) ?? "nothing", limits.fault_quote_chars_max);
  return new Fault("invalid_argument", `${what} Given: ${shown}.`, [
    'give the atoms that hold: {"atoms": ["color(a,red)", "on"]}, or by predicates: {"color": [["a", "red"]], "on": true}',
    "leave out a predicate that the solver should choose",
  ]);
}
