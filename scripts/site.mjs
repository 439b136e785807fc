// Builds the site of the documents into .cache/site/dist: pages of docs/, examples/, the guides, and a few files of the root. Dead links,
// dead anchors and anything that a page would load from elsewhere fail it. VitePress has its own lock file in .ci/site/.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "./ci_packages.mjs";
import { guides } from "./guides.mjs";
import { mapProse } from "./markdown.mjs";
import { faultsOf } from "./site_check.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const place = resolve(".cache/site");
const repository = `${JSON.parse(readFileSync("package.json", "utf8")).homepage.replace(/#.*/, "")}`;

/** The page of each file of the repository that has one. */
const pages = new Map([
  ["docs/README.md", "index.md"],
  ["examples/README.md", "examples/index.md"],
  ["SECURITY.md", "security.md"],
  ["CHANGELOG.md", "changelog.md"],
  ...guides().map(({ name, file }) => [file, `languages/${name}.md`]),
  ...markdownIn("docs").map((file) => [`docs/${file}`, file]),
  ...markdownIn("docs/decisions").map((file) => [`docs/decisions/${file}`, `decisions/${file}`]),
  ...markdownIn("examples").map((file) => [`examples/${file}`, `examples/${file}`]),
]);

function markdownIn(folder) {
  return readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md");
}

/** Where a link of this file leads on the site: to a page, to a picture, or to the repository. */
function target(link, file) {
  if (/^(\w+:|#)/.test(link)) return link;
  const [path, anchor] = link.split("#");
  const found = normalize(join(dirname(file), path));
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const page = pages.get(found);
  if (page) return `${toward(page, file)}${hash}`;
  if (/^(docs|examples)\/pictures\//.test(found)) return toward(found.replace(/^docs\//, ""), file);
  return `${repository}/${statSync(found).isDirectory() ? "tree" : "blob"}/main/${found}${hash}`;
}

function toward(page, file) {
  const way = relative(dirname(pages.get(file)), page);
  return way.startsWith(".") ? way : `./${way}`;
}

/** What VitePress colours the code of languages as that it does not know. */
const colours = { minizinc: "txt", caddyfile: "txt", asp: "prolog", smt2: "clojure" };

/** The text as VitePress takes it: its links lead to pages, and Vue finds nothing in it to run. */
function rewritten(text, file) {
  const coloured = text.replaceAll(/^```(\w+)$/gm, (fence, language) =>
    fence.replace(language, colours[language] ?? language),
  );
  return mapProse(coloured, (part) =>
    part
      .replaceAll(/\]\(([^)\s]+)\)/g, (_, link) => `](${target(link, file)})`)
      .replaceAll("{{", "&#123;&#123;")
      .replaceAll(/<(?![!/a-z])/gi, "&lt;"),
  );
}

function write(page, text) {
  const file = join(place, page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function titleOf(file) {
  return /^# (.+)$/m.exec(readFileSync(file, "utf8"))[1];
}

rmSync(place, { recursive: true, force: true });
for (const [file, page] of pages) write(page, rewritten(readFileSync(file, "utf8"), file));
const decisions = markdownIn("docs/decisions").map((file) => `- [${titleOf(`docs/decisions/${file}`)}](./${file})`);
write("decisions/index.md", `# Decisions\n\nChoices that cost something, one page each.\n\n${decisions.join("\n")}\n`);
for (const pictures of ["docs/pictures", "examples/pictures"])
  cpSync(pictures, join(place, pictures.replace(/^docs\//, "")), { recursive: true });
for (const file of ["scripts/site_config.mjs", "scripts/markdown.mjs"])
  cpSync(file, join(place, ".vitepress", file.replace(/.*\/(site_)?/, "")));
write(".vitepress/guides.json", JSON.stringify(guides()));
const modules = installed("site");
symlinkSync(modules, join(place, "node_modules"));

const build = [join(modules, "vitepress/bin/vitepress.js"), "build", place, "--outDir", join(place, "dist")];
const { status } = spawnSync(process.execPath, build, { stdio: "inherit" });
if (status !== 0) process.exit(1);
const faults = faultsOf(join(place, "dist"), "/verdict/");
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${pages.size + 1} pages in ${join(place, "dist")}: no dead link or anchor, nothing from elsewhere.`);
if (!existsSync(join(place, "dist/index.html"))) throw new Error("the site has no first page");
