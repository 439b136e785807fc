import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { headOf, type Node, nameOf, oneLine, readAll } from "../../src/engines/smt/sexpr.ts";
import { type Bench, builds, nativeZ3, openBench } from "../support/engines.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { pythonData } from "../support/python.ts";
import { runs_all } from "../support/runs_all.ts";
import { type SmtlibAnswer, solveText } from "../support/smtlib.ts";

/**
 * Scripts whose answers were worked out by hand. Each begins with comments for this test:
 * `; answers:` has the word of every check in order, `; objective: TERM VALUE` the best values in
 * order, `; core:` the names of the only minimal core, `; builds:` the only builds that can do it.
 */
const directory = fileURLToPath(new URL("../held_out/", import.meta.url));

interface HeldOut {
  readonly file: string;
  readonly text: string;
  readonly answers: readonly string[];
  readonly objectives: readonly { readonly term: string; readonly value: string }[];
  readonly core: readonly string[] | undefined;
  readonly builds: readonly string[];
}

const scripts: readonly HeldOut[] = readdirSync(directory)
  .filter((file) => file.endsWith(".smt2"))
  .sort()
  .map(readHeldOut);

function readHeldOut(file: string): HeldOut {
  const text = readFileSync(`${directory}${file}`, "utf8");
  const core = notes(text, "core")[0];
  return {
    file,
    text,
    answers: words(text, "answers"),
    builds: words(text, "builds"),
    objectives: notes(text, "objective").map(readObjective),
    core: core === undefined ? undefined : readAll(core).map((name) => nameOf(name) ?? oneLine(core, name)),
  };
}

function words(text: string, key: string): string[] {
  return notes(text, key).flatMap((note) => note.split(" "));
}

/** What follows `; key:` in the comments at the top of a script. */
function notes(text: string, key: string): string[] {
  const top = /^\uFEFF?(;[^\n]*\n)*/.exec(text)?.[0] ?? "";
  return [...top.matchAll(/^\uFEFF?; (\w+): ([^\r\n]*)/gm)].flatMap(([, name, value]) =>
    name === key && value !== undefined ? [value] : [],
  );
}

function readObjective(note: string): { term: string; value: string } {
  const [term, value] = readAll(note);
  if (!term || !value) throw new Error(`an objective needs a term and a value: ${note}`);
  return { term: oneLine(note, term), value: oneLine(note, value) };
}

/** The words that the checks of a script were answered with. */
function answered({ transcript }: SmtlibAnswer): string[] {
  return transcript.filter(({ command }) => /^\( ?check-sat/.test(command)).map(({ output }) => output);
}

/** Where a model is not a witness by itself, or where a second run would not see the same assertions. */
const not_rechecked = /\((forall|exists|push|pop|reset|reset-assertions|minimize|maximize|assert-soft|declare-rel)\b/;

const commands_until_exit = (text: string): Node[] => {
  const commands = readAll(text.replace(/^\uFEFF/, " "));
  const exit = commands.findIndex((command) => headOf(command) === "exit");
  return exit < 0 ? commands : commands.slice(0, exit);
};

/** Names of the constants that a script declares. */
function constants(commands: readonly Node[]): string[] {
  return commands.flatMap((command) => {
    const [, symbol, parameters] = command.kind === "list" ? command.items : [];
    const head = headOf(command);
    const is_constant = head === "declare-const" || (head === "declare-fun" && isEmpty(parameters));
    return is_constant ? (nameOf(symbol) ?? []) : [];
  });
}

function isEmpty(node: Node | undefined): boolean {
  return node?.kind === "list" && node.items.length === 0;
}

/** Values that can be written in a script again: not roots of polynomials, not elements of free sorts. */
function isPlain(value: string): boolean {
  return !/root-obj|!val!/.test(value) && readAll(value).length === 1;
}

/** The script with the model's values asserted before its last check, or before what asks for the result. */
function withValues(text: string, model: Readonly<Record<string, string>>): string {
  const commands = commands_until_exit(text);
  const equalities = constants(commands).flatMap((name) => {
    const value = Object.hasOwn(model, name) ? model[name] : undefined;
    return value !== undefined && isPlain(value) ? [`(assert (= |${name}| ${value}))`] : [];
  });
  const check = commands.findLast(isCheck) ?? commands.find((command) => headOf(command)?.startsWith("get-"));
  const at = check?.start ?? text.length;
  return `${text.slice(0, at)}\n${equalities.join("\n")}\n${text.slice(at)}`;
}

function isCheck(node: Node): boolean {
  return headOf(node)?.startsWith("check-sat") ?? false;
}

describe("the held-out scripts", () => {
  it("are ninety at least", () => {
    expect(scripts.length).toBeGreaterThanOrEqual(90);
  });

  it.each(scripts)("$file says what every check answers", ({ answers }) => {
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(["sat", "unsat"]).toContain(answer);
  });

  it("let most models be checked again", () => {
    const rechecked = scripts.filter(({ text, answers }) => answers.at(-1) === "sat" && !not_rechecked.test(text));
    expect(rechecked.length).toBeGreaterThanOrEqual(40);
  });
});

/**
 * The first script of every sixth subject: the embedded Z3 is the same program, and takes half a second to start.
 * All of them run on it in `npm run test:long`, and in the suite where there is no other.
 */
const subjects = [...new Set(scripts.map(({ file }) => subjectOf(file)))].filter((_, i) => i % 6 === 0);
const some = subjects.flatMap((subject) => scripts.find(({ file }) => subjectOf(file) === subject) ?? []);

function subjectOf(file: string): string {
  return file.split("_")[0] ?? "";
}

for (const { name, z3 } of builds) {
  describe.skipIf(!z3)(`held-out scripts on the ${name} build`, () => {
    const bench = fixture(() => openBench(z3 ?? ""));
    /** Models are checked by a native build where there is one, if only Python's: it is faster, and another one. */
    const judge = fixture(async () =>
      openBench(nativeZ3() ?? "", undefined, has_python ? { VERDICT_DATA: await pythonData() } : {}),
    );

    const asked = runs_all || name === "native" || !nativeZ3() ? scripts : some;
    const fit = asked.filter(({ builds }) => builds.length === 0 || builds.includes(name));

    describe.concurrent("are answered as worked out by hand", () => {
      it.each(fit)("$file: $answers", async (script) => {
        const answer = await solveText(bench, script.text, { explain_unsat: script.core !== undefined });
        expect(answered(answer)).toEqual(script.answers);
        expect(answer.status).toBe(script.answers.at(-1));
        expect(answer.warnings).toEqual(expectedWarnings(answer));
        if (script.objectives.length > 0) expect(answer.objectives).toEqual(script.objectives);
        if (script.core) expect(coreNames(answer)).toEqual([...script.core].sort());
        await recheck(judge, script, answer);
      });
    });

    const unfit = scripts.filter(({ builds }) => builds.length > 0 && !builds.includes(name));
    it.each(unfit)("$file, which this build can't do, is refused with its place", async ({ text }) => {
      const position = { line: expect.any(Number), column: expect.any(Number) };
      await expect(solveText(bench, text)).rejects.toMatchObject({ code: "input_rejected", position });
    });

    it("a status that contradicts the answer is remarked", async () => {
      const { warnings } = await solveText(bench, "(set-info :status unsat)(assert true)(check-sat)");
      expect(warnings).toEqual([expect.stringContaining(":status")]);
    });
  });
}

function coreNames({ unsat_core }: SmtlibAnswer): string[] | undefined {
  return unsat_core?.map((member) => member.name).sort();
}

/** Remarks that a right answer may carry: none of them is about :status. */
function expectedWarnings({ warnings }: SmtlibAnswer): string[] {
  return warnings.filter((warning) => !warning.includes(":status") && !warning.includes("Z3 remarked"));
}

/** A model that is claimed to be one must satisfy the script that it came from. */
async function recheck(judge: Bench, { file, text }: HeldOut, { status, model, output }: SmtlibAnswer): Promise<void> {
  if (status !== "sat" || not_rechecked.test(text)) return;
  if (!model) throw new Error(`${file} is sat and has no model`);
  // A script that asks for single values gets these only.
  if (!text.includes("(get-value")) expect(Object.keys(model).sort()).toEqual(definedNames(output).sort());
  const again = await solveText(judge, withValues(text, model));
  expect(again.status).toBe("sat");
}

/** The names that the printed model defines; their line ends are shown as escapes. */
function definedNames(output: string): string[] {
  const model = readAll(output.replaceAll("\\u000a", "\n")).findLast((node) => headOf(node) === "model");
  const definitions = model?.kind === "list" ? model.items.slice(1) : [];
  return definitions.flatMap((item) =>
    item.kind === "list" && headOf(item)?.startsWith("define-fun") ? (nameOf(item.items[1]) ?? []) : [],
  );
}
