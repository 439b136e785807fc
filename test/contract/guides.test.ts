import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { type Connection, connect } from "../support/client.ts";
import { hadNoTime, type MiniZincBench, minizinc_builds, openMiniZinc } from "../support/minizinc.ts";
import { has_python, type Models, openModels } from "../support/models.ts";
import { real_setup_ms_max } from "../support/python.ts";

/**
 * The guides are read by language models before they start, so each example in them has to be true:
 * every ```python or ```minizinc block is a whole model, its items begin with lines `# item N` or `% item N`, and
 * the ```json block after it holds facts of its answer, or `error_contains` for a fault; `call` in it holds options of
 * `solve_model`.
 * (The guide of smtlib is tested in cli.test.ts.)
 */
const guides = ["z3", "pysat", "minizinc"].map((language) => {
  const text = readFileSync(`src/tools/model/languages/${language}.md`, "utf8");
  return { language, text, examples: [...examplesIn(text)] };
});

interface Example {
  readonly first_line: string;
  readonly items: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
}

function* examplesIn(text: string): Generator<Example> {
  for (const [, program = "", json = ""] of text.matchAll(
    /^```(?:python|minizinc)\n([\s\S]*?)^```\n```json\n([\s\S]*?)^```$/gm,
  )) {
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

describe.each(guides)("the guide of $language", ({ language, text, examples }) => {
  let server: Connection;
  beforeAll(async () => {
    server = await connect();
  });
  afterAll(() => server?.close());

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
    expect(examples.length).toBe(text.split(/```(?:python|minizinc)/).length - 1);
    expect(examples.length).toBe(text.split("```json").length - 1);
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it("numbers the items of its examples as the tools do", () => {
    const programs = [...text.matchAll(/^```(?:python|minizinc)\n([\s\S]*?)^```$/gm)].map(
      ([, program = ""]) => program,
    );
    for (const program of programs) {
      const numbers = [...program.matchAll(/^[#%] item (\d+)$/gm)].map(([, number]) => Number(number));
      expect(numbers).toEqual([...numbers.keys()]);
    }
  });
});

const of_python = guides.filter(({ language }) => language !== "minizinc");

describe.skipIf(!has_python).each(of_python)("the examples in the guide of $language", ({ language, examples }) => {
  let models: Models;
  beforeAll(async () => {
    models = await openModels();
  }, real_setup_ms_max);
  afterAll(() => models?.close());

  /** Builds the model item by item; gives the warnings of the last one. */
  async function build(items: readonly string[]): Promise<unknown> {
    await models.call("clear_model", { language });
    let warnings: unknown;
    for (const item of items) ({ warnings } = await models.call("add_item", { item }));
    return warnings;
  }

  it.each(examples.filter(({ facts }) => "status" in facts))("are answered as told: $first_line", async (example) => {
    expect(await build(example.items)).toEqual([]);
    expect(await models.call("solve_model")).toMatchObject({ warnings: [], ...example.facts });
  });

  const faulty = examples.filter(({ facts }) => "error_contains" in facts);
  it.skipIf(faulty.length === 0).each(faulty)("are refused as told: $first_line", async ({ items, facts }) => {
    const { error } = await models.fault(language, items);
    expect(error).toContain(facts.error_contains);
  });

  it("are all of one of these kinds", () => {
    for (const { facts } of examples)
      expect(Object.keys(facts)).toContainEqual(expect.stringMatching(/^(status|error_contains)$/));
  });
});

const of_minizinc = guides.flatMap(({ language, examples }) => (language === "minizinc" ? examples : []));

describe.each(minizinc_builds)("the examples in the guide of minizinc, on the $name build", ({ minizinc }) => {
  let bench: MiniZincBench;
  beforeAll(() => {
    bench = openMiniZinc(minizinc ?? "wasm");
  });
  afterAll(() => bench?.engines.close());

  it.skipIf(minizinc === undefined).for(of_minizinc)("are true: $first_line", async ({ items, facts }, { skip }) => {
    const { error_contains, call, ...expected } = facts;
    const options = z.record(z.string(), z.unknown()).optional().parse(call);
    if (error_contains !== undefined) {
      expect((await bench.fault(items, options)).error).toContain(error_contains);
      return;
    }
    const answer = await bench.solve(items, options);
    skip(hadNoTime(answer), "the machine was too busy to narrow the conflict within its five seconds");
    expect(answer).toMatchObject({ warnings: [], ...expected });
  });
});
