import { Fault } from "../../kernel/fault.ts";
import { limits } from "../../kernel/limits.ts";
import { linesOf } from "../../kernel/text/lines.ts";

/** Matches the progress output of pip and uv: the verb to show, and its object. */
const news = /^\s*(Collecting|Downloading|Using cached|Installing|Prepared|Installed|Successfully installed)\b\s*(.*)$/;

/** Converts a line of pip's or uv's output to a readable form; undefined if the line shows no progress. */
export function newsOf(line: string): string | undefined {
  const [, word, rest = ""] = news.exec(line) ?? [];
  if (word === undefined || rest.includes(".whl.metadata")) return undefined;
  // The address of the package index is private to the user.
  const what = rest
    .replace(/\s*\(from .*$/, "")
    .replace(/\S+\/(?=\S)/g, "")
    .replace(/(?<=^collected packages: \S+), .*$/, " and others");
  return `${word.toLowerCase()} ${what}`.trim();
}

/** Derives a setup's progress from the output of its commands; reports each change with the completed share. */
export class Progress {
  readonly #packages: number;
  readonly #tell: (message: string) => void;
  readonly #collected = new Set<string>();
  #percent = 0;

  /** Takes the installation's requirements, which list one package per line. */
  constructor(requirements: string, tell: (message: string) => void) {
    this.#packages = Math.max(1, requirements.match(/^\w/gm)?.length ?? 1);
    this.#tell = tell;
  }

  /** Reports that a new command begins. */
  step(says: string): void {
    this.#say(says, shares[says] ?? this.#percent);
  }

  /** Processes a line that the command printed. */
  line(line: string): void {
    const news = newsOf(line);
    if (news === undefined) return;
    const [word = "", what = ""] = news.split(" ");
    if (word === "collecting" || word === "downloading") this.#collected.add(what.split(/[=<>~-]\d/)[0] ?? what);
    const fetched = shares.installing + (shares.placing - shares.installing) * (this.#collected.size / this.#packages);
    this.#say(news, /^(installing|prepared|installed|successfully)/.test(word) ? shares.placing : fetched);
  }

  #say(message: string, percent: number): void {
    this.#percent = Math.min(99, Math.max(this.#percent, Math.floor(percent)));
    this.#tell(`${message}, ${this.#percent} %`);
  }
}

/** The percentage of a typical setup that is complete when each step begins; most of the time is spent on downloads. */
const shares: Readonly<Record<string, number>> & { readonly installing: number; readonly placing: number } = {
  "making a private Python environment": 2,
  "installing its packages": 10,
  installing: 10,
  placing: 75,
  "checking that the engines start": 90,
};

interface Cause {
  readonly sign: RegExp;
  readonly why: string;
  readonly step: string;
}

/**
 * The reasons why setups fail, with the most specific sign first: pip ends by reporting a lost connection as a missing
 * version.
 */
const causes: readonly Cause[] = [
  {
    sign: /No space left on device|os error 28\b|Disk quota exceeded|ENOSPC|EDQUOT/i,
    why: "there is no space left on the disk",
    step: "free about 200 MB of disk space, or set VERDICT_DATA to a directory on a larger disk",
  },
  {
    // A bare error code comes from the system, not from an installer; for a read-only disk, Node reports ENOENT.
    sign: /Permission denied|Read-only file system|^E[A-Z]+$/,
    why: "Verdict's data directory can't be written to",
    step: "make Verdict's data directory (or VERDICT_ENVIRONMENTS) writable, or set VERDICT_DATA to another one",
  },
  {
    sign: /DO NOT MATCH THE HASHES|hash mismatch/i,
    why: "the package index served a file whose hash is not the expected one, so it was not installed",
    step: "empty the package cache (`pip cache purge`), and check whether a mirror or proxy alters downloads",
  },
  {
    sign: /CERTIFICATE_VERIFY_FAILED|certificate verify failed|invalid peer certificate|UnknownIssuer/i,
    why: "the certificate of the package index was not accepted",
    step: "set PIP_CERT or SSL_CERT_FILE, in the server's environment, to the certificates of your network",
  },
  {
    sign: /Name or service not known|name resolution|getaddrinfo|resolve host|dns error|unreachable|Connection (refused|reset|broken)|NewConnectionError|Max retries exceeded|timed out|ProxyError|error sending request|RemoteDisconnected/i,
    why: "the package index could not be reached: no network, or a proxy is missing",
    step: "connect this machine to a network, or name a proxy (HTTPS_PROXY) or a mirror (PIP_INDEX_URL, UV_INDEX_URL) in the server's environment",
  },
  {
    sign: /No matching distribution|Could not find a version|no (usable )?wheels|not a supported wheel|requirements are unsatisfiable/i,
    why: "the package index has no wheel for this Python on this machine",
    step: "set VERDICT_PYTHON to a 64-bit CPython 3.10 to 3.14 from python.org, uv or the system",
  },
  {
    sign: /ensurepip is not available|No module named '?(ensurepip|venv|pip)\b/,
    why: "this Python can't create environments",
    step: "install its venv package (`apt install python3-venv`), or uv, or set VERDICT_PYTHON to another Python",
  },
];

/** The fault for a failed setup, derived from the installer's output or the system's error. */
export function setupFault(output: string): Fault {
  const cause = causes.find(({ sign }) => sign.test(output));
  const why = cause?.why ?? (lastWords(output) || "the installer exited without a message");
  return failedSetup(why, cause?.step ?? "check the server's log (stderr) for the installer's output");
}

/** The fault for a setup that failed for a known reason. */
export function failedSetup(why: string, step: string): Fault {
  return new Fault("engine_failed", `The private Python environment could not be created: ${why}.`, [
    step,
    `run \`verdict setup\` in a terminal to see what happens, or call again (the setup is retried after ${limits.retry_ms / 1000} s)`,
    "tools that need no Python, such as solve_smtlib, work without it",
  ]);
}

/** Returns the last meaningful lines of output, without addresses, host names and local paths. */
function lastWords(output: string): string {
  const lines = linesOf(output).map(scrub).filter(Boolean);
  const errors = lines.filter((line) => /error|failed|fatal|cannot|cause/i.test(line));
  return (errors.length > 0 ? errors : lines)
    .slice(-3)
    .join(" / ")
    .replace(/[.\s]+$/, "");
}

function scrub(line: string): string {
  return line
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s'"`]+/gi, "…")
    .replaceAll(/host='[^']*'/g, "host=…")
    .replaceAll(/(?<![\w.…])(?:~|[A-Za-z]:)?[\\/][^\s'"`:,;)]+/g, "…")
    .trim()
    .slice(0, limits.fault_quote_chars_max);
}

/** Removes credentials: a package index's address can contain the user's password, which must not be logged. */
export function withoutCredentials(output: string): string {
  return output.replaceAll(/:\/\/[^\s/@]+@/g, "://…@");
}
