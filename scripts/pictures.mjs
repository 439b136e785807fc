// Makes the pictures of examples/: the report of the call that a picture follows, by `verdict solve` or `verdict view`,
// in Chromium. Needs a built Verdict with its Python engines, and a Chromium (VERDICT_CHROMIUM). Names of examples choose some.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { examples } from "./examples.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bytes_max = 60_000;
const size_px = { width: 640, height: 640 };

const scratch = mkdtempSync(join(tmpdir(), "verdict-pictures-"));
const endings = { smtlib: "smt2", minizinc: "mzn", asp: "lp" };
/** Arguments of the tools that are flags of the command. */
const flags = { check: "--check", count: "--count", backbone: "--backbone", why: "--why", explain_unsat: "--why" };

/** Runs the program; an exit code of 1 or more can be an answer, too. */
function verdict(args) {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], cwd: root };
    return execFileSync(process.execPath, [join(root, "dist/cli.mjs"), ...args], options);
  } catch (error) {
    if (error.status === 1 || error.status === 4) return error.stdout;
    throw error;
  }
}

/** Writes the report of a call to this file. */
function report({ tool, arguments: args }, name, html) {
  const options = Object.keys(flags).flatMap((flag) => (args[flag] ? [flags[flag]] : []));
  const language = tool === "solve_smtlib" ? "smtlib" : args.language;
  if (language) {
    const model = join(scratch, `${name}.${endings[language] ?? "py"}`);
    writeFileSync(model, `${args.smtlib ?? args.items.join("\n")}\n`);
    const data = args.data ? ["--data", JSON.stringify(args.data)] : [];
    verdict(["solve", model, "--language", language, ...data, ...options, "--html", html]);
  } else {
    const kept = join(scratch, `${name}.json`);
    writeFileSync(kept, verdict(["call", tool, "--json", JSON.stringify(args)]));
    const code = join(scratch, `${name}.py`);
    if (args.code) writeFileSync(code, args.code);
    verdict(["view", kept, ...(args.code ? ["--source", code] : []), "--html", html]);
  }
}

/** The upper part of the page, as much of it as fits into the bytes. */
async function shot(page, file) {
  const all = Math.ceil((await page.locator("main").boundingBox()).height) + 16;
  for (const height_max of [size_px.height, 560, 480, 400]) {
    const clip = { x: 0, y: 0, width: size_px.width, height: Math.min(height_max, all) };
    await page.screenshot({ path: file, clip });
    const { size } = statSync(file);
    if (size <= bytes_max) return `${file}: ${clip.width} × ${clip.height}, ${size} bytes`;
  }
  throw new Error(`${file} is larger than ${bytes_max} bytes`);
}

const chosen = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.VERDICT_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"], // our own pages
});
try {
  for (const { name, calls, picture } of examples()) {
    if (!picture || (chosen.length > 0 && !chosen.includes(name))) continue;
    const html = join(scratch, `${name}.html`);
    report(calls[picture.call], name, html);
    const page = await browser.newPage({ viewport: size_px, colorScheme: "light" });
    await page.goto(pathToFileURL(html).href);
    console.log(await shot(page, join(root, "examples", picture.file)));
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true });
}
