import type { ItemLine } from "../language.ts";
import { shrink } from "./core.ts";
import type { Probed, Search } from "./probe.ts";

/** A removable part of a model: a statement, or one named case of it. */
export interface Part<Statement, Case> {
  readonly statement: Statement;
  readonly case?: Case;
}

/** Parts that together have no solution, and the parts among which they were searched. */
export interface Narrowed<Each> {
  readonly all: readonly Each[];
  readonly parts: readonly Each[];
  /** Whether no limit caused unnecessary parts to be kept. */
  readonly smallest: boolean;
}

/** The question whether a subset of all parts has a solution, and its deadline. */
export interface Narrowing<Each> extends Pick<Search, "monotone" | "hasTime"> {
  readonly probe: (kept: readonly Each[], all: readonly Each[]) => Promise<Probed["verdict"]>;
}

/** Leaves out parts while the others have no solution. */
export async function narrow<Each>(all: readonly Each[], narrowing: Narrowing<Each>): Promise<Narrowed<Each>> {
  const probe = async (kept: readonly Each[]) => ({ verdict: await narrowing.probe(kept, all) });
  const { parts, minimal } = await shrink(all, { ...narrowing, probe });
  return { all, parts, smallest: minimal || narrowing.hasTime() };
}

/** Leaves out cases of the narrowed statements; whole statements are kept if none could be left out in time. */
export async function narrowCases<Each>(
  statements: Narrowed<Each>,
  cases: readonly Each[],
  narrowing: Narrowing<Each>,
): Promise<Narrowed<Each>> {
  const left = new Set(statements.parts);
  // What is not needed stays left out.
  const dropped = statements.all.filter((part) => !left.has(part));
  const all = [...dropped, ...cases];
  if (cases.length === statements.parts.length) return { ...statements, all, parts: cases };
  const narrowed = await narrow(cases, { ...narrowing, probe: (kept) => narrowing.probe(kept, all) });
  return narrowed.smallest || narrowed.parts.length < cases.length ? { ...narrowed, all } : statements;
}

/** The statements of these parts, in order, each with its parts. */
export function byStatement<Statement, Case>(
  parts: readonly Part<Statement, Case>[],
): Map<Statement, Part<Statement, Case>[]> {
  const groups = new Map<Statement, Part<Statement, Case>[]>();
  for (const part of parts) {
    const own = groups.get(part.statement);
    if (own) own.push(part);
    else groups.set(part.statement, [part]);
  }
  return groups;
}

/** A position with the names of these cases. */
export function withCases(place: ItemLine, parts: readonly Part<unknown, { readonly name: string }>[]): ItemLine {
  const cases = [...new Set(parts.flatMap((part) => part.case?.name ?? []))];
  return cases.length > 0 ? { ...place, cases } : place;
}
