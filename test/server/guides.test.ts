import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { connect } from "../support/client.ts";
import { fixture } from "../support/fixture.ts";
import { all_languages, language_fixtures } from "../support/language_fixtures.ts";
import { someCompiled } from "../support/minizinc.ts";
import { shareModels } from "../support/models.ts";

/**
 * The guides are read by language models before they start, so each example in them has to be true:
 * every ```python, ```minizinc or ```asp block is a whole model, its items begin with lines `# item N` or `% item N`, and the
 * ```json block after it holds facts of its answer (to a call with `options`), or `error_contains` for a fault.
 * (The guide of smtlib is tested in cli.test.ts.)
 */
const folder = "src/tools/model/languages";
const guides = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => basename(file) === "guide.md")
  .map((file) => {
    const language = basename(dirname(file));
    const code = dirname(dirname(file)) === "python" ? "python" : language;
    const { here = false } = language_fixtures.find((fixture) => fixture.language === language) ?? {};
    const text = readFileSync(join(folder, file), "utf8");
    const programs = programsIn(text, code);
    return { language, here, text, programs, examples: [...examplesIn(text, code)] };
  });

interface Example {
  readonly first_line: string;
  readonly items: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
}

function programsIn(text: string, code: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${code}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, program = ""]) => program,
  );
}

function* examplesIn(text: string, code: string): Generator<Example> {
  const pairs = new RegExp(`^\`\`\`${code}\\n([\\s\\S]*?)^\`\`\`\\n\`\`\`json\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  for (const [, program = "", json = ""] of text.matchAll(pairs)) {
    const items = itemsOf(program);
    const first_line = items.map((item) => item.split("\n")[0]).join("; ");
    yield { first_line, items, facts: z.record(z.string(), z.unknown()).parse(JSON.parse(json)) };
  }
}

function itemsOf(program: string): string[] {
  const [before = "", ...items] = program.split(/^[#%] item \d+\n/m);
  if (before !== "") throw new Error(`lines before the first item: ${before}`);
  return items.map((item) => item.trimEnd());
}

const server = fixture(connect);

it("every modelling language has its guide, and each of them is offered", async () => {
  expect(guides.map(({ language }) => language).toSorted()).toEqual(all_languages.toSorted());
  const { resources } = await server.client.listResources();
  const offered = resources.flatMap(({ uri }) => /^verdict:\/\/guide\/(\w+)$/.exec(uri)?.[1] ?? []);
  expect(offered).toEqual(["smtlib", ...all_languages, "symbolic", "prove"]);
});

describe.each(guides)("the guide of $language", ({ language, text, programs, examples }) => {
  it("comes as a prompt and as a resource, both the same", async () => {
    const { messages } = await server.client.getPrompt({ name: "instructions", arguments: { language } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text } }]);
    const { contents } = await server.client.readResource({ uri: `verdict://guide/${language}` });
    expect(contents).toMatchObject([{ mimeType: "text/markdown", text }]);
  });

  it("is short enough to be read at the start of every conversation", () => {
    expect(text.length).toBeLessThan(10_000);
  });

  it("has a result after each of its examples", () => {
    expect(examples.length).toBe(programs.length);
    expect(examples.length).toBe(text.split("```json").length - 1);
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it("numbers the items of its examples as the tools do", () => {
    for (const program of programs) {
      const numbers = [...program.matchAll(/^[#%] item (\d+)$/gm)].map(([, number]) => Number(number));
      expect(numbers).toEqual([...numbers.keys()]);
    }
  });
});

describe.each(guides)("the examples in the guide of $language", (guide) => {
  describe.skipIf(!guide.here)("on real engines", () => examplesHold(guide));
});

function examplesHold({ language, examples }: (typeof guides)[number]): void {
  const models = fixture(shareModels);

  /** Builds the model item by item; gives the warnings of the last one. */
  async function build(items: readonly string[]): Promise<unknown> {
    await models.call("clear_model", { language });
    let warnings: unknown;
    for (const item of items) ({ warnings } = await models.call("add_item", { item }));
    return warnings;
  }

  const answered = examples.filter(({ facts }) => "status" in facts);
  it.each(language === "minizinc" ? someCompiled(answered, 3) : answered)(
    "are answered as told: $first_line",
    { retry: 3 },
    async (example) => {
      expect(await build(example.items)).toEqual([]);
      const { options, ...facts } = example.facts;
      const args = typeof options === "object" ? { ...options } : {};
      expect(await models.call("solve_model", args)).toMatchObject({ warnings: [], ...facts });
    },
  );

  const faulty = examples.filter(({ facts }) => "error_contains" in facts);
  it.skipIf(faulty.length === 0).each(faulty)("are refused as told: $first_line", async ({ items, facts }) => {
    const { error } = await models.fault(language, items);
    expect(error).toContain(facts.error_contains);
  });

  it("are all of one of these kinds", () => {
    for (const { facts } of examples)
      expect(Object.keys(facts)).toContainEqual(expect.stringMatching(/^(status|error_contains)$/));
  });
}
