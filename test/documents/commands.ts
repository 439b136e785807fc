/** A command of a document that is run, and how it has to end. */
export interface Runs {
  readonly line: string;
  /** The exit code; 0 if it is not given. */
  readonly exit?: number;
  /** What it has to print. */
  readonly prints?: string | RegExp;
  /** Whether it is left to the long tests: another line here, or a test of the command, shows the same. */
  readonly is_long?: boolean;
}

/** What runs in a directory with the files of test/fixtures/documents, in the order of this list. */
export const runs: readonly Runs[] = [
  { line: "verdict solve queens.mzn --data board.json", prints: "queen", is_long: true },
  { line: "verdict solve colours.lp --data map.lp --solutions all", prints: "colour" },
  { line: "verdict solve roster.py --timeout 60", prints: "day", is_long: true },
  { line: "verdict solve puzzle.smt2 --why", prints: "define-fun x () Int 4" },
  { line: "cat puzzle.smt2 | verdict solve - --language smtlib", prints: "define-fun x () Int 4" },
  { line: "verdict solve plan.mps --check", prints: "objective: 19", is_long: true },
  { line: "verdict solve plan.lp", prints: "objective: 19", is_long: true },
  { line: "verdict solve circuit.cnf --why", exit: 1, prints: "DRAT proof" },
  { line: "verdict solve circuit.cnf --language ortools", exit: 1, prints: "unsat", is_long: true },
  { line: "verdict solve wishes.wcnf", prints: "objective: 3", is_long: true },
  { line: "verdict solve roster.mzn --html roster.html", prints: "day", is_long: true },
  { line: "verdict bundle queens.mzn board.json --out queens_bundle", prints: "queen", is_long: true },
  { line: "verdict rerun queens_bundle", prints: "It holds", is_long: true },
  { line: "verdict view answer.json", prints: "answer.html" },
  { line: "verdict call solve_smtlib '(declare-const x Int)(assert (> x 3))' --text", prints: /^; sat/m },
  {
    line: "verdict call solve_smtlib puzzle.smt2 --json '{\"timeout_ms\": 60000}'",
    prints: '"status": "sat"',
    is_long: true,
  },
  { line: "verdict check shop.py::price", prints: "verified" },
  { line: "verdict check shop.py::price --proof price_proof", prints: "verified", is_long: true },
  { line: "verdict recheck price_proof", prints: "The proof holds", is_long: true },
  { line: "verdict check shop.py::price --proof DIR", prints: "verified", is_long: true },
  { line: "verdict compare shop.py::old shop.py::new", prints: "equivalent", is_long: true },
  { line: "verdict branches shop.py::price", prints: "age < 3", is_long: true },
  { line: "verdict gate --base origin/main", exit: 1, prints: "Failed" },
  {
    line: "verdict gate --base origin/main --expect-same 'shop/tax.py::*' --expect-same 'round_*'",
    exit: 1,
    prints: "Failed",
    is_long: true,
  },
  {
    line: "verdict gate --base origin/main --fail-on different,contract --expect-different 'shop/price.py::ticket'",
    exit: 1,
    prints: "✗ different",
    is_long: true,
  },
  { line: "verdict doctor", prints: "✓", is_long: true },
  { line: "verdict setup", prints: "", is_long: true },
  { line: "verdict setup cp", prints: "", is_long: true },
  { line: "verdict setup && verdict doctor", prints: "✓" },
  { line: "verdict token ann --file tokens.json", prints: "vt_" },
  { line: "verdict daemon status", exit: 1, prints: "" },
  { line: "verdict install --dry-run", prints: "mcp.json", is_long: true },
  { line: "verdict install", prints: "mcp.json" },
  { line: "verdict install --client cursor zed", prints: "mcp.json", is_long: true },
  { line: "verdict install --uninstall", prints: "mcp.json" },
  { line: "printf %s 'https://login.example/#SUBJECT' | sha256sum | cut -c1-40", prints: /^[0-9a-f]{40}$/m },
];

/** What is not run here, and why; its flags are checked all the same. Each pattern fits the whole line. */
export const not_run: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/curl -T .*/, "it needs a server with this token; test/server/uploads.test.ts sends a file so"],
  [/npm run demo|npm test|npm run build/, "install and build this repository: what every test run begins with"],
  [/npx -y @verdict-mcp\/verdict install|npm install -g .*/, "the package is not published"],
  [/claude mcp add .*/, "another program; test/cli/install/ has what it would write"],
  [/verdict solve roster\.mzn --open/, "opens a browser; test/cli/solve.test.ts has another program in its place"],
  [/verdict serve .*/, "serves until it is ended, at a fixed port; test/server/http.test.ts chooses a free one"],
  [/VERDICT_REDIS=\S+ verdict (serve|worker) .*/, "needs that Redis; test/jobs/redis_servers.test.ts starts one"],
  [/verdict daemon start/, "needs a tactic model; test/lean/daemon.test.ts starts it with a toy"],
  [/(.* )?verdict ask .*|verdict bench-agent .*/, "need a language model; test/agent/ has scripted ones"],
  [/export ANTHROPIC_API_KEY=…|OLLAMA_CONTEXT_LENGTH=64000 ollama serve &/, "of the provider"],
  [/docker .*|chmod 644 tokens\.json/, "need docker; test/container/ does the same with podman"],
  [/node docker\/allow_unshare\.mjs .*/, "needs a file of another project; test/container/ runs the program"],
  [/journalctl .*/, "needs a service of systemd"],
  [/(useradd|install -d|runuser|systemctl) .*/, "set up a service of systemd, as root"],
];

/** Blocks that are not commands, by file and language: the test file that reads or repeats them, or why none does. */
export const other_blocks: Readonly<Record<string, string>> = {
  "docs/proofs.md python": "a square root by bisection, as test/prover/given_invariants.test.ts proves it",
  "docs/agent.md text": "a recorded run; test/agent/command.test.ts makes it again",
  "docs/agent.md js": "test/agent/library.test.ts",
  "docs/checkers.md python": "test/model/checker.test.ts",
  "docs/gate.md yaml": "test/gate/action.test.ts runs the action itself; GitHub alone runs workflows",
  "docs/install.md toml": "test/cli/install/documents.test.ts",
  "docs/operate.md ini": "needs systemd",
  "docs/proxy.md nginx": "test/server/proxy.test.ts",
  "docs/proxy.md caddyfile": "needs Caddy",
};
