import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Browser, Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bridgeScript, openBrowser, showAnswer } from "../support/browser.ts";
import { cli } from "../support/client.ts";

/** The pictures of docs/ are those of this test: `npm run pictures` writes them. */
const folder = process.env["VERDICT_PICTURES"];
const bytes_max = 60_000;

const file = (name: string) => readFileSync(join("test/fixtures/pictures", name), "utf8");
const json = (name: string): Record<string, unknown> => JSON.parse(file(name));
const minizinc = (name: string, data?: string) => ({
  tool: "solve",
  arguments: {
    language: "minizinc",
    timeout_ms: 90_000,
    model: file(`${name}.mzn`),
    ...(data && { data: json(data) }),
  },
});

interface Picture {
  readonly name: string;
  readonly question: { readonly tool: string; readonly arguments: Record<string, unknown> };
  /** What must be in it. */
  readonly shows: (frame: Frame) => Promise<void>;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

const withView = ({ tool, arguments: args }: Picture["question"], view: object) => ({
  ...{ tool, arguments: { ...args, view } },
});

const count = (frame: Frame, selector: string) => frame.locator(selector).count();

const pictures: readonly Picture[] = [
  {
    name: "sudoku",
    question: minizinc("sudoku"),
    shows: async (frame) => expect(await count(frame, "table.boxes td")).toBe(81),
  },
  {
    name: "queens",
    question: minizinc("queens"),
    shows: async (frame) =>
      expect(await frame.locator("table.queens td.on").allTextContents()).toEqual(Array(8).fill("♛")),
  },
  {
    name: "nonogram",
    question: minizinc("nonogram", "nonogram.json"),
    shows: async (frame) => {
      expect(await count(frame, "table.squares td.on")).toBe(46);
      expect(await count(frame, "table.squares th")).toBe(20);
    },
  },
  {
    name: "schedule",
    question: minizinc("jobs", "jobs.json"),
    shows: async (frame) => {
      expect(await count(frame, "svg svg rect")).toBe(9);
      expect(await frame.locator(".names div").allTextContents()).toEqual(["machine 1", "machine 2", "machine 3"]);
    },
  },
  {
    name: "route",
    question: minizinc("tour", "tour.json"),
    shows: async (frame) => {
      expect(await count(frame, "svg.graph circle")).toBe(8);
      expect(await count(frame, "svg.graph polygon")).toBe(8);
    },
  },
  {
    name: "graph",
    question: { tool: "solve", arguments: { language: "asp", model: file("map.lp") } },
    shows: async (frame) => {
      expect(await count(frame, "svg.graph line")).toBe(9);
      expect(await count(frame, ".legend li")).toBe(3);
    },
  },
  {
    name: "bars_and_search",
    height: 820,
    question: withView(minizinc("loads", "loads.json"), {
      kind: "bars",
      values: "load",
      title: "Load of each machine",
    }),
    shows: async (frame) => {
      expect(await count(frame, "svg rect")).toBe(4);
      expect(await count(frame, "svg path.edge")).toBe(1);
      await frame.getByText(/^proved best/).waitFor();
    },
  },
  {
    name: "table",
    question: { tool: "solve_smtlib", arguments: { smtlib: file("meeting.smt2") } },
    shows: async (frame) => expect(await count(frame, "table.values td")).toBe(3),
  },
  {
    name: "conflict",
    question: minizinc("roster"),
    shows: async (frame) => expect(await count(frame, "mark")).toBe(3),
  },
  {
    name: "python",
    height: 760,
    question: { tool: "symbolic_check", arguments: { code: file("price.py"), function_name: "price" } },
    shows: async (frame) => {
      expect(await count(frame, "span.path:not(.said)")).toBe(3);
      await frame.getByText("postcondition: _ >= 0").first().waitFor();
    },
  },
  {
    name: "schedule_dark_narrow",
    question: minizinc("jobs", "jobs.json"),
    shows: async (frame) =>
      expect(await frame.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320),
    ...{ width: 320, theme: "dark" },
  },
];

let browser: Browser;
let script: string;
let client: Client;
beforeAll(async () => {
  [browser, script] = await Promise.all([openBrowser(), bridgeScript()]);
  client = new Client({ name: "host", version: "0" });
  const args = [cli, "serve", "--tools", "smtlib,model,symbolic"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
});
afterAll(async () => {
  await Promise.all([browser.close(), client.close()]);
});

describe("the picture of an answer", () => {
  it.each(pictures)(
    "$name",
    async ({ name, question, shows, width = 720, height: height_max = 560, theme = "light" }) => {
      const { structuredContent } = await client.callTool(
        { name: question.tool, arguments: question.arguments },
        { timeout: 100_000 },
      );
      const page = await browser.newPage({ viewport: { width, height: 2_000 } });
      const shown = await showAnswer(page, script, {
        input: question.arguments,
        answer: structuredContent ?? {},
        theme,
      });
      await shown.frame.locator(".verdict").waitFor();
      await shows(shown.frame);
      expect(shown.errors).toEqual([]);
      const height = Number(
        await shown.frame.evaluate("document.querySelector('main').getBoundingClientRect().bottom"),
      );
      const picture = await page.screenshot({ clip: { x: 0, y: 0, width, height: Math.min(height + 14, height_max) } });
      expect(picture.length).toBeLessThan(bytes_max);
      if (folder !== undefined) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${name}.png`), picture);
      }
      await page.close();
    },
  );
});
