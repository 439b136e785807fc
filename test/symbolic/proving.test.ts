import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connect } from "../support/client.ts";
import { withEnoughTime } from "../support/enough_time.ts";
import { fixture } from "../support/fixture.ts";
import { has_python } from "../support/models.ts";
import { pythonData } from "../support/python.ts";

const guide = readFileSync("src/tools/symbolic/prove/guide.md", "utf8");

/** Each function with the lines of its answer. */
const dialogues = [...guide.matchAll(/^```python\n([\s\S]*?)^```\n\n```\n([\s\S]*?)^```$/gm)].map(
  ([, code = "", answer = ""]) => ({
    code,
    name: /^def (\w+)/m.exec(code)?.[1] ?? "",
    answer: answer.trimEnd().split("\n"),
  }),
);

/** A text without the values of states: Z3 may find others. */
function withoutStates(text: string): string {
  return text.replace(/(: before|changes nothing at) .*$/gm, "$1 …");
}

describe("the guide to proofs", () => {
  it("has five dialogues, in which each function is followed by its answer", () => {
    expect([...guide.matchAll(/^```python$/gm)]).toHaveLength(dialogues.length);
    expect(dialogues.filter(({ answer }) => answer[0] !== "verified")).toHaveLength(5);
    expect(guide.length).toBeLessThan(10_000);
  });

  describe.skipIf(!has_python)("on a real server", () => {
    const server = fixture(async () =>
      connect({ env: { VERDICT_DATA: await pythonData(), VERDICT_HANDOVER_MS: "0" } }),
    );

    async function ask(code: string, name: string, timeout_seconds: number): Promise<string> {
      const args = { code, function_name: name, timeout_seconds };
      const reply = await server.client.callTool({ name: "symbolic_check", arguments: args }, { timeout: 200_000 });
      const [text] = reply.content;
      return text?.type === "text" ? text.text : "";
    }

    it.each(dialogues)("answers $name with $answer", async ({ code, name, answer }) => {
      const isAsShown = (text: string) =>
        answer.every((line) => withoutStates(text).includes(withoutStates(line))) && text.includes("\n");
      const text = await withEnoughTime((ms) => ask(code, name, ms / 1000), isAsShown, 3_000);
      for (const line of answer) expect(withoutStates(text)).toContain(withoutStates(line));
    });
  });
});
