// What is wrong with a built site: links and anchors that lead nowhere, and files that a page would load from another site.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const decoded = (text) => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');

/** The faults of all pages in this folder, which are served under `base`. */
export function faultsOf(folder, base) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  const pages = new Map(files.map((file) => [join(folder, file), readFileSync(join(folder, file), "utf8")]));
  if (pages.size === 0) return [`${folder} has no pages`];
  return [...pages].flatMap(([file, html]) => [...deadLinks(file, html), ...foreign(file, html)]);

  function deadLinks(file, html) {
    return [...html.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].flatMap(([, raw]) => {
      const link = decoded(raw);
      if (/^(\w+:|\/\/)/.test(link)) return [];
      const { pathname, hash } = new URL(link, `http://site${base}${file.slice(folder.length + 1)}`);
      if (!pathname.startsWith(base)) return [`${file}: ${link} leaves the site`];
      const path = join(folder, decodeURIComponent(pathname.slice(base.length)));
      const target = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
      if (!existsSync(target)) return [`${file}: ${link} is dead`];
      const id = decodeURIComponent(hash.slice(1));
      const has_id = id === "" || !pages.has(target) || pages.get(target).includes(` id="${id}"`);
      return has_id ? [] : [`${file}: the anchor of ${link} is dead`];
    });
  }
}

function foreign(file, html) {
  const loads = html.matchAll(
    /<(?:link|img|script|iframe|source)\b[^>]*?\s(?:href|src|srcset)="((?:https?:)?\/\/[^"]*)"/g,
  );
  return [...loads].map(([, link]) => `${file}: ${link} would be loaded from elsewhere`);
}
