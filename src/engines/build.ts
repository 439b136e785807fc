import type { Config } from "../config.ts";
import { Fault } from "../kernel/fault.ts";
import type { EngineReport } from "./engine.ts";
import { programsOfEnvironments, programsOnPath } from "./places.ts";

/** Everything needed to choose a solver's build: the embedded one or a better native one. */
export interface BuildSpec {
  /** The solver's name in reports, which is also the name of its executable. */
  readonly name: string;
  /** The usual spelling of the solver's name. */
  readonly title: string;
  /** The environment variable that selects a native build by its path, or the embedded one with `wasm`. */
  readonly variable: string;
  /** The oldest native version that is used without an explicit choice by the user. */
  readonly oldest: readonly [major: number, minor: number];
  /** The oldest version that the user can select. An older one is rejected with a fault, so that the user notices. */
  readonly oldest_named?: readonly [major: number, minor: number];
  /** Whether programs on PATH are ignored, because only our own driver of this solver speaks the protocol. */
  readonly is_named_only?: boolean;
  /** Whether a package of the private Python environment contains a native build. */
  readonly is_in_environments?: boolean;
  /** The advantage of a native build over the embedded one; undefined if there is no embedded one. */
  readonly advantage?: string;
  /** One way to install a native build. */
  readonly install: string;
  /** A description of how this solver is confined. */
  readonly isolation: string;
}

/** A candidate for a native build, and how it was found. */
export interface Candidate {
  readonly command: string;
  readonly source: string;
  /** Whether the user selected this build explicitly, so that it is used even if it is old. */
  readonly is_named: boolean;
}

/** The build in use, and why it was chosen. */
export type Build<Features = unknown> = EmbeddedBuild | NativeBuild<Features>;

/** The embedded build. If a solver has none, `why` says why there is no native build either. */
export interface EmbeddedBuild {
  readonly kind: "wasm";
  readonly why: string;
}

export interface NativeBuild<Features> {
  readonly kind: "native";
  readonly why: string;
  readonly command: string;
  readonly version: string;
  /** Facts about the build other than its version. */
  readonly features: Features;
}

/** How to determine a native build's version and features. */
export interface Examination<Features> {
  /** Starts a build and returns its version; undefined if the build does not answer. */
  version(command: string): Promise<string | undefined>;
  /** Returns further facts about a build, or the reason why it is unusable, such as "has no solver". */
  features(candidate: Candidate): Promise<Features | string>;
}

/**
 * Chooses the first usable native build, in order of preference, or else the embedded one. Raises `engine_missing` if
 * the user selected a build that is too old for any use.
 */
export async function chooseBuild<Features extends object>(
  config: Config,
  spec: BuildSpec,
  examination: Examination<Features>,
): Promise<Build<Features>> {
  const rejected: string[] = [];
  for (const candidate of candidates(config, spec)) {
    const build = await examine(candidate, spec, examination);
    // If a selected or preferred build is unusable, the user must see that another one answers.
    if (typeof build !== "string") return { ...build, why: [build.why, ...rejected].join("; ") };
    rejected.push(`the one of ${candidate.source} ${build}`);
  }
  const is_chosen = config.native_builds[spec.variable] === "wasm";
  const reason = is_chosen ? `chosen by ${spec.variable}` : rejected.join("; ") || "no native one was found";
  return { kind: "wasm", why: spec.advantage ? `embedded: ${reason}` : reason };
}

/** The report that `doctor` prints about a solver; an undefined version means that the build does not answer. */
export function reportOf(
  spec: BuildSpec,
  { kind, why }: Pick<Build, "kind" | "why">,
  version: string | undefined,
): EngineReport {
  const { name, title, variable, oldest, is_named_only, advantage, install, isolation } = spec;
  const where = is_named_only ? `and name it in ${variable}` : `on PATH, or name it in ${variable}`;
  const native = `${title} ${oldest.join(".")} or newer (${install}) ${where}.`;
  const how_to_get = advantage
    ? `The embedded build comes with Verdict. A native one ${advantage}: install ${native}`
    : `Install ${native}`;
  const common = { name, how_to_get, isolation };
  if (version === undefined) {
    const is_silent = kind === "native" || advantage !== undefined;
    const reason = is_silent ? `${why}, but it does not answer` : why;
    return { ...common, found: false, kind: "none", version: null, why: reason };
  }
  return { ...common, found: true, kind, version, why };
}

/** Returns the candidate's build, or the reason why it is unusable. */
async function examine<Features extends object>(
  candidate: Candidate,
  spec: BuildSpec,
  examination: Examination<Features>,
): Promise<NativeBuild<Features> | string> {
  const { command, source } = candidate;
  const version = await examination.version(command);
  if (version === undefined) return "does not answer";
  const objection = ageObjection(version, candidate, spec);
  if (objection !== undefined) return objection;
  const features = await examination.features(candidate);
  if (typeof features === "string") return features;
  return { kind: "native", why: `native, found by ${source}`, command, version, features };
}

function candidates(config: Config, { name, variable, is_named_only, is_in_environments }: BuildSpec): Candidate[] {
  const named = config.native_builds[variable];
  if (named === "wasm") return [];
  const first = (commands: readonly string[], source: string) =>
    commands.slice(0, 1).map((command) => ({ command, source, is_named: false }));
  return [
    ...(named ? [{ command: named, source: variable, is_named: true }] : []),
    ...(is_named_only ? [] : first(programsOnPath(config, name), "PATH")),
    ...(is_in_environments ? first(programsOfEnvironments(config, name), "the private Python environment") : []),
  ];
}

/** Whether a version such as "5.1.0" is older than the oldest one that is used without an explicit choice. */
export function isOutdated(version: string, { oldest }: Pick<BuildSpec, "oldest">): boolean {
  return isBefore(version, oldest);
}

/** Whether a version such as "5.1.0" is older than another one. */
export function isBefore(version: string, oldest: BuildSpec["oldest"]): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

function tooOld(version: string, { title, variable, oldest, install, advantage }: BuildSpec): Fault {
  const needed = `${title} ${oldest.join(".")} or newer`;
  return new Fault(
    "engine_missing",
    `${variable} points to ${title} ${version}, but Verdict needs ${needed}. Nothing was run.`,
    [
      `the user can install ${needed} (${install}), and point the variable to it`,
      ...(advantage ? [`or unset ${variable}: the embedded ${title} then answers`] : []),
    ],
  );
}

/** Returns the reason why a version is too old; undefined if it is not. Raises the same fault as `chooseBuild`. */
function ageObjection(version: string, { is_named }: Candidate, spec: BuildSpec): string | undefined {
  const { oldest, oldest_named = [0, 0], variable } = spec;
  const is_useless = isBefore(version, oldest_named);
  if (is_named && is_useless) throw tooOld(version, spec);
  if (is_named || !isOutdated(version, spec)) return undefined;
  return `is ${version}, older than ${oldest.join(".")}${is_useless ? "" : ` (${variable} forces it)`}`;
}
