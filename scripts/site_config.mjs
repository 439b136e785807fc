// The settings of VitePress. scripts/site.mjs puts this file beside the pages.
import { readFileSync } from "node:fs";
import { anchorOf } from "./markdown.mjs";

const page = (text, link) => ({ text, link: `/${link}` });

/** The list of `guides.mjs`, which looks into the repository. */
const guides = JSON.parse(readFileSync(new URL("guides.json", import.meta.url), "utf8"));

const sidebar = [
  {
    text: "Start",
    items: [
      page("Start here", ""),
      page("In your client", "install"),
      page("Troubleshooting", "troubleshooting"),
      page("Windows and macOS", "other_systems"),
      page("Which tool for which problem", "choose"),
      page("Your data", "data"),
      page("Examples", "examples/"),
    ],
  },
  {
    text: "Answers",
    items: [
      page("What an answer means", "answers"),
      page("Proofs about Python", "proofs"),
      page("Pages and pictures", "viewer"),
    ],
  },
  {
    text: "Languages, with patterns",
    items: guides.map(({ name, subject }) => page(subject, `languages/${name}`)),
  },
  {
    text: "Use",
    items: [
      page("The command line", "command_line"),
      page("An agent", "agent"),
      page("A gate for pull requests", "gate"),
      page("Lean tactics", "lean"),
      page("All tools", "tools"),
      page("Optional tools", "optional_tools"),
    ],
  },
  {
    text: "Operate",
    items: [
      page("For a team", "operate"),
      page("Over HTTP", "http"),
      page("Behind a proxy", "proxy"),
      page("In a container", "container"),
      page("Security", "security"),
    ],
  },
  {
    text: "Background",
    items: [
      page("How it works", "how_it_works"),
      page("What leaves your machine", "privacy"),
      page("Comparison", "comparison"),
      page("Benchmarks", "benchmarks"),
      page("Decisions", "decisions/"),
      page("Changes", "changelog"),
    ],
  },
];

export default {
  title: "Verdict",
  description: "An MCP server that lets language models decide instead of guess",
  base: "/verdict/",
  cleanUrls: false,
  lastUpdated: false,
  // The same anchors as on GitHub, so that a link holds in both places.
  markdown: { anchor: { slugify: anchorOf } },
  themeConfig: {
    sidebar,
    search: { provider: "local" },
    outline: { level: [2, 3] },
    socialLinks: [{ icon: "github", link: "https://github.com/verdict-mcp/verdict" }],
  },
};
