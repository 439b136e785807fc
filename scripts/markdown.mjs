// What the documents are made of: fenced blocks, links, and the anchors of headings as GitHub names them.

/** The fenced blocks of a text, with their languages. */
export function blocksOf(text) {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, block]) => ({ language, text: block }));
}

/** The text without its fenced blocks and spans of code, which hold no links. */
function prose(text) {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, " "));
}

/** The targets of links and pictures that are not addresses. */
export function linksOf(text) {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link).filter((link) => !/^\w+:/.test(link));
}

/** The anchor of a heading. */
export function anchorOf(heading) {
  const words = heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}

export function anchorsOf(text) {
  return [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    anchorOf(heading),
  );
}

/** The text with this change of its prose; fenced blocks and spans of code stay as they are. */
export function mapProse(text, change) {
  return text
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join("");
}
