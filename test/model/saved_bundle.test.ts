import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Engines } from "../../src/engines/index.ts";
import { quietContext } from "../../src/kernel/tool.ts";
import { openToolsets } from "../../src/tools/index.ts";
import { readBundle } from "../../src/tools/model/bundle/read.ts";
import { solved_form } from "../../src/tools/model/bundle/record.ts";
import { quickest_clingo } from "../support/asp.ts";
import { command } from "../support/command_line.ts";
import { scratchDirectory } from "../support/directories.ts";

const directory = scratchDirectory();
const config = readConfig({ dataDir: [directory] }, { ...process.env, VERDICT_CLINGO: quickest_clingo });
const engines = new Engines(config);
afterAll(() => engines.close());
const tools = openToolsets(engines, config).flatMap((set) => set.session());

async function call(name: string, args: object): Promise<Record<string, unknown>> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return (await tool.call(args, quietContext())).structured;
}

it("an answer of a session is saved as a bundle, which rerun confirms, unless the model has changed", async () => {
  const model = "{picked(N) : staff(N,_)} = 1.\n#maximize{H,N : picked(N), staff(N,H)}.\n#show picked/1.\n";
  const data = {
    staff: [
      { name: "Ann", hours: 3 },
      { name: "Bob", hours: 5 },
    ],
  };
  await call("solve", { language: "asp", model, data });
  expect(await call("get_solution", { name: "values", save: "plan.zip" })).toMatchObject({ saved: "plan.zip" });
  const { record, changed } = await readBundle(join(directory, "plan.zip"), solved_form);
  expect([record.language, record.options, record.data, changed]).toEqual([
    "asp",
    expect.objectContaining({ timeout_ms: expect.any(Number) }),
    "data.json",
    [],
  ]);
  const again = await command(["rerun", "plan.zip", "--quiet"], { directory });
  expect([again.status, again.stdout]).toEqual([
    0,
    expect.stringContaining("It holds: sat, objective 5 (proved best)"),
  ]);
  await call("solve_model", { keep: true });
  await expect(call("get_solution", { name: "values", save: "kept.zip" })).rejects.toMatchObject({
    code: "input_rejected",
    message: expect.stringContaining("depends on an earlier plan"),
  });
  await call("add_item", { item: ':- picked("Bob").' });
  await expect(call("get_solution", { name: "values", save: "plan2.zip" })).rejects.toMatchObject({
    code: "input_rejected",
    message: expect.stringContaining("has changed since it was solved"),
  });
  await call("add_item", { item: ':- picked("Ann").' });
  await call("solve_model", {});
  await call("get_solution", { name: "values", save: "none.zip" });
  const unsat = await command(["rerun", "none.zip", "--quiet"], { directory });
  expect([unsat.status, unsat.stdout]).toEqual([0, expect.stringContaining("It holds: unsat")]);
});
