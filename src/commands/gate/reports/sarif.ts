import { createHash } from "node:crypto";
import { placeOf, type Report, type Result } from "../report.ts";
import { type Line, linesOf } from "./shown.ts";

const rules = {
  different: {
    name: "BehaviourChanged",
    short: "For some input, a function's result differs from before.",
    full: "The input was run with both versions of the function. A change can be intended: compare the two results.",
  },
  counterexample: {
    name: "ContractBroken",
    short: "A function violates its contract for some input.",
    full: "The input was run. It satisfies the preconditions, but the call violates the function's contract.",
  },
  undecided: {
    name: "Undecided",
    short: "It is unknown whether a function behaves as before.",
    full: "No difference was found, but none was ruled out.",
  },
  affected: {
    name: "Affected",
    short: "A function uses functions that changed, and it is unknown whether it behaves as before.",
    full: "Its own code is the same. The message names the changed functions that it uses.",
  },
  not_checked: {
    name: "NotChecked",
    short: "A function could not be checked.",
    full: "The message says why: for instance, it uses a package, or its parameters have no annotations.",
  },
  error: { name: "Error", short: "A function was not checked because of a fault.", full: "The message says which." },
} as const;
type Rule = keyof typeof rules;

/**
 * The report as SARIF 2.1.0: differences, broken contracts, and other failures. Proved functions are omitted, since
 * viewers show each result as an alert.
 */
export function sarifReport(report: Report) {
  const lines = linesOf(report).filter(({ level }) => level !== "rest");
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Verdict gate",
            semanticVersion: report.version,
            informationUri: "https://github.com/verdict-mcp/verdict",
            rules: Object.entries(rules).map(([id, { name, short, full }]) => ({
              id: `verdict/${id}`,
              name,
              shortDescription: { text: short },
              fullDescription: { text: full },
              defaultConfiguration: { level: id === "counterexample" ? "error" : "note" },
            })),
          },
        },
        columnKind: "unicodeCodePoints",
        invocations: [{ executionSuccessful: true, exitCode: report.passed ? 0 : 1 }],
        results: lines.map(resultOf),
        properties: {
          counts: report.counts,
          fail_on: report.fail_on,
          head: report.head.commit,
          merge_base: report.base.merge_base,
        },
      },
    ],
  };
}

function resultOf({ level, status, title, detail, result }: Line) {
  const place = placeOf(result);
  const rule = ruleOf(status);
  return {
    ruleId: `verdict/${rule}`,
    ruleIndex: Object.keys(rules).indexOf(rule),
    level: level === "failure" ? "error" : "note",
    message: { text: `${place.function}: ${title}. ${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(place.file) },
          region: { startLine: place.line, endLine: place.end_line },
        },
        logicalLocations: [{ fullyQualifiedName: place.function, kind: "function" }],
      },
    ],
    partialFingerprints: { "verdictFunction/v1": fingerprint(result, rule) },
  };
}

function ruleOf(status: Line["status"]): Rule {
  if (status === "removed") return "different";
  if (status === "different" || status === "counterexample" || status === "not_checked") return status;
  if (status === "affected" || status === "error") return status;
  return "undecided";
}

/** Identifies a finding of a function independently of its line. */
function fingerprint(result: Result, rule: Rule): string {
  const { file, function: name } = placeOf(result);
  return createHash("sha256")
    .update(JSON.stringify([file, name, rule]))
    .digest("hex")
    .slice(0, 32);
}

/**
 * Converts a path to a relative reference in which no segment can be read as a scheme, a query or a parent directory.
 */
function uriOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
