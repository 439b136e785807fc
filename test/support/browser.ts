import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { rolldown } from "rolldown";

/** The browser that VERDICT_CHROMIUM names. It runs as any user, root too: its pages are our own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env["VERDICT_CHROMIUM"] ?? "chromium", args: ["--no-sandbox"] });
}

/** The official bridge of hosts, as one script of a page. */
export async function bridgeScript(): Promise<string> {
  const bundle = await rolldown({ input: resolve("test/fixtures/browser/host.mjs"), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife" });
  await bundle.close();
  return output[0].code;
}

/** The built view. */
export const view = () => readFileSync("dist/solution.html", "utf8");

export interface Shown {
  readonly page: Page;
  /** The view inside of its host. */
  readonly frame: Frame;
  /** What the console and uncaught errors of the page said. */
  readonly errors: string[];
}

/** Shows an answer as a host of MCP Apps does: in a frame without an origin, by the official bridge. */
export async function showAnswer(
  page: Page,
  script: string,
  shown: { readonly input: object; readonly answer: object; readonly theme?: "light" | "dark" },
): Promise<Shown> {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.setContent(
    '<style>body{margin:0}</style><iframe id="view" sandbox="allow-scripts" style="width:100%;height:2000px;border:0"></iframe>',
  );
  await page.addScriptTag({ content: script });
  await page.evaluate(`showView(${JSON.stringify({ ...shown, html: view() })})`);
  const frame = page.frames().find((each) => each !== page.mainFrame());
  if (!frame) throw new Error("the view has no frame");
  return { page, frame, errors };
}
